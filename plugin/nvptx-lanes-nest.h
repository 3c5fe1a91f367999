/* nvptx-lanes-nest.h -- inner loops that are shared out to lanes: between nvptx-lanes-nest.c, which
   finds one, and nvptx-lanes-nest-emit.c, which rewrites it.  */

#ifndef GOMPX_NVPTX_LANES_NEST_H
#define GOMPX_NVPTX_LANES_NEST_H 1

#include "nvptx-lanes-direct.h"

#pragma GCC visibility push(hidden)

enum
{
  LANES_FORM_TERMS = 8,
  LANES_NEST_COUNTERS = 12,
  LANES_NEST_LOOPS = 32,
  LANES_NEST_GROUPS = 8,
  LANES_NEST_WIDES = 24,
  LANES_NEST_EARLIER = 8,
  LANES_REG_ELEMENTS = 8, /* of a register that is a vector */
  LANES_EVAL_DEPTH = 24, /* of what a register is computed from */
  LANES_MOST_SETS = 3 /* statements that set a register to the same */
};

/* A sum of registers, each times a number, and a number; modulo 2 to the power of BITS.  From
   LANES_WIDE on a register is no register, but a sum of 32 bits that is extended to 64.  */
#define LANES_WIDE UINT32_C (0x80000000)
struct lanes_form_sum
{
  unsigned bits, num;
  struct
  {
    uint32_t reg;
    uint64_t by;
  } terms[LANES_FORM_TERMS];
  uint64_t more;
};

struct lanes_wide
{
  struct lanes_form_sum sum;
  bool is_signed;
  bool steps; /* where the loop writes depends on it, and it changes by STEP, of 32 bits */
  struct lanes_form_sum step;
};

/* A natural loop: all ways into it lead to HEAD.  Places are statements.  */
struct lanes_loop
{
  uint32_t head, back; /* BACK: from where control comes back; PTX_NO_INDEX: from several places */
  uint8_t *inside; /* by statement */
  unsigned depth; /* 1: in no other one */
  /* Its only way out: a jump with a guard.  */
  uint32_t test, out; /* the jump; where control gets to */
  bool stays; /* what the guard is if the loop goes on */
  uint32_t compare; /* what sets the guard */
};

/* A register that each iteration adds the same to.  */
struct lanes_counter
{
  uint32_t reg, set; /* the statement that does */
  struct lanes_form_sum step;
};

/* What a loop writes by one word of the kernel's arguments.  Iteration i has what is between
   base + i * step + low and ... + high, or (HAS_EXTENT) ... + extent + extent_high if that is more,
   and gets to nothing else of that.  */
struct lanes_window
{
  unsigned slot;
  int64_t low, high;
  struct lanes_form_sum base; /* the number in it is 0; with counters */
  struct lanes_form_sum step;
  bool has_extent;
  struct lanes_form_sum extent; /* the number in it is 0; without counters */
  int64_t extent_high;
};

struct lanes_nest
{
  struct lanes_work *w;
  struct ptx_function *f; /* the kernel */
  /* Its region: labels in front of and behind what lanes run once for each thread that they are;
     what a thread's number of iterations is made from.  */
  ptx_name begin_label, end_label, each;
  uint32_t begin, end, quotient;

  /* By statement.  */
  uint32_t *order; /* in which statements come first; PTX_NO_INDEX: not at all */
  uint32_t *list; /* the statements in it */
  uint32_t *above; /* the next one that all ways lead through */
  uint32_t *first, *before; /* which ones come before: BEFORE[FIRST[i]] to BEFORE[FIRST[i + 1]] */
  uint32_t *stack;
  uint8_t *seen;
  uint8_t *classes; /* by register and element */
  uint8_t *done; /* by register: it was looked at */

  struct lanes_loop loops[LANES_NEST_LOOPS];
  unsigned num_loops;
  const struct lanes_loop *outer, *inner;
  uint8_t *deep; /* by statement: in a loop of INNER */
  struct lanes_counter counters[LANES_NEST_COUNTERS];
  unsigned num_counters;
  struct lanes_window windows[LANES_NEST_GROUPS];
  unsigned num_windows;
  uint32_t earlier[LANES_NEST_EARLIER]; /* stores in front of INNER, in copies of its iterations:
					   one lane makes them */
  unsigned num_earlier;
  /* INNER goes on as long as LEFT is not RIGHT, or (LESS) is less, as numbers of TYPE.  EACH_STEP:
     what an iteration takes off RIGHT - LEFT.  */
  struct lanes_form_sum left, right;
  bool less;
  ptx_name type;
  int64_t each_step;

  struct lanes_wide wides[LANES_NEST_WIDES];
  unsigned num_wides;
  unsigned budget; /* how many registers may still be evaluated */
  uint64_t stored, loaded; /* words of the arguments, as sets: what is written by, read by */
  const char *why_not;
};

/* ---- nvptx-lanes-loops.c ---- */

static inline bool
lanes_has_opcode (const struct ptx_stmt *s, ptx_name opcode)
{
  return s->kind == PTX_STMT_INSN && s->u.insn.op->opcode == opcode;
}

/* Operand 0 of instruction S is its result.  */
static inline bool
lanes_stmt_has_result (const struct ptx_stmt *s)
{
  unsigned kind = s->num_operands > 0 ? s->u.insn.operands[0].kind : PTX_O_NONE;
  return (kind == PTX_O_REG || kind == PTX_O_VECTOR || kind == PTX_O_PAIR)
	 && !lanes_has_opcode (s, PTX_OP_ST) && !lanes_has_opcode (s, PTX_OP_RED);
}

/* The arrays by statement, but for SEEN and DEEP.  */
void lanes_find_ways (struct lanes_nest *n);
/* All ways to B lead through A.  */
bool lanes_dominates (const struct lanes_nest *n, uint32_t a, uint32_t b);
/* Is what REG is at statement START used there, or behind it?  */
bool lanes_is_live_at (struct lanes_nest *n, uint32_t start, uint32_t reg);
/* Can control get from behind statement FROM to TO in the same iteration of LOOP?  */
bool lanes_leads_to (struct lanes_nest *n, const struct lanes_loop *loop, uint32_t from,
		     uint32_t to);
/* All loops of the region.  False: it has others than natural ones, or too many.  */
bool lanes_find_loops (struct lanes_nest *n);
/* LOOP's way out, and what sets its guard.  LAST: nothing may be left of the iteration behind it.
 */
bool lanes_find_test (struct lanes_nest *n, struct lanes_loop *loop, bool last);
/* A += BY * B.  */
bool lanes_add_form (struct lanes_form_sum *a, const struct lanes_form_sum *b, uint64_t by);
/* A is B but for the number in it.  */
bool lanes_is_same_form (const struct lanes_form_sum *a, const struct lanes_form_sum *b);
/* Bits of a register that is a whole number; 0: it is none.  */
unsigned lanes_bits_of (const struct ptx_function *f, uint32_t reg);
/* The counter that REG is in INNER; NULL: it is none.  */
const struct lanes_counter *lanes_counter_of (const struct lanes_nest *n, uint32_t reg);
/* Does FORM change from iteration to iteration of INNER?  */
bool lanes_has_counters (const struct lanes_nest *n, const struct lanes_form_sum *form);
/* SUM, of 32 bits, extended to 64.  */
bool lanes_extend_form (struct lanes_nest *n, const struct lanes_form_sum *sum, bool is_signed,
			struct lanes_form_sum *form);
/* What O, of so many bits, is in front of statement AT of LOOP, in registers as they are where the
   iteration begins.  False: that is not known.  DEPTH: LANES_EVAL_DEPTH.  */
bool lanes_eval_operand (struct lanes_nest *n, const struct lanes_loop *loop,
			 const struct ptx_operand *o, uint32_t at, unsigned depth, unsigned bits,
			 struct lanes_form_sum *form);
/* What statement I sets its result to.  LOOP is NULL: in registers as they are there.  */
bool lanes_eval_stmt (struct lanes_nest *n, const struct lanes_loop *loop, uint32_t i,
		      unsigned depth, struct lanes_form_sum *form);
/* The statements that set what REG is in front of statement AT, or (BEHIND) behind it, from HEAD
   on; none: it is what it was there.  If AT is the head of OUTSIDE, which is not NULL, in front of
   that loop.  Answers how many, or LANES_MOST_SETS + 1 if there are more, or what it was there may
   be left.  */
unsigned lanes_find_sets (struct lanes_nest *n, uint32_t head, uint32_t reg, uint32_t at,
			  bool behind, const struct lanes_loop *outside,
			  uint32_t sets[LANES_MOST_SETS]);
/* What LOOP compares, and how: it goes on as long as *LEFT is not *RIGHT, or (*LESS) is less.  */
bool lanes_eval_test (struct lanes_nest *n, const struct lanes_loop *loop,
		      struct lanes_form_sum *left, struct lanes_form_sum *right, bool *less);
/* What FORM, of registers as they are where iterations of LOOP begin, changes by from one to the
   next, if that is a number.  */
bool lanes_change_in (struct lanes_nest *n, const struct lanes_loop *loop,
		      const struct lanes_form_sum *form, int64_t *change);
/* FORM, of registers as they are behind statement AT of LOOP, in those as they are where iterations
   of that begin.  */
bool lanes_eval_form (struct lanes_nest *n, const struct lanes_loop *loop,
		      const struct lanes_form_sum *form, uint32_t at,
		      struct lanes_form_sum *result);

/* ---- nvptx-lanes-windows.c ---- */

/* Registers' classes.  */
void lanes_find_classes (struct lanes_nest *n);
/* Look at all that the region does with memory, and what else it does.  NULL: INNER can be shared
   out; else the reason why not.  */
const char *lanes_check_accesses (struct lanes_nest *n);

/* ---- nvptx-lanes-nest.c, nvptx-lanes-nest-emit.c ---- */

/* Look for a loop in N->f, of which the first members of N say the region.  False: there is none,
   or no memory.  */
bool lanes_find_nest (struct lanes_nest *n);
/* The same function with the loop shared out: register WIDTH is the number of lanes in a group,
   PLACE the lane's number in it.  */
bool lanes_emit_nest (struct lanes_nest *n, uint32_t width, uint32_t place, char why[PTX_WHY]);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_LANES_NEST_H */
