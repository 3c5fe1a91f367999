/* nvptx-lanes-direct.h -- kernels whose lanes run a whole target region by themselves: between
   nvptx-lanes-direct.c, which finds out whether one can be, and nvptx-lanes-direct-emit.c, which
   writes it.  */

#ifndef GOMPX_NVPTX_LANES_DIRECT_H
#define GOMPX_NVPTX_LANES_DIRECT_H 1

#include "nvptx-lanes-frame.h"
#include "carry-proto.h"

#pragma GCC visibility push (hidden)

/* The registers that are a function's only parameter.  */
struct lanes_base
{
  uint32_t load, copy;		/* statements that set them; copy may be PTX_NO_INDEX */
  uint32_t param, alias;	/* the same of registers */
};

enum { LANES_BLOCK_ARGS = 24 };

/* The block { declarations; st.param ...; call ...; [ld.param ...;] } around a call.  */
struct lanes_block
{
  uint32_t begin, end;
  struct ptx_operand args[LANES_BLOCK_ARGS];
  ptx_name types[LANES_BLOCK_ARGS];	/* as which they are stored; 0: as several */
  uint32_t result;		/* a register; PTX_NO_INDEX: there is none */
  ptx_name result_type;		/* as which it is loaded */
};

/* What threads are, and where the frame is.  */
enum lanes_form
{
  LANES_FORM_LANES,		/* a thread is a lane */
  LANES_FORM_WARPS,		/* a warp */
  LANES_FORM_BLOCKS	/* a lane, and the frame is in the block's memory (nvptx-lanes-blocks.c) */
};

/* What a function that is run by all lanes calls.  */
enum lanes_callee
{
  LANES_CALLEE_OTHER,
  LANES_CALLEE_TEAMS,
  LANES_CALLEE_NUM_TEAMS,
  LANES_CALLEE_TEAM_NUM,
  LANES_CALLEE_PARALLEL,
  LANES_CALLEE_LOCK,
  LANES_CALLEE_PURE		/* code that computes, and nothing else */
};

/* What is known of a function that is to be run by all lanes.  */
struct direct
{
  struct lanes_work *w;
  const struct lanes_function *lf;
  struct lanes_base base;
  struct lanes_slots slots;
  struct lanes_frame frame;
  bool based;			/* registers are addresses in the frame */
  bool more;			/* another word is shared than was known for all regions */
  struct lanes_effects effects;
  bool loads;			/* of what could be written while the kernel runs */
  bool limits;			/* regions may have fewer threads than the block has lanes */
  bool meets;			/* regions have barriers */
  bool locks;			/* ... take locks of the library; of blocks */
  bool uneven;			/* their threads may be no whole warps */
  enum lanes_form form;
  unsigned num_inner;		/* calls that have become code */
  bool grows;			/* of blocks: the function has arrays of variable length */
  /* nvptx-lanes-nest.c: groups of lanes may be threads of the one region that there is; and what
     its text calls what.  */
  bool groups;
  unsigned num_regions;
  struct lanes_function *region;
  ptx_name begin_label, end_label, each, width, place;
  bool pointers;	/* of blocks: KNOWN tells which words of the frame are addresses in it */
  struct lanes_frame known;
};

/* Can LF be one, with WARPS as threads or with lanes?  Fills in D.  */
bool lanes_examine_direct (struct direct *d, struct lanes_work *w, const struct lanes_function *lf,
			   bool warps);
enum lanes_callee lanes_direct_callee (const struct lanes_work *w, const struct lanes_call *call);
/* The region that call number CALL of LF, of GOMP_parallel, begins, if it can be part of such a
   kernel; else NULL.  */
struct lanes_function *lanes_direct_region (struct lanes_work *w, const struct lanes_function *lf,
					    uint32_t call, enum lanes_form form);
/* Is there a call in the block that begins at statement I of LF?  *CALL is 0 at first, and then the
   number of that call, or of one behind.  */
static inline bool
lanes_block_calls (const struct lanes_function *lf, uint32_t i, uint32_t *call)
{
  while (*call < lf->num_calls && lf->calls[*call].stmt < i)
    ++*call;
  return *call < lf->num_calls && lf->calls[*call].stmt < lf->f->stmts[i].u.match;
}

/* Does OPCODE compute with registers, or go on elsewhere, and nothing else?  */
bool lanes_computes (ptx_name opcode);
/* The block of call NUMBER of D's function.  */
bool lanes_direct_call (const struct direct *d, uint32_t number, struct lanes_block *b);
/* The block of CALL, of so many arguments, and a result of so many bytes, which need not be used; 0:
   it has none.  */
bool lanes_call_block (const struct ptx_function *f, const struct lanes_call *call,
		       unsigned num_args, unsigned result_size, struct lanes_block *b);
/* nvptx-lanes-blocks.c: the function whose code is to stand in place of S, in CALLER or a clone of
   it, which calls it; else NULL.  */
struct lanes_function *lanes_inner_callee (const struct lanes_function *caller,
					   const struct ptx_stmt *s);
/* CALL of F is one of CALLEE, such a function, as its parameters want it, in a block B of its own.  */
bool lanes_matches_callee (const struct ptx_function *f, const struct lanes_call *call,
			   const struct ptx_function *callee, struct lanes_block *b);
/* S, of such a function F, loads a parameter, which number *NUMBER is, or stores the result.  */
bool lanes_loads_param (const struct ptx_function *f, const struct ptx_stmt *s, uint32_t *number);
bool lanes_stores_result (const struct ptx_function *f, const struct ptx_stmt *s);
/* The block at statement I that asks the library for a number: its last statement, with the
   register in *RESULT and the name in *NAME; else 0.  */
uint32_t lanes_match_ask (const struct ptx_function *f, uint32_t i, uint32_t *result,
			  ptx_name *name);
/* The registers that are F's only parameter: are they only what plain loads add an offset to, or, with
   CHANGES, stores and atomic operations, too?  */
bool lanes_find_base (const struct ptx_function *f, struct lanes_base *base, bool changes);
/* Does F, of which that is so, change one of SIZE bytes at OFFSET from there?  */
bool lanes_changes_word (const struct ptx_function *f, const struct lanes_base *base, int64_t offset,
			 unsigned size);
bool lanes_is_base_access (const struct ptx_stmt *s, const struct lanes_base *base);
/* Is O 0 in front of statement AT: what it was set to last, if no label is in between, or whatever
   it is set to?  */
bool lanes_is_zero (const struct ptx_function *f, const struct ptx_operand *o, uint32_t at);
/* nvptx-lanes-blocks.c: does LF move its stack, and only so that room for it can be found at each
   place?  */
bool lanes_frame_grows (const struct lanes_function *lf);
/* Append what finds room for S, if it makes the stack of D's function longer.  */
void lanes_put_growth (const struct direct *d, struct ptx_text *out, const struct ptx_stmt *s);
/* How many registers and variables of O, which may be a list of operands, IS true for; DATA is for
   it.  */
uint32_t lanes_count_if (const struct ptx_operand *o,
			 bool (*is) (unsigned kind, uint32_t id, const void *data),
			 const void *data);

/* ---- nvptx-lanes-teams.c ---- */

/* Append what sets the result of block B, by which D's function asks for the number of teams.  */
void lanes_put_num_teams (const struct direct *d, struct ptx_text *out, const struct lanes_block *b);

/* ---- nvptx-lanes-spaces.c ---- */

/* Accesses of F, a kernel without the library, say which memory they go to where that is known.
   *TAKES_ARGS: it is an entry, whose arguments have to come with the launch (carry-proto.h).
   False: no memory, or WHY.  */
bool lanes_give_spaces (struct ptx_function *f, bool *takes_args, char why[PTX_WHY]);
/* Whose memory an access of F, such a kernel, gets to.  */
enum lanes_owner
{
  LANES_OWNER_ANY,
  LANES_OWNER_TEAM,		/* the block's, the lane's */
  LANES_OWNER_NOBODY		/* the kernel's arguments, which nobody writes */
};
/* By statement.  NULL: no memory.  */
uint8_t *lanes_find_owners (struct ptx_function *f);

/* ---- nvptx-lanes-team.c ---- */

/* Critical sections of F, such a kernel, of which only threads of the team can tell whether they exclude
   each other, take the team's lock.  False: no memory, or WHY.  */
bool lanes_use_team_locks (struct lanes_work *w, struct ptx_function *f, char why[PTX_WHY]);

/* ---- nvptx-lanes-offsets.c ---- */

/* Constants in addresses of .shared memory, in F, become offsets of the accesses.  The same.  */
bool lanes_give_offsets (struct ptx_function *f, char why[PTX_WHY]);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_LANES_DIRECT_H */
