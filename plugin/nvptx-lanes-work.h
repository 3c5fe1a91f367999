/* nvptx-lanes-work.h -- what the parts of the lanes analysis share (nvptx-lanes*.c).  */

#ifndef GOMPX_NVPTX_LANES_WORK_H
#define GOMPX_NVPTX_LANES_WORK_H 1

#include "nvptx-lanes.h"
#include "nvptx-read.h"

#pragma GCC visibility push (hidden)

/* Names of clones: these behind the name of the function.  */
#define LANES_CARRIER_SUFFIX "$carrier"	/* warp mode, but begins regions in which lanes are threads */

enum lanes_call_kind
{
  LANES_CALL_CODE,		/* of a function whose code is here */
  LANES_CALL_LIBRARY,		/* of the OpenMP library */
  LANES_CALL_DRIVER,		/* malloc, free, vprintf: each lane for itself */
  LANES_CALL_MISSING,
  LANES_CALL_POINTER
};

struct lanes_call
{
  uint32_t stmt;
  enum lanes_call_kind kind;
  ptx_name name;		/* 0: by a pointer */
  struct lanes_function *callee;	/* LANES_CALL_CODE, also of the library's function if it is there */
};

/* A loop around a compare-and-swap; registers by their vars, places by statements (nvptx-lanes-atomic.c).  */
struct lanes_atomic
{
  uint32_t begin, end;		/* its first and last statement */
  uint32_t body, cas, compare;
  uint32_t old, new, result, address;
  int64_t offset;
  unsigned bits;
  uint32_t retry, exit;		/* labels; exit is PTX_NO_INDEX if the loop ends behind it */
  uint32_t inputs[4];		/* what the new value is made of besides the old one */
  unsigned num_inputs;
  const char *native;		/* the instruction that does the same, or NULL */
  bool adds_float;		/* it adds inputs[0] to a float */
};

/* An atomic update that all lanes of a warp can make at once (nvptx-lanes-joint.c).  */
struct lanes_joint
{
  uint32_t begin, end;		/* statements */
  uint32_t loop;		/* the number of its loop; PTX_NO_INDEX: it is an instruction */
  uint32_t part;		/* the register that a lane brings */
  unsigned bits;		/* of that */
  const char *combine;		/* by which instruction parts are combined */
  uint32_t address;
  int64_t offset;
  bool common;			/* its place is the same for all threads of a team */
};

/* A register that a thread combines with memory at its end (nvptx-lanes-ends.c).  */
struct lanes_part
{
  uint32_t reg;
  const char *combine;		/* by which instruction */
  unsigned size;		/* bytes of it */
  uint64_t nothing, least;	/* the number, or a float's bits, that this changes nothing with; another one */
  uint32_t all;			/* of the clone: what the threads have that the lane has been */
};

/* ... and where.  */
struct lanes_update
{
  unsigned part;
  uint32_t address;
  int64_t offset;
  uint32_t first, last;		/* statements: the load, the store */
};

enum { LANES_MOST_PARTS = 8 };

/* A region whose only loop has a static schedule and can be run as many threads, one after the other; registers by their
   vars, places by statements (nvptx-lanes-stride.c).  */
struct lanes_stride
{
  const char *why_not;		/* NULL: it can */
  uint32_t team_begin, team;	/* the block of the call of omp_get_num_threads; its result */
  uint32_t id_begin, id;	/* ... of omp_get_thread_num */
  uint32_t div, rem;
  uint32_t num, quotient, rest;	/* iterations; results of the two */
  unsigned bits;
  uint32_t wide_id; /* ID, or what that is converted into */
  /* What each thread does at its end, once: an atomic update, or a section of such.  PTX_NO_INDEX, and no parts: nothing.  */
  uint32_t end_first, end_last;	/* statements */
  bool end_locks;		/* a section of the lock of atomics */
  struct lanes_part parts[LANES_MOST_PARTS];
  struct lanes_update updates[LANES_MOST_PARTS];
  unsigned num_parts, num_updates;
  unsigned piece;		/* the binary logarithm of how many iterations a thread has where there are many */
  /* Of the clone: predicates, registers, names of labels.  */
  uint32_t again, more, small;	/* not the first thread that the lane is; not the last; the numbers have room */
  uint32_t thread, step, left;
  uint32_t few, threads, each, over; /* with pieces: of the loop; iterations of each; the first OVER have one more */
  ptx_name begin_label, team_label, id_label, counted_label;
  /* Where groups of lanes are to be threads (nvptx-lanes-nest.c): the binary logarithm of how many
     lanes at most, set in front of all; of how many; how many; the lane's number among them.  */
  bool groups;
  uint32_t most, shift, width, place;
  ptx_name grouped_label;
};

/* A loop with a static schedule that a region's threads, which are warps, share out, and each
   thread's lanes by simd.  Registers: NUM iterations divided by WIDE_TEAM, which is TEAM or what
   that is converted to.  */
struct lanes_share
{
  uint32_t first, last;		/* statements: the division and its rest */
  uint32_t team, wide_team, id, num, quotient, rest;
  unsigned bits;		/* of the division */
};

/* A section that lanes of a warp execute in turn under one taking of its lock: the blocks of the two calls
   (nvptx-lanes-turns.c).  */
struct lanes_turns
{
  uint32_t begin, end;		/* statements: where the blocks begin */
  uint8_t *inside;		/* by statement: it is between them */
  bool widens;			/* takes the lock for the block first, for the device when it gets to memory of others */
  unsigned which;		/* GOMPX_LANES_SECTION_... */
};

/* What a function's code says without its callers and callees.  */
struct lanes_function
{
  struct ptx_function *f;
  uint32_t object;
  struct lanes_function *next;	/* of the same hash value */

  /* nvptx-lanes-scan.c */
  bool scanned;
  enum nvptx_lanes_reason reason;	/* why it can't be a lane's; LANES_NO_REASON */
  ptx_name reason_name;		/* instruction or function; 0: none */
  uint32_t line;
  /* The block that makes the frame: statements [frame_begin, frame_end], braces included.  */
  bool has_frame;
  uint32_t frame_begin, frame_end;
  uint32_t frame_reg, stack_reg, slot_reg, previous_reg;
  uint32_t frame_size, outgoing_size, frame_align;
  bool frame_loose;		/* no statement sees to the alignment: it is that of all frames */
  /* The block that asks whether lanes are alone, the same way.  */
  bool has_uniform;
  uint32_t uniform_begin, uniform_end;
  uint32_t lane_reg, master_reg, together_reg, flag_reg;
  bool has_uni_branch;		/* .uni: a promise that lanes break */
  struct lanes_call *calls;
  uint32_t num_calls;

  /* nvptx-lanes-atomic.c */
  bool scanned_atomics;
  struct lanes_atomic *atomics;	/* in the order of the code */
  uint32_t num_atomics;

  /* nvptx-lanes-joint.c */
  bool scanned_joints;
  struct lanes_joint *joints;
  uint32_t num_joints;

  /* nvptx-lanes-turns.c */
  bool scanned_turns;
  struct lanes_turns *turns;	/* in the order of the code, by their begins */
  uint32_t num_turns;

  /* nvptx-lanes-wait.c */
  bool waits_known;
  bool *waits;			/* by statement: the jump back of a loop that may wait for another thread;
				   NULL: there is none */

  /* nvptx-lanes-stride.c */
  struct lanes_stride *stride;	/* NULL: not looked at */

  /* nvptx-lanes-direct.c */
  enum { LANES_PURE_UNKNOWN, LANES_PURE_NO, LANES_PURE_YES } pure;	/* it computes with its arguments, and nothing else */
  bool can_be_direct;		/* a region: each lane of a kernel can call it without the library */
  /* nvptx-lanes-blocks.c: the same where the function's frame is in the block's memory; and it has barriers.  */
  bool can_be_block, meets;
  bool locks;			/* it, or what stands in it, takes locks of the library */
  bool is_inner;		/* it asks, or waits at a barrier, or calls what does */
  struct ptx_function *inner;	/* its clone, whose statements stand in place of calls of it; NULL: not made */
  bool is_direct;		/* what a kernel runs: the kernel for lanes has it in itself */
  struct direct *direct;	/* what is known for that, or of warps; NULL: there is no such kernel */

  /* nvptx-lanes-warps.c: the same of warps.  */
  bool can_be_warps;		/* a region */
  struct lanes_share *share;	/* of such; NULL: there is no such loop */
  bool sees_marks;		/* of such: it may load what it has stored as the warp's flag or stack */
  bool is_warps;		/* what a kernel runs */

  /* nvptx-lanes.c */
  uint32_t mark;		/* the last walk that came here */
  bool recursive;		/* a way of calls leads from it back to it */
  uint32_t depth;		/* bytes of frames from here on, along the deepest way, but for
				   those of recursive functions */
  bool wants_clone;		/* its code can't be run by lanes as it is */
  ptx_name clone_name;		/* it has a clone; 0: no */
  bool carrier;			/* begins a region that has lanes, or calls one that does */
  ptx_name carrier_name;
  bool shares_frame;		/* a carrier whose frame is in shared memory (nvptx-lanes-rewrite.c) */
  uint8_t *params;		/* nvptx-lanes-flow.c: of this walk */
  uint8_t result;
};

struct lanes_region
{
  struct lanes_function *root;	/* NULL: its name is not that of a function */
  bool plain;			/* calls nothing of the library that needs a record */
  struct nvptx_lanes_region *result;
};

/* A call that begins a parallel region.  */
struct lanes_parallel
{
  struct lanes_function *caller;
  uint32_t call;		/* index of caller->calls */
  uint32_t argument;		/* the statement that stores the first argument */
  ptx_name fn;			/* 0: can't be seen */
  size_t region;		/* index of its region; SIZE_MAX: none */
};

struct lanes_work
{
  struct ptx *ptx;
  const struct nvptx_object *given;
  struct ptx_module **modules;	/* by object */
  size_t num, num_ours;
  unsigned flags;		/* NVPTX_LANES_... */
  ptx_name stacks, uniform;	/* __nvptx_stacks, __nvptx_uni */
  struct lanes_function *hash[1024];
  struct ptx_function **definitions;	/* by name, of global functions */
  uint32_t *definition_objects;
  uint32_t num_definitions;	/* names that there were when it was made */
  uint32_t mark;

  struct lanes_region *regions;
  size_t num_regions, region_room;
  struct lanes_parallel *parallels;
  size_t num_parallels, parallel_room;

  struct lanes_function **closure;	/* what the region at hand calls, itself first */
  size_t num_closure, closure_room;

  struct ptx_text *texts;	/* by object; what was rewritten */
  bool no_memory;
};

/* nvptx-lanes-scan.c: read the body, if need be, and fill in what F's code says.  */
void lanes_scan (struct lanes_work *w, struct lanes_function *f);
/* The register that is the first argument of CALL, and where it is set, if there is just one place: the
   symbol's name.  0: can't be seen.  *ARGUMENT: the statement that stores it.  */
ptx_name lanes_first_argument (const struct lanes_function *f, const struct lanes_call *call,
			       uint32_t *argument);

/* May lane code have the instruction OPCODE?  Also those that need a look at their operands.  */
bool lanes_is_good_opcode (ptx_name opcode);
/* The same of a special register.  */
bool lanes_is_good_special (ptx_name name);
/* Has an instruction with OPCODE, which is no call, a result, its first operand?  */
bool lanes_has_result (ptx_name opcode);
/* Is it a name of the OpenMP library's?  */
bool lanes_is_library_name (const struct ptx *ptx, ptx_name name);
/* Is REG a result of S?  */
bool lanes_sets_reg (const struct ptx_stmt *s, uint32_t reg);

/* How often does S mention REG?  */
uint32_t lanes_mentions (const struct ptx_stmt *s, uint32_t reg);
/* ... all of F?  */
uint32_t lanes_all_mentions (const struct ptx_function *f, uint32_t reg);
/* Is there just one statement that sets REG?  */
bool lanes_is_set_once (const struct ptx_function *f, uint32_t reg);
/* The register that O is; PTX_NO_INDEX: it is none, or one of an inner block.  */
uint32_t lanes_reg_of (const struct ptx_function *f, const struct ptx_operand *o);
/* Is statement I outside of all inner blocks, where names mean what they mean outside?  */
bool lanes_is_outside (const struct ptx_function *f, uint32_t i);

/* Is O register REG, all of it?  */
static inline bool
lanes_is_reg (const struct ptx_operand *o, uint32_t reg)
{
  return o->kind == PTX_O_REG && o->id == reg && o->element == 0;
}

/* nvptx-lanes-flow.c: do addresses of local variables stay with their lane in w->closure?  If not say where
   and why.  */
enum nvptx_lanes_reason lanes_flow (struct lanes_work *w, struct lanes_function **where, ptx_name *name,
				    uint32_t *line);

/* nvptx-lanes-atomic.c: find the loops around a compare-and-swap in F, which was scanned.  */
void lanes_scan_atomics (struct lanes_work *w, struct lanes_function *f);
/* Does the body of A, a loop of F, do nothing but the instruction NAME, with the old value and one input?  */
bool lanes_atomic_is (const struct lanes_work *w, const struct ptx_function *f, const struct lanes_atomic *a,
		      const char *name);
/* Emit into clone F of LF what takes the place of loop NUMBER.  */
bool lanes_emit_atomic (struct ptx_function *f, const struct lanes_function *lf, uint32_t number,
			char why[PTX_WHY]);
/* Emit into clone F the registers for that, before the first one.  */
bool lanes_emit_atomic_registers (struct ptx_function *f, char why[PTX_WHY]);
/* Emit loop A of FROM for a lane alone, at LABEL with NUMBER; the instruction that does what the loop does.  */
bool lanes_emit_atomic_loop (struct ptx_function *f, const struct ptx_function *from, const struct lanes_atomic *a,
			     const char *label, uint32_t number, char why[PTX_WHY]);
bool lanes_emit_native (struct ptx_function *f, const struct lanes_atomic *a, char why[PTX_WHY]);

/* nvptx-lanes-joint.c: find updates of LF, a region's function that was scanned for atomics and a stride, that all lanes
   of a warp can make at once.  */
void lanes_find_joints (struct lanes_work *w, struct lanes_function *lf);
/* The one that begins at statement I; NULL: none does.  */
const struct lanes_joint *lanes_joint_at (const struct lanes_function *lf, uint32_t i);
/* Emit into clone F of LF what stands before the update as it is without this, for lanes that are not all there; what stands
   behind that.  */
bool lanes_emit_joint_begin (struct ptx_function *f, const struct lanes_function *lf, const struct lanes_joint *j,
			     char why[PTX_WHY]);
bool lanes_emit_joint_end (struct ptx_function *f, const struct lanes_function *lf, const struct lanes_joint *j,
			   char why[PTX_WHY]);

/* Is S an instruction OPCODE with NUM operands?  */
static inline bool
lanes_is_insn (const struct ptx_stmt *s, ptx_name opcode, unsigned num)
{
  return s->kind == PTX_STMT_INSN && s->u.insn.op->opcode == opcode && s->num_operands == num;
}

/* LD or ST (OPCODE) with nothing but a type, from or to the generic space: not volatile, ordered, or
   cached in its own way.  */
static inline bool
lanes_is_plain (const struct ptx_stmt *s, ptx_name opcode)
{
  const struct ptx_op *op = s->kind == PTX_STMT_INSN ? s->u.insn.op : NULL;
  return lanes_is_insn (s, opcode, 2) && op->space == 0 && op->num_types == 1
	 && op->num_words == (op->vector > 1 ? 2 : 1);
}

/* nvptx-lanes-rows.c: emit into CLONE what stands behind statement I of F if that computes what is left
   to do in a loop that goes on when it is nothing.  */
bool lanes_emit_rows (struct ptx_function *clone, const struct ptx_function *f, uint32_t i,
		      char why[PTX_WHY]);

/* nvptx-lanes-atomic.c: does OPCODE compute with registers, and nothing else?  */
bool lanes_is_arithmetic (ptx_name opcode);
/* nvptx-lanes-turns.c: find sections of LF, which was scanned, that lanes of a warp can execute in turn.  */
void lanes_scan_turns (struct lanes_work *w, struct lanes_function *lf);
/* Does a block that is nothing but a call of NAME, without arguments or a result, begin at statement BEGIN?  */
bool lanes_is_call_block (const struct lanes_work *w, const struct ptx_function *f, uint32_t begin, const char *name);
/* Emit into clone F of LF what such sections need; what takes the place of the block that begins number NUMBER, or that ends
   it, with a call of TARGET.  */
bool lanes_emit_turns_registers (struct ptx_function *f, char why[PTX_WHY]);
/* Declare in LF's module what its sections call besides.  */
bool lanes_declare_section_calls (struct lanes_work *w, const struct lanes_function *lf);
/* What is to stand before statement I of LF, maybe nothing; *NUMBER counts labels in F.  */
bool lanes_emit_turns_access (struct ptx_function *f, const struct lanes_function *lf, uint32_t i, uint32_t *number,
			      char why[PTX_WHY]);
bool lanes_emit_turns_begin (struct ptx_function *f, const struct lanes_function *lf, uint32_t number, ptx_name target,
			     char why[PTX_WHY]);
bool lanes_emit_turns_end (struct ptx_function *f, const struct lanes_function *lf, uint32_t number, ptx_name target,
			   char why[PTX_WHY]);

/* nvptx-lanes-team.c: declare in MODULE what locks of the team are.  */
bool lanes_declare_team_locks (struct lanes_work *w, struct ptx_module *module);

/* nvptx-lanes-wait.c: fill in LF->waits.  */
void lanes_find_waits (struct lanes_work *w, struct lanes_function *lf);

/* nvptx-lanes-stride.c: can the ways through F be seen?  Jumps are to labels, and nothing leaves but `ret' without a
   guard.  */
bool lanes_can_be_followed (const struct ptx_function *f);
/* Statements that follow statement I of such a function.  */
unsigned lanes_successors (const struct ptx_function *f, uint32_t i, uint32_t next[2]);

/* Has LF, a region whose functions are in w->closure, one loop with a static schedule that is shared
   out as GCC does it?  Fills in SHARE, and the register with a thread's first iteration, counted from
   the team's.  */
bool lanes_match_share (const struct lanes_work *w, struct lanes_function *lf,
			struct lanes_share *share, uint32_t *start);
/* Fill in LF->stride, of the region whose functions are in w->closure.  */
void lanes_find_stride (struct lanes_work *w, struct lanes_function *lf);
/* nvptx-lanes-ends.c: fill in D's end with the next thing in LF that may be one, which was scanned for atomics; *AT is 0 at first.
   False: there is no other, and D has none.  */
bool lanes_next_end (const struct lanes_work *w, const struct lanes_function *lf, struct lanes_stride *d, uint32_t *at);
/* Does a section of the lock of atomics, of nothing but such updates, begin at statement I?  Fills in D's end.  */
bool lanes_match_section (const struct lanes_work *w, const struct lanes_function *lf, uint32_t i, struct lanes_stride *d);
/* By what the loop A of F combines what is there with its input, in any grouping, and *NOTHING which number changes nothing; NULL:
   by nothing that is known.  */
const char *lanes_combine_of (const struct lanes_work *w, const struct ptx_function *f, const struct lanes_atomic *a,
			      uint64_t *nothing);
/* The atomic instruction that does what COMBINE does, in all memory; NULL: there is none.  */
const char *lanes_native (const char *combine);
/* Are the places that D's end updates the same for all threads of a team, and different ones?  *LOADS: pointers to them
   are loaded from what threads share.  */
bool lanes_end_is_common (const struct ptx_function *f, const struct lanes_stride *d, bool *loads);
/* Does the region F, of whose data block nobody has the address but its threads, leave that as it is?  */
bool lanes_block_is_constant (struct lanes_work *w, const struct ptx_function *f);

/* Can LF be run as many threads, one after the other?  */
static inline bool
lanes_has_stride (const struct lanes_function *lf)
{
  return lf->stride != NULL && lf->stride->why_not == NULL;
}
/* nvptx-lanes-stride-emit.c: a new register of clone F.  */
uint32_t lanes_declare_reg (struct ptx_function *f, ptx_name type, const char *prefix);
/* Emit into clone F of such a function what stands before all; what stands before statement I of LF, or
   (*DONE) in its place; what stands behind it.  */
bool lanes_emit_stride_begin (struct ptx_function *f, struct lanes_stride *stride, char why[PTX_WHY]);
bool lanes_emit_stride (struct ptx_function *f, const struct lanes_function *lf, uint32_t i, bool *done,
			char why[PTX_WHY]);
bool lanes_emit_stride_behind (struct ptx_function *f, const struct lanes_function *lf, uint32_t i,
			       char why[PTX_WHY]);

/* nvptx-lanes-combine.c: emit into clone F, in front of a thread's end, what makes it one for the lanes of a warp.  */
bool lanes_emit_combine (struct ptx_function *f, const struct lanes_stride *d, char why[PTX_WHY]);
/* Is loop NUMBER the end of threads of LF, which only one lane of a warp comes to?  */
static inline bool
lanes_is_alone_in (const struct lanes_function *lf, uint32_t number)
{
  const struct lanes_stride *d = lf->stride;
  return lanes_has_stride (lf) && d->end_first != PTX_NO_INDEX && lf->atomics[number].begin >= d->end_first
	 && lf->atomics[number].end <= d->end_last;
}

/* nvptx-lanes-effects.c: what a function does that all lanes of a block run, and only lane 0 is to do.  */
enum
{
  LANES_EFFECT_NONE,
  LANES_EFFECT_ALONE,		/* lane 0 executes it; also a load that only a loop uses */
  LANES_EFFECT_LOOP,		/* part of a loop around a compare-and-swap, which lane 0 executes */
  LANES_EFFECT_LEFT_OUT,	/* none does: it is about the warp, or done at a section's end */
  LANES_EFFECT_SECTION,		/* the end of a section of updates, which lane 0 makes there */
  LANES_EFFECT_WHAT = 7,
  LANES_EFFECT_MEET_BEFORE = 8,	/* and lanes meet in front of it, behind it */
  LANES_EFFECT_MEET_BEHIND = 16
};

struct lanes_effects
{
  uint8_t *what;		/* by statement */
  bool any;
  bool flushes;			/* NVPTX_LANES_FLUSHES */
  struct lanes_stride *sections;	/* their ends, that is */
  uint32_t num_sections;
};

struct lanes_places;
struct lanes_frame;
/* Fill in E for LF, whose atomics have been looked for.  False: something is not known, or there is no memory.  */
bool lanes_find_effects (struct lanes_work *w, const struct lanes_function *lf, const struct lanes_places *places,
			 struct lanes_effects *e);
/* Where a statement gets to memory.  */
enum lanes_where
{
  LANES_WHERE_UNKNOWN,
  LANES_WHERE_FRAME,		/* from place FROM to END of the function's frame, in the block's memory */
  LANES_WHERE_ELSEWHERE		/* in none of the block */
};

struct lanes_touch
{
  bool loads;			/* what effects may change */
  enum lanes_where where;
  int64_t from, end;
};

/* TOUCHES and MEET: by statement, and where lanes meet or another team begins.  False: they would
   have to meet where they can't.  */
bool lanes_order_effects (struct lanes_work *w, const struct lanes_function *lf,
			  struct lanes_effects *e, const struct lanes_touch *touches,
			  const bool *meet);
/* Append what stands for statement I of LF, whose frame is FRAME.  False: it is no effect.  */
bool lanes_put_effect (struct ptx_text *out, const struct lanes_function *lf, const struct lanes_effects *e,
		       const struct lanes_frame *frame, uint32_t i);

/* nvptx-lanes-updates.c: does a section of updates begin at statement BEGIN, of whose registers none is used elsewhere?  Fills in
   the end of SECTION.  */
bool lanes_find_section (const struct lanes_work *w, const struct lanes_function *lf, uint32_t begin, struct lanes_stride *section);
/* Does S load where SECTION updates something?  */
bool lanes_is_place_of (const struct lanes_stride *section, const struct ptx_stmt *s);
/* Append the instruction NATIVE ("atom...."), which combines register PART with what is where U is.  */
void lanes_put_native (struct ptx_text *out, const struct ptx_function *f, const char *native, const struct lanes_update *u,
		       uint32_t part);
/* Append the updates of SECTION, one by one.  */
void lanes_put_section (struct ptx_text *out, const struct ptx_function *f, const struct lanes_stride *section, bool flushes);
/* Append the addition of register PART to the float where U is: the instruction adds the part, and what that
   takes for 0, a loop.  If both numbers and the sum are normal there is nothing left.  In shared memory it takes nothing for 0.  */
void lanes_put_float (struct ptx_text *out, const struct ptx_function *f, const struct lanes_update *u, uint32_t part);

/* nvptx-lanes-direct.c: set LF->can_be_direct, of the region whose functions are in w->closure; lanes_find_stride has looked
   at it.  */
void lanes_find_direct (struct lanes_work *w, struct lanes_function *lf);
/* nvptx-lanes-blocks.c: set LF->can_be_block and meets, of the region whose functions are in w->closure.  */
void lanes_find_block (struct lanes_work *w, struct lanes_function *lf);
/* What a kernel without the library has in place of a region's call of NAME, which may be that of a clone.  */
enum lanes_answer
{
  LANES_ANSWER_NONE, LANES_ANSWER_THREAD, LANES_ANSWER_THREADS, LANES_ANSWER_TEAM, LANES_ANSWER_TEAMS,
  LANES_ANSWER_SINGLE
};
enum lanes_answer lanes_answer_of (const struct lanes_work *w, ptx_name name);
/* Is NAME a function of the library's that takes a lock or gives it back, and needs no more than that?  */
bool lanes_is_lock (const struct lanes_work *w, ptx_name name);
/* What makes locks ready in a kernel without the library; 0: there is no such function.  */
ptx_name lanes_locks_begin (struct lanes_work *w);
/* Is O, a number of threads in F, a multiple of 32 wherever it comes from?  */
bool lanes_is_whole_warps (const struct ptx_function *f, const struct ptx_operand *o);
/* Can all lanes of a kernel run LF, which is what it runs?  */
bool lanes_has_direct (struct lanes_work *w, struct lanes_function *lf);
/* Does statement S compute, and nothing else?  Does LF, with all that it calls?  */
bool lanes_only_computes (const struct lanes_work *w, const struct ptx_stmt *s);
bool lanes_is_pure (struct lanes_work *w, struct lanes_function *lf);
/* The same of warps.  */
bool lanes_has_warps (struct lanes_work *w, struct lanes_function *lf);
/* Append the kernel NAME, which is ENTRY but for that, to the text of object 0.  LF->is_warps says whether warps or lanes run it.
   If it takes its arguments from the launch it is NAME$args.  */
bool lanes_make_direct (struct lanes_work *w, const struct lanes_function *entry, const struct lanes_function *lf,
			ptx_name name, char why[PTX_WHY]);

/* Is CALL, which asks for a number, such that the answer can stand in its place?  */
bool lanes_is_answered (const struct lanes_function *lf, const struct lanes_call *call);

/* nvptx-lanes-warps.c: set LF->can_be_warps, of a region that is warp only.  */
void lanes_find_warps (struct lanes_work *w, struct lanes_function *lf);
/* If statement *I of F, and the next one, are a division of 64 bits and its rest, append what computes the same with few
   registers, and make *I the second one.  */
bool lanes_put_division (struct ptx_text *out, const struct ptx_function *f, uint32_t *i);
/* Does S of LF, such a region, store the warp's flag or stack, of which nobody sees anything?  */
bool lanes_is_unseen (const struct lanes_work *w, const struct lanes_function *lf,
		      const struct ptx_stmt *s);
/* Append what stands in front of statement I of LF, a region with a share, or behind it, so that warps
   have as many iterations as lanes, if there are not enough for all.  */
void lanes_put_share (struct ptx_text *out, const struct lanes_function *lf, uint32_t i, bool behind);
enum { LANES_CARRY_IN_ARGS = 4, LANES_CARRY_ARGS = 5 };
/* Append what gompx_carry_in or gompx_carry_out do with ARGS of F, an entry.  */
void lanes_put_carry_in (struct ptx_text *out, const struct ptx_function *f, const struct ptx_operand *args);
void lanes_put_carry_out (struct ptx_text *out, const struct ptx_function *f, const struct ptx_operand *args);
/* Set is_warps of what kernels run, and tell it of their regions.  True: of any.  */
bool lanes_mark_warps (struct lanes_work *w);

/* Bytes of shared memory for frames, at most: a kernel has 48 KB without being asked for more.  */
enum { LANES_SHARED_FRAME = 32 << 10 };
/* ... and for arrays of variable length, which have it in one piece with the frame.  */
enum { LANES_SHARED_GROWTH = 8 << 10 };
/* nvptx-lanes-rewrite.c: does LF hand arguments to printf, which reads them outside of the block?  */
bool lanes_prints (const struct lanes_work *w, const struct lanes_function *lf);
/* A clone of LF called NAME; DIRECT: for the text of a kernel without the library.  NULL: WHY says why, or
   there is no memory.  */
struct ptx_function *lanes_make_clone (struct lanes_work *w, struct lanes_function *lf, ptx_name name, bool direct,
				       char why[PTX_WHY]);
/* Declare NAME in MODULE as the function LIKE is, which may be of another one.  */
bool lanes_need_declaration (struct ptx_module *module, const struct ptx_function *like, ptx_name name);
/* Declare the ICVs' variable in the first object's text, where that has none.  */
bool lanes_declare_icvs (struct lanes_work *w, char why[PTX_WHY]);
/* What ITEM runs, if it is a kernel; NULL: it isn't, or that can't be seen.  */
struct lanes_function *lanes_kernel_region (struct lanes_work *w, const struct ptx_item *item);
/* nvptx-lanes-rewrite.c: clones of what the regions need, in their modules.  False: something failed;
   the modules are of no use then.  */
bool lanes_rewrite (struct lanes_work *w, struct nvptx_lanes *lanes);

/* nvptx-lanes-depth.c: does a way of calls lead from LF back to it?  Uses w->closure behind what is in
   it.  */
bool lanes_is_recursive (struct lanes_work *w, struct lanes_function *lf);
/* Fill in RESULT's local_bytes, call_bytes and share, of the region whose functions are in w->closure,
   and what is said of it in these; or say WHERE calls take too much, or more than is known.  */
enum nvptx_lanes_reason lanes_find_depth (struct lanes_work *w, struct nvptx_lanes_region *result,
					  struct lanes_function **where);

/* nvptx-lanes.c */
struct lanes_function *lanes_find (struct lanes_work *w, struct ptx_function *f, uint32_t object);
/* Append LF to w->closure, if its mark isn't that of the walk at hand.  */
bool lanes_add_to_closure (struct lanes_work *w, struct lanes_function *lf);
/* The function with a body that NAME is in OBJECT; NULL: none.  */
struct lanes_function *lanes_resolve (struct lanes_work *w, uint32_t object, ptx_name name);
/* The library's version for lanes of NAME, which lane code may call; 0: none.  *RECORD: it needs a thread's
   record.  */
ptx_name lanes_library_version (struct lanes_work *w, ptx_name name, bool *record);
/* The name TEXT, if the library defines that; 0: it doesn't.  */
ptx_name lanes_library_has (struct lanes_work *w, const char *text);
/* What begins a region in place of NAME; 0: NAME doesn't, or it can't be had.  */
ptx_name lanes_starter (struct lanes_work *w, ptx_name name);

/* The call that statement I of LF is, or NULL.  *NEXT is 0 at first, and counts calls while statements are
   asked for in their order.  */
static inline const struct lanes_call *
lanes_call_at (const struct lanes_function *lf, uint32_t i, uint32_t *next)
{
  while (*next < lf->num_calls && lf->calls[*next].stmt < i)
    ++*next;
  return *next < lf->num_calls && lf->calls[*next].stmt == i ? &lf->calls[*next] : NULL;
}

static inline bool
lanes_name_is (const struct ptx *ptx, ptx_name name, const char *text)
{
  size_t n = __builtin_strlen (text);
  return ptx->names[name].length == n && __builtin_memcmp (ptx->names[name].text, text, n) == 0;
}

/* Is NAME the routine TEXT of the API, also as Fortran calls it?  */
static inline bool
lanes_is_routine (const struct ptx *ptx, ptx_name name, const char *text)
{
  size_t n = __builtin_strlen (text), length = ptx->names[name].length;
  return (length == n || (length == n + 1 && ptx->names[name].text[n] == '_'))
	 && __builtin_memcmp (ptx->names[name].text, text, n) == 0;
}

static inline bool
lanes_name_begins (const struct ptx *ptx, ptx_name name, const char *text)
{
  size_t n = __builtin_strlen (text);
  return ptx->names[name].length >= n && __builtin_memcmp (ptx->names[name].text, text, n) == 0;
}

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_LANES_WORK_H */
