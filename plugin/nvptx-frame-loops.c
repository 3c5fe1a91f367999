/* nvptx-frame-loops.c -- loops that go through a private array, written out.

   GCC unrolls many loops by a few iterations, or not at all, so an array that could be in registers
   is indexed by a variable.  Where it is known how often such a loop is executed, its iterations
   are written one behind the other; then each access has one place, and the array can be registers
   (nvptx-frame-registers.c):

     $L2: ld.f32 %a,[%p];			mov.b32 %a,%gompx_f9_0;
	  ...					...
	  add.u64 %p,%p,4;			add.u64 %p,%p,4;
	  setp.ne.u64 %q,%p,%end;	=>	setp.ne.u64 %q,%p,%end;
	  @%q bra $L2;				mov.b32 %a,%gompx_f9_1;
						...

   What registers hold is found by executing the function with what is known: numbers that come from
   constants, and places of the array.  Where ways meet with different values nothing is known; a
   branch on what is known has one way.

   Invariants
   1. Registers are set as before, in the same order.  Only the jump back is left out, where it is
      known whether it is made; and loads and stores that no way leads to.
   2. A register that may be a place is used for copies and sums, which may be places, for accesses
      at a known place, and where two known ones are subtracted or compared for equality.  With the
      array at 0 all that is what it was.
   3. A loop is entered at its begin only, has one jump back, from its end, and no loop in it.
      Nothing in it is about other threads: no call, barrier, exchange, atomic operation or fence.
   4. Its lines are its own.
   5. At most MOST_COPIED statements are written in a function.

   Called by nvptx-frame-registers.c.  No state.  */

#define _GNU_SOURCE 1
#include "nvptx-frame.h"

#include <stdlib.h>
#include <string.h>

enum
{
  MOST_ITERATIONS = 32,
  MOST_COPIED = 1024,		/* statements */
  MOST_LOOPS = 16,
  MOST_TRACKED = 1024,		/* registers of which something may be known */
  MOST_BLOCKS = 1024,
  MOST_ROUNDS = 64
};

/* What is known of a register.  */
struct value
{
  enum { UNSET, NUMBER, PLACE, ANYTHING } kind;
  int64_t n;			/* of 4 bytes: not negative */
};

/* Statements [first, end): control comes in at the first one and leaves behind the last.  */
struct block
{
  uint32_t first, end;
  uint32_t target;		/* of the branch at its end; PTX_NO_INDEX: it has none */
  bool falls;			/* control may go on behind it */
  bool reached;
  struct value *in;		/* [tracked]: where it is entered */
};

/* Blocks from HEAD to TAIL are a loop that is written out.  */
struct loop
{
  uint32_t head, tail;
};

struct frame_loops
{
  struct frame_arrays *a;
  const struct ptx_function *f;
  struct ptx *ptx;
  uint32_t *index;		/* [var]: among the tracked ones; or PTX_NO_INDEX */
  uint32_t num_tracked;
  struct block *blocks;
  uint32_t num_blocks;
  struct loop loops[MOST_LOOPS];
  uint32_t num_loops;
  struct value *state;		/* [tracked] */
  bool changed, stuck;		/* in this round */
  struct ptx_text *out;		/* NULL: nothing is printed */
  bool checks;			/* each statement is asked whether it can stay */
};

/* ---- values ---- */

static bool
is_integer (ptx_name type)
{
  unsigned size = ptx_type_size (type);
  return (size == 4 || size == 8)
	 && (ptx_is_signed (type) || ptx_is_unsigned (type) || ptx_is_bits (type));
}

/* N as a number of TYPE, its sign extended or not.  */
static int64_t
extend (int64_t n, ptx_name type)
{
  if (ptx_type_size (type) != 4)
    return n;
  return ptx_is_signed (type) ? (int64_t) (int32_t) n : (int64_t) (uint32_t) n;
}

static struct value
number (int64_t n, ptx_name type)
{
  return (struct value) { NUMBER, ptx_type_size (type) == 4 ? (int64_t) (uint32_t) n : n };
}

static struct value
meet (struct value a, struct value b)
{
  if (a.kind == UNSET || (a.kind == b.kind && a.n == b.n))
    return b;
  return b.kind == UNSET ? a : (struct value) { ANYTHING, 0 };
}

/* The only register that S sets, if its value may be known then; or PTX_NO_INDEX.  */
static uint32_t
sets_known (const struct ptx_function *f, const struct ptx_stmt *s)
{
  if (s->kind != PTX_STMT_INSN || s->num_operands < 2)
    return PTX_NO_INDEX;
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *o = s->u.insn.operands;
  bool good;
  switch (op->opcode)
    {
    case PTX_OP_MOV:
      good = s->num_operands == 2 && op->num_words == 1 && is_integer (op->types[0]);
      break;
    case PTX_OP_CVTA:
      good = s->num_operands == 2 && !ptx_op_has (op, PTX_TO) && op->space == PTX_LOCAL;
      break;
    case PTX_OP_CVT:
      good = s->num_operands == 2 && op->num_words == 2 && op->num_types == 2
	     && is_integer (op->types[0]) && is_integer (op->types[1]);
      break;
    case PTX_OP_ADD:
    case PTX_OP_SUB:
    case PTX_OP_SHL:
    case PTX_OP_SHR:
    case PTX_OP_AND:
      good = s->num_operands == 3 && op->num_words == 1 && is_integer (op->types[0]);
      break;
    case PTX_OP_SETP:
      good = s->num_operands == 3 && op->num_words == 2 && op->num_types == 1
	     && is_integer (op->types[0]);
      break;
    default:
      good = false;
    }
  return good && o[0].kind == PTX_O_REG && o[0].element == 0 && f->vars[o[0].id].vector == 1
	 ? o[0].id : PTX_NO_INDEX;
}

static struct value
value_of (const struct frame_loops *l, const struct ptx_operand *o)
{
  if (o->kind == PTX_O_INT)
    return (struct value) { NUMBER, (int64_t) o->u.value };
  if (o->kind == PTX_O_VAR && o->id == l->a->var)
    return (struct value) { PLACE, 0 };
  if (o->kind == PTX_O_REG && o->element == 0 && l->index[o->id] != PTX_NO_INDEX)
    return l->state[l->index[o->id]];
  return (struct value) { ANYTHING, 0 };
}

/* The base of address O.  */
static struct value
value_of_base (const struct frame_loops *l, const struct ptx_operand *o)
{
  struct ptx_operand base = { .kind = o->base, .id = o->id, .element = o->element };
  return value_of (l, &base);
}

static struct value
compare (ptx_name order, int64_t a, int64_t b, ptx_name type)
{
  bool less = ptx_is_signed (type) ? a < b : (uint64_t) a < (uint64_t) b;

  switch (order)
    {
    case PTX_EQ:
      return (struct value) { NUMBER, a == b };
    case PTX_NE:
      return (struct value) { NUMBER, a != b };
    case PTX_LT:
    case PTX_LO:
      return (struct value) { NUMBER, less };
    case PTX_LE:
    case PTX_LS:
      return (struct value) { NUMBER, less || a == b };
    case PTX_GT:
    case PTX_HI:
      return (struct value) { NUMBER, !less && a != b };
    case PTX_GE:
    case PTX_HS:
      return (struct value) { NUMBER, !less };
    default:
      return (struct value) { ANYTHING, 0 };
    }
}

/* What S, which sets_known allows, sets its register to.  */
static struct value
result_of (const struct frame_loops *l, const struct ptx_stmt *s)
{
  static const struct value anything = { ANYTHING, 0 };
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *o = s->u.insn.operands;
  ptx_name opcode = op->opcode, type = op->types[opcode == PTX_OP_CVT];
  struct value a = value_of (l, &o[1]), b = { NUMBER, 0 };

  if (s->num_operands == 3)
    b = value_of (l, &o[2]);
  if (a.kind == PLACE || b.kind == PLACE)
    {
      if (opcode == PTX_OP_CVTA || (opcode == PTX_OP_MOV && ptx_type_size (type) == 8))
	return a;
      if (opcode == PTX_OP_SETP && a.kind == b.kind)
	return op->words[0] == PTX_EQ || op->words[0] == PTX_NE
	       ? compare (op->words[0], a.n, b.n, PTX_S64) : anything;
      if (ptx_type_size (type) != 8)
	return anything;
      if (opcode == PTX_OP_ADD && a.kind != ANYTHING && b.kind != ANYTHING && a.kind != b.kind
	  && a.kind != UNSET && b.kind != UNSET)
	return (struct value) { PLACE, (int64_t) ((uint64_t) a.n + (uint64_t) b.n) };
      if (opcode == PTX_OP_SUB && a.kind == PLACE && (b.kind == NUMBER || b.kind == PLACE))
	return (struct value) { b.kind == PLACE ? NUMBER : PLACE,
				(int64_t) ((uint64_t) a.n - (uint64_t) b.n) };
      return anything;
    }
  if (a.kind != NUMBER || b.kind != NUMBER || opcode == PTX_OP_CVTA)
    return anything;
  a.n = extend (a.n, type);
  if (opcode != PTX_OP_SHL && opcode != PTX_OP_SHR)
    b.n = extend (b.n, type);
  switch (opcode)
    {
    case PTX_OP_MOV:
      return number (a.n, type);
    case PTX_OP_CVT:
      return number (a.n, op->types[0]);
    case PTX_OP_ADD:
      return number ((int64_t) ((uint64_t) a.n + (uint64_t) b.n), type);
    case PTX_OP_SUB:
      return number ((int64_t) ((uint64_t) a.n - (uint64_t) b.n), type);
    case PTX_OP_AND:
      return number (a.n & b.n, type);
    case PTX_OP_SHL:
    case PTX_OP_SHR:
      if (b.n < 0 || b.n >= 8 * (int64_t) ptx_type_size (type))
	return anything;
      return number (opcode == PTX_OP_SHL ? (int64_t) ((uint64_t) a.n << b.n)
		     : ptx_is_signed (type) ? a.n >> b.n
		     : (int64_t) ((uint64_t) a.n >> b.n), type);
    default:
      return compare (op->words[0], a.n, b.n, type);
    }
}

/* ---- the function ---- */

static void
untrack (struct frame_loops *l, const struct ptx_operand *o)
{
  if (o->kind == PTX_O_VECTOR || o->kind == PTX_O_PAIR || o->kind == PTX_O_ARGS)
    for (uint32_t i = 0; i < o->id; i++)
      untrack (l, &o->u.list[i]);
  else if (o->kind == PTX_O_REG)
    l->index[o->id] = PTX_NO_INDEX;
}

/* Registers are tracked that are set in ways that may be known, and in no other.  */
static bool
find_tracked (struct frame_loops *l)
{
  const struct ptx_function *f = l->f;
  uint32_t reg;

  for (uint32_t i = 0; i < f->num_vars; i++)
    l->index[i] = PTX_NO_INDEX;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    if ((reg = sets_known (f, &f->stmts[i])) != PTX_NO_INDEX)
      l->index[reg] = 0;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (s->kind == PTX_STMT_INSN && s->num_operands > 0 && s->u.insn.op->opcode != PTX_OP_ST
	  && sets_known (f, s) == PTX_NO_INDEX)
	untrack (l, &s->u.insn.operands[0]);
    }
  for (uint32_t i = 0; i < f->num_vars; i++)
    if (l->index[i] != PTX_NO_INDEX)
      l->index[i] = l->num_tracked++;
  return l->num_tracked > 0 && l->num_tracked <= MOST_TRACKED;
}

/* Note in KIND which registers may be places of the array.  */
static void
find_places (struct frame_loops *l)
{
  const struct ptx_function *f = l->f;
  struct frame_arrays *a = l->a;
  bool more;

  memset (a->kind, 0, f->num_vars);
  do
    {
      more = false;
      for (uint32_t i = 0; i < f->num_stmts; i++)
	{
	  const struct ptx_stmt *s = &f->stmts[i];
	  uint32_t reg = sets_known (f, s);
	  if (reg == PTX_NO_INDEX || a->kind[reg] != 0 || s->u.insn.op->opcode == PTX_OP_SETP)
	    continue;
	  bool first = frame_mentions (a, &s->u.insn.operands[1]);
	  bool second = s->num_operands == 3 && frame_mentions (a, &s->u.insn.operands[2]);
	  if ((first || second) && !(first && second && s->u.insn.op->opcode == PTX_OP_SUB))
	    a->kind[reg] = more = true;
	}
    }
  while (more);
}

static bool
ends_block (const struct ptx_stmt *s)
{
  ptx_name opcode = s->kind == PTX_STMT_INSN ? s->u.insn.op->opcode : 0;
  return opcode == PTX_OP_BRA || opcode == PTX_OP_RET || opcode == PTX_OP_EXIT
	 || opcode == PTX_OP_TRAP;
}

/* False: there are branches that can't be followed, or too many blocks.  */
static bool
find_blocks (struct frame_loops *l)
{
  const struct ptx_function *f = l->f;
  uint32_t *at = ptx_alloc (l->ptx, f->num_stmts * sizeof (*at) + 1), num = 0;

  if (at == NULL)
    return false;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if ((s->kind == PTX_STMT_INSN && s->u.insn.op->opcode == PTX_OP_BRX)
	  || s->kind == PTX_STMT_TARGETS)
	return false;
      num += i == 0 || s->kind == PTX_STMT_LABEL || ends_block (&s[-1]);
      at[i] = num - 1;
    }
  if (num == 0 || num > MOST_BLOCKS)
    return false;
  l->blocks = ptx_alloc (l->ptx, num * sizeof (*l->blocks));
  if (l->blocks == NULL)
    return false;
  l->num_blocks = num;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      struct block *b = &l->blocks[at[i]];
      if (i == 0 || at[i] != at[i - 1])
	*b = (struct block) { .first = i, .target = PTX_NO_INDEX, .falls = true };
      b->end = i + 1;
      const struct ptx_stmt *s = &f->stmts[i];
      if (!ends_block (s))
	continue;
      b->falls = s->guard != PTX_NO_INDEX;
      if (s->u.insn.op->opcode != PTX_OP_BRA)
	continue;
      if (s->num_operands != 1 || s->u.insn.operands[0].kind != PTX_O_LABEL)
	return false;
      uint32_t to = f->labels[s->u.insn.operands[0].id].stmt;
      if (to >= f->num_stmts || f->stmts[to].kind != PTX_STMT_LABEL)
	return false;
      b->target = at[to];
    }
  return true;
}

/* May S stand in a loop that is written out?  */
static bool
can_repeat (const struct frame_loops *l, const struct ptx_stmt *s)
{
  if (s->kind == PTX_STMT_LABEL)
    return true;
  if (s->kind == PTX_STMT_DECLARE)
    {
      for (uint32_t i = 0; i < s->u.declare.num; i++)
	if (l->f->vars[s->u.declare.first + i].space != PTX_REG)
	  return false;
      return true;
    }
  if (s->kind != PTX_STMT_INSN)
    return false;
  const struct ptx_op *op = s->u.insn.op;
  switch (op->opcode)
    {
    case PTX_OP_LD:
    case PTX_OP_ST:
      return op->space != PTX_PARAM && !ptx_op_has (op, PTX_VOLATILE);
    case PTX_OP_ABS: case PTX_OP_ADD: case PTX_OP_AND: case PTX_OP_BFE: case PTX_OP_BFI:
    case PTX_OP_BFIND: case PTX_OP_BRA: case PTX_OP_BREV: case PTX_OP_CLZ: case PTX_OP_CNOT:
    case PTX_OP_COPYSIGN: case PTX_OP_COS: case PTX_OP_CVT: case PTX_OP_CVTA: case PTX_OP_DIV:
    case PTX_OP_EX2: case PTX_OP_FMA: case PTX_OP_LG2: case PTX_OP_LOP3: case PTX_OP_MAD:
    case PTX_OP_MAX: case PTX_OP_MIN: case PTX_OP_MOV: case PTX_OP_MUL: case PTX_OP_NEG:
    case PTX_OP_NOT: case PTX_OP_OR: case PTX_OP_POPC: case PTX_OP_PRMT: case PTX_OP_RCP:
    case PTX_OP_REM: case PTX_OP_RSQRT: case PTX_OP_SELP: case PTX_OP_SET: case PTX_OP_SETP:
    case PTX_OP_SHF: case PTX_OP_SHL: case PTX_OP_SHR: case PTX_OP_SIN: case PTX_OP_SLCT:
    case PTX_OP_SQRT: case PTX_OP_SUB: case PTX_OP_TESTP: case PTX_OP_XOR:
      return true;
    default:
      return false;
    }
}

/* Does the loop have an access by a register that it moves on?  */
static bool
goes_through (const struct frame_loops *l, const struct loop *loop)
{
  uint32_t first = l->blocks[loop->head].first, end = l->blocks[loop->tail].end;

  for (uint32_t i = first; i < end; i++)
    {
      const struct ptx_stmt *s = &l->f->stmts[i];
      const struct ptx_operand *address = s->kind == PTX_STMT_INSN ? frame_address (s) : NULL;
      if (address == NULL || !frame_mentions (l->a, address) || address->base != PTX_O_REG)
	continue;
      for (uint32_t k = first; k < end; k++)
	if (sets_known (l->f, &l->f->stmts[k]) == address->id)
	  return true;
    }
  return false;
}

/* Is it one that can be written out?  */
static bool
is_loop (const struct frame_loops *l, const struct loop *loop)
{
  const struct block *b = l->blocks;

  if (b[loop->head].first >= b[loop->tail].end || !b[loop->tail].falls
      || l->f->stmts[b[loop->head].first].kind != PTX_STMT_LABEL)
    return false;
  for (uint32_t i = 0; i < l->num_blocks; i++)
    {
      bool inside = i >= loop->head && i <= loop->tail;
      uint32_t to = b[i].target;
      if (to == PTX_NO_INDEX || i == loop->tail)
	continue;
      if (inside ? to >= loop->head && to <= i : to > loop->head && to <= loop->tail)
	return false;
    }
  for (uint32_t i = b[loop->head].first; i < b[loop->tail].end; i++)
    if (!can_repeat (l, &l->f->stmts[i]))
      return false;
  return goes_through (l, loop);
}

static void
find_loops (struct frame_loops *l)
{
  for (uint32_t i = 0; i < l->num_blocks && l->num_loops < MOST_LOOPS; i++)
    {
      struct loop loop = { l->blocks[i].target, i };
      if (loop.head != PTX_NO_INDEX && loop.head <= i && is_loop (l, &loop))
	l->loops[l->num_loops++] = loop;
    }
}

static const struct loop *
loop_at (const struct frame_loops *l, uint32_t block)
{
  for (uint32_t i = 0; i < l->num_loops; i++)
    if (l->loops[i].head == block)
      return &l->loops[i];
  return NULL;
}

/* ---- executing it ---- */

/* Control may come to block B with what is known now.  */
static void
go_to (struct frame_loops *l, struct block *b)
{
  for (uint32_t i = 0; i < l->num_tracked; i++)
    {
      struct value v = b->reached ? meet (b->in[i], l->state[i]) : l->state[i];
      l->changed |= !b->reached || v.kind != b->in[i].kind || v.n != b->in[i].n;
      b->in[i] = v;
    }
  b->reached = true;
}

/* The same for a copy of a block, which is new in each round.  */
static void
go_to_copy (struct frame_loops *l, struct block *b)
{
  bool changed = l->changed;

  go_to (l, b);
  l->changed = changed;
}

/* Is the guard of S known?  NUMBER 1: it is executed.  */
static struct value
guard_of (const struct frame_loops *l, const struct ptx_stmt *s)
{
  struct ptx_operand guard = { .kind = PTX_O_REG, .id = s->guard };

  if (s->guard == PTX_NO_INDEX)
    return (struct value) { NUMBER, 1 };
  struct value v = value_of (l, &guard);
  v.n = v.kind == NUMBER ? v.n != s->guard_negated : 0;
  return v;
}

/* Can S stay, or be replaced, with the array at 0?  If it is an access, AT is its place.  */
static bool
is_good (const struct frame_loops *l, const struct ptx_stmt *s, bool reached, int64_t *at)
{
  const struct frame_arrays *a = l->a;
  bool found = false;

  *at = -1;
  if (s->kind != PTX_STMT_INSN)
    return true;
  const struct ptx_operand *o = s->u.insn.operands;
  for (unsigned k = 0; k < s->num_operands; k++)
    found |= frame_mentions (a, &o[k]);
  if (!found)
    return true;
  const struct ptx_operand *address = frame_address (s);
  if (address != NULL)
    {
      struct value base = value_of_base (l, address);
      *at = reached ? base.n + (int64_t) address->u.value : 0;
      return frame_mentions (a, address) && (!reached || base.kind == PLACE)
	     && frame_can_access (a, s, *at);
    }
  uint32_t reg = sets_known (l->f, s);
  if (reg == PTX_NO_INDEX || l->index[reg] == PTX_NO_INDEX)
    return false;
  ptx_name opcode = s->u.insn.op->opcode;
  bool both = s->num_operands == 3 && frame_mentions (a, &o[1]) && frame_mentions (a, &o[2]);
  if (opcode == PTX_OP_SETP || (opcode == PTX_OP_SUB && both))
    return both && (opcode == PTX_OP_SUB || s->u.insn.op->words[0] == PTX_EQ
		    || s->u.insn.op->words[0] == PTX_NE)
	   && (!reached || (value_of (l, &o[1]).kind == PLACE && value_of (l, &o[2]).kind == PLACE));
  if (opcode == PTX_OP_MOV || opcode == PTX_OP_CVTA)
    return ptx_type_size (l->f->vars[reg].type) == 8;
  return (opcode == PTX_OP_ADD || opcode == PTX_OP_SUB)
	 && ptx_type_size (s->u.insn.op->types[0]) == 8 && o[1].kind != PTX_O_VAR
	 && o[2].kind != PTX_O_VAR;
}

/* Is statement I something that is replaced: an access of the array, or what takes its address?  */
static bool
is_replaced (const struct frame_loops *l, uint32_t i)
{
  const struct ptx_stmt *s = &l->f->stmts[i];

  if (s->kind != PTX_STMT_INSN)
    return false;
  const struct ptx_operand *address = frame_address (s);
  return address != NULL ? frame_mentions (l->a, address)
	 : s->num_operands == 2 && s->u.insn.operands[1].kind == PTX_O_VAR
	   && s->u.insn.operands[1].id == l->a->var;
}

/* Execute statement I; the next one is known to be reached if it was.  */
static void
step (struct frame_loops *l, uint32_t i, bool reached)
{
  const struct ptx_stmt *s = &l->f->stmts[i];
  uint32_t reg = sets_known (l->f, s);

  if (!reached || reg == PTX_NO_INDEX || l->index[reg] == PTX_NO_INDEX)
    return;
  struct value *v = &l->state[l->index[reg]], guard = guard_of (l, s);
  if (guard.kind == NUMBER && guard.n == 0)
    return;
  *v = guard.kind == NUMBER ? result_of (l, s) : meet (*v, result_of (l, s));
}

/* ---- a loop ---- */

/* Print statement I in copy COPY of the loop; of one that no way leads to not the accesses.  */
static void
put_copy (struct frame_loops *l, const struct loop *loop, uint32_t i, unsigned copy, bool reached,
	  int64_t at)
{
  const struct ptx_stmt *s = &l->f->stmts[i];
  uint32_t head = l->blocks[loop->head].first;

  if (copy > 0 && (i == head || s->kind == PTX_STMT_DECLARE))
    return;
  if (i > head && s->kind == PTX_STMT_LABEL)
    ptx_printf (l->out, "$gompxl%u_%u_%u:\n", l->a->var, s->u.label, copy);
  else if (s->kind == PTX_STMT_INSN && s->u.insn.op->opcode == PTX_OP_BRA)
    {
      uint32_t to = l->f->labels[s->u.insn.operands[0].id].stmt;
      if (i + 1 == l->blocks[loop->tail].end)
	return;
      if (to <= head || to >= l->blocks[loop->tail].end)
	{
	  ptx_print_stmt (l->out, l->f, s);
	  return;
	}
      frame_put_guard (l->out, l->f, s);
      ptx_printf (l->out, "bra $gompxl%u_%u_%u;\n", l->a->var, s->u.insn.operands[0].id, copy);
    }
  else if (l->a->owner[i] == 0)
    ptx_print_stmt (l->out, l->f, s);
  else if (reached || l->a->owner[i] != l->a->var + 1)
    {
      if (l->a->owner[i] == l->a->var + 1)
	l->a->at[i] = at;
      frame_put_moves (l->out, l->a, i);
    }
}

/* Execute the loop, which control comes to with what is known now; print it, if something is
   printed.  *COPIES: how many iterations there are.  False: not known, or too many.  */
static bool
execute_loop (struct frame_loops *l, const struct loop *loop, unsigned *copies)
{
  uint32_t num = loop->tail - loop->head + 1;
  struct block *inner = malloc (num * sizeof (*inner));
  struct value *values = malloc (((size_t) num + 1) * l->num_tracked * sizeof (*values));
  bool more = true, good = inner != NULL && values != NULL;

  l->ptx->no_memory |= !good;
  for (*copies = 0; good && more; ++*copies)
    {
      more = false;
      if (*copies == MOST_ITERATIONS)
	good = false;
      for (uint32_t i = 0; i < num && good; i++)
	{
	  inner[i] = l->blocks[loop->head + i];
	  inner[i].in = values + (size_t) i * l->num_tracked;
	  inner[i].reached = false;
	}
      if (good)
	go_to_copy (l, &inner[0]);
      for (uint32_t i = 0; i < num && good; i++)
	{
	  struct block *b = &inner[i];
	  if (b->reached)
	    memcpy (l->state, b->in, l->num_tracked * sizeof (*l->state));
	  struct value taken = { NUMBER, 0 };
	  for (uint32_t k = b->first; k < b->end && good; k++)
	    {
	      const struct ptx_stmt *s = &l->f->stmts[k];
	      int64_t at = -1;
	      if (l->checks || l->out != NULL)
		good = is_good (l, s, b->reached, &at);
	      if (l->out != NULL)
		put_copy (l, loop, k, *copies, b->reached, at);
	      if (k + 1 == b->end && ends_block (s))
		taken = guard_of (l, s);
	      step (l, k, b->reached);
	    }
	  if (!b->reached || !good)
	    continue;
	  if (i + 1 == num && taken.kind != NUMBER)
	    good = false;
	  bool jumps = b->target != PTX_NO_INDEX && !(taken.kind == NUMBER && taken.n == 0);
	  bool falls = b->falls && !(taken.kind == NUMBER && taken.n != 0);
	  bool inside = b->target > loop->head && b->target <= loop->tail;
	  if (i + 1 == num)
	    more = jumps;
	  else if (jumps && inside)
	    go_to_copy (l, &inner[b->target - loop->head]);
	  else if (jumps)
	    go_to (l, &l->blocks[b->target]);
	  if (falls && i + 1 < num)
	    go_to_copy (l, &inner[i + 1]);
	  else if (falls && loop->tail + 1 < l->num_blocks)
	    go_to (l, &l->blocks[loop->tail + 1]);
	}
    }
  free (inner);
  free (values);
  return good;
}

/* Execute all, as far as something is known; again, until that does not change.  False: it can't be
   done.  */
static bool
execute (struct frame_loops *l)
{
  l->blocks[0].reached = true;
  for (unsigned round = 0;; round++)
    {
      uint32_t copied = 0;
      l->changed = l->stuck = false;
      if (round == MOST_ROUNDS)
	return false;
      for (uint32_t i = 0; i < l->num_blocks; i++)
	{
	  struct block *b = &l->blocks[i];
	  const struct loop *loop = loop_at (l, i);
	  unsigned copies = 0;
	  int64_t at;
	  if (!b->reached && !l->checks)
	    {
	      i = loop != NULL ? loop->tail : i;
	      continue;
	    }
	  memcpy (l->state, b->in, l->num_tracked * sizeof (*l->state));
	  if (loop != NULL)
	    {
	      /* One that is never reached has nothing to be written out.  */
	      if (!b->reached || !execute_loop (l, loop, &copies))
		l->stuck = true;
	      copied += copies * (l->blocks[loop->tail].end - b->first);
	      i = loop->tail;
	      continue;
	    }
	  struct value taken = { NUMBER, 1 };
	  for (uint32_t k = b->first; k < b->end; k++)
	    {
	      if (l->checks && !is_good (l, &l->f->stmts[k], b->reached, &at))
		return false;
	      if (k + 1 == b->end && ends_block (&l->f->stmts[k]))
		taken = guard_of (l, &l->f->stmts[k]);
	      step (l, k, b->reached);
	    }
	  if (!b->reached)
	    continue;
	  if (b->target != PTX_NO_INDEX && !(taken.kind == NUMBER && taken.n == 0))
	    go_to (l, &l->blocks[b->target]);
	  if (b->falls && i + 1 < l->num_blocks
	      && !(b->target != PTX_NO_INDEX && taken.kind == NUMBER && taken.n != 0))
	    go_to (l, &l->blocks[i + 1]);
	}
      if (l->checks)
	return !l->stuck && !l->changed && copied <= MOST_COPIED;
      l->checks = !l->changed;
    }
}

/* ---- lines ---- */

/* Does the loop have lines of its own?  */
static bool
has_own_lines (const struct frame_loops *l, const struct loop *loop, const char *text,
	       struct frame_lines lines)
{
  const struct ptx_function *f = l->f;
  const struct ptx_stmt *first = &f->stmts[l->blocks[loop->head].first];
  const struct ptx_stmt *last = &f->stmts[l->blocks[loop->tail].end - 1];
  const struct ptx_name_entry *name = &f->module->ptx->names[f->labels[first->u.label].name];
  const char *at = frame_go_to_line (&lines, first->line), *before = at;

  while (before > text && strchr (" \t\r\n", before[-1]) != NULL)
    before--;
  at += strspn (at, " \t");
  return before > text && strchr (";{}:", before[-1]) != NULL
	 && strncmp (at, name->text, name->length) == 0 && at[name->length] == ':'
	 && at[name->length + 1] == '\n' && first->line < last->line
	 && frame_is_alone (text, frame_go_to_line (&lines, last->line));
}

static bool
is_in_loop (const struct frame_loops *l, uint32_t i)
{
  for (uint32_t k = 0; k < l->num_loops; k++)
    if (i >= l->blocks[l->loops[k].head].first && i < l->blocks[l->loops[k].tail].end)
      return true;
  return false;
}

/* Set the owner of all that is replaced, if it can be.  */
static bool
take (struct frame_loops *l, const char *text, struct frame_lines lines)
{
  struct frame_arrays *a = l->a;
  uint32_t declaration = frame_declaration (a), num = l->f->num_stmts;
  bool good = declaration != PTX_NO_INDEX && a->owner[declaration] == 0
	      && !is_in_loop (l, declaration);

  if (!good)
    return false;
  for (uint32_t i = 0; i < l->num_loops; i++)
    if (!has_own_lines (l, &l->loops[i], text, lines))
      return false;
  a->owner[declaration] = a->var + 1;
  for (uint32_t i = 0; i < num; i++)
    if (is_replaced (l, i) && !is_in_loop (l, i))
      a->owner[i] = a->var + 1;
  good = frame_has_lines (a, text, lines);
  for (uint32_t i = 0; i < num; i++)
    if (good && is_replaced (l, i))
      a->owner[i] = a->var + 1;
    else if (!good && a->owner[i] == a->var + 1)
      a->owner[i] = 0;
  return good;
}

struct frame_loops *
frame_find_loops (struct frame_arrays *a, struct ptx *ptx, const char *text,
		  struct frame_lines lines)
{
  struct frame_loops *l = ptx_alloc (ptx, sizeof (*l));

  if (l == NULL)
    return NULL;
  *l = (struct frame_loops) { .a = a, .f = a->f, .ptx = ptx };
  l->index = ptx_alloc (ptx, a->f->num_vars * sizeof (*l->index) + 1);
  if (l->index == NULL || !find_tracked (l) || !find_blocks (l))
    return NULL;
  find_places (l);
  find_loops (l);
  if (l->num_loops == 0)
    return NULL;
  l->state = ptx_alloc (ptx, l->num_tracked * sizeof (*l->state));
  struct value *in = ptx_alloc (ptx, (size_t) l->num_blocks * l->num_tracked * sizeof (*in));
  if (l->state == NULL || in == NULL)
    return NULL;
  for (uint32_t i = 0; i < l->num_blocks; i++)
    l->blocks[i].in = in + (size_t) i * l->num_tracked;
  return execute (l) && take (l, text, lines) ? l : NULL;
}

void
frame_put_loops (struct ptx_text *out, struct frame_loops *l, const char *text, const char **done,
		 struct frame_lines *lines)
{
  l->checks = false;
  for (uint32_t i = 0; i < l->num_blocks; i++)
    {
      const struct block *b = &l->blocks[i];
      const struct loop *loop = loop_at (l, i);
      unsigned copies;
      int64_t at;
      memcpy (l->state, b->in, l->num_tracked * sizeof (*l->state));
      if (loop != NULL)
	{
	  ptx_print_up_to (out, done, frame_go_to_line (lines, l->f->stmts[b->first].line), 0);
	  l->out = out;
	  out->no_memory |= !execute_loop (l, loop, &copies);
	  l->out = NULL;
	  i = loop->tail;
	  *done = frame_go_to_line (lines, l->f->stmts[l->blocks[i].end - 1].line + 1);
	  continue;
	}
      for (uint32_t k = b->first; k < b->end; k++)
	{
	  bool own = l->a->owner[k] == l->a->var + 1;
	  if (own && is_good (l, &l->f->stmts[k], b->reached, &at) && at >= 0)
	    l->a->at[k] = at;
	  if (l->a->owner[k] != 0)
	    frame_put_replaced (out, l->a, k, text, done, lines);
	  step (l, k, b->reached);
	}
    }
}
