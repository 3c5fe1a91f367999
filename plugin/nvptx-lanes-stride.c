/* nvptx-lanes-stride.c -- loops with a static schedule of which lanes take one iteration after the other.

   GCC compiles such a loop inline: with n iterations and T threads, thread i computes q = n / T and r = n % T, adds 1 to q and
   makes r 0 if i < r, and has the iterations from q * i + r to that + q.  Neighbouring lanes are q iterations apart
   then, and what they load is not coalesced.

   Here a lane runs the region again and again instead, as thread i, i + T, i + 2 T, ... of a team that has more threads:
   so many that each has a piece of few iterations, or where there are few iterations more than those.  With
   such a team q is 0 and r is n: threads below n have one iteration each, the others have none
   and do nothing.  A piece saves what stands before the loop, and is within a line of memory or two.  What the loop's code is like doesn't matter: pointers that are incremented, loops that were unrolled,
   collapsed or peeled stay as they are.  That such a team is right is GCC's matter, for which it is a number of
   threads like any other; that nobody sees it is shown here (doc/lanes.md, "A stride for static loops").

   Owns: struct lanes_stride of functions that are regions.

   Invariants
   1. The region runs as it did where n isn't in 0 to INT_MAX: thread numbers have 32 bits.
   2. Who the threads are is used for nothing but the four values above; so a region has one such loop, and no function
      that it calls asks.
   3. A thread that has no iteration has no effect but that of 5, and threads don't wait for each other.
   4. All other effects are in one loop, or in copies of its body in front of it.
   5. Each thread may update places in memory at its end (nvptx-lanes-ends.c), each once, by an instruction that can be grouped in any
      way, with what is made in the loop and is nothing without an iteration: a reduction.  The lane combines
      what its threads have, and the last one of them makes the updates.

   nvptx-lanes-stride-emit.c writes the clones.  Called by nvptx-lanes.c for regions.  */

#include "nvptx-lanes-work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 3 };		/* binary logarithm: iterations of a thread */

/* ---- statements and registers ---- */

uint32_t
lanes_reg_of (const struct ptx_function *f, const struct ptx_operand *o)
{
  return o->kind == PTX_O_REG && o->element == 0 && (f->vars[o->id].flags & PTX_VAR_INNER) == 0 ? o->id
	 : PTX_NO_INDEX;
}

static uint32_t
count_in (const struct ptx_operand *o, uint32_t reg)
{
  uint32_t n = 0;
  switch (o->kind)
    {
    case PTX_O_VECTOR:
    case PTX_O_PAIR:
    case PTX_O_ARGS:
    case PTX_O_BRACKETS:
      for (uint32_t i = 0; i < o->id; i++)
	n += count_in (&o->u.list[i], reg);
      return n;
    case PTX_O_ADDRESS:
      return o->base == PTX_O_REG && o->id == reg;
    default:
      return o->kind == PTX_O_REG && o->id == reg;
    }
}

uint32_t
lanes_mentions (const struct ptx_stmt *s, uint32_t reg)
{
  uint32_t n = 0;
  if (s->kind == PTX_STMT_INSN)
    {
      n = s->guard == reg;
      for (unsigned k = 0; k < s->num_operands; k++)
	n += count_in (&s->u.insn.operands[k], reg);
    }
  return n;
}

uint32_t
lanes_all_mentions (const struct ptx_function *f, uint32_t reg)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    n += lanes_mentions (&f->stmts[i], reg);
  return n;
}

bool
lanes_is_set_once (const struct ptx_function *f, uint32_t reg)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    n += lanes_sets_reg (&f->stmts[i], reg);
  return n == 1;
}

/* If REG is only converted into another register, and that is set nowhere else, that one; else REG.  */
static uint32_t
converted (const struct ptx_function *f, uint32_t reg)
{
  if (lanes_all_mentions (f, reg) != 2)
    return reg;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (!lanes_is_insn (s, PTX_OP_CVT, 2) || s->guard != PTX_NO_INDEX || !lanes_is_reg (&s->u.insn.operands[1], reg))
	continue;
      const struct ptx_op *op = s->u.insn.op;
      uint32_t wide = lanes_reg_of (f, &s->u.insn.operands[0]);
      if (wide != PTX_NO_INDEX && lanes_is_set_once (f, wide) && op->num_types == 2
	  && (op->types[0] == PTX_U64 || op->types[0] == PTX_S64)
	  && (op->types[1] == PTX_U32 || op->types[1] == PTX_S32))
	return wide;
    }
  return reg;
}

bool
lanes_is_outside (const struct ptx_function *f, uint32_t i)
{
  uint32_t depth = 0;
  while (i-- > 0)
    depth += (f->stmts[i].kind == PTX_STMT_BEGIN) - (f->stmts[i].kind == PTX_STMT_END);
  return depth == 0;
}

/* ---- the computation of a thread's iterations ---- */

/* What is found on the way, besides what struct lanes_stride keeps.  */
struct match
{
  uint32_t wide_team, wide_id;	/* number of threads and thread number, as wide as the loop's */
  uint32_t start, end;		/* registers, which may be set elsewhere, too: in the loop */
  uint32_t start_stmt, end_stmt;
  uint32_t less, empty;		/* predicates: the thread has one more; it has none */
  bool empty_value;		/* what EMPTY is if it has none */
};

static const char no_asks[] = "it doesn't ask once who and how many its threads are";
static const char no_form[] = "no loop's iterations are divided as GCC does it";

/* CALL of a function without arguments and with a result, in a block of its own:
	{ .param.u32 v; call (v), NAME; ld.param.u32 reg, [v]; }  */
static bool
match_call (const struct ptx_function *f, const struct lanes_call *call, uint32_t *begin, uint32_t *reg)
{
  uint32_t i = call->stmt;
  if (i < 2 || i + 2 >= f->num_stmts)
    return false;
  const struct ptx_stmt *s = &f->stmts[i];
  const struct ptx_operand *result = &s->u.insn.operands[PTX_CALL_RESULT], *o = s[1].u.insn.operands;
  if (s[-2].kind != PTX_STMT_BEGIN || s[-1].kind != PTX_STMT_DECLARE || s[2].kind != PTX_STMT_END
      || s[2].u.match != i - 2 || s->guard != PTX_NO_INDEX || result->kind != PTX_O_ARGS || result->id != 1
      || result->u.list[0].kind != PTX_O_VAR || !lanes_is_insn (&s[1], PTX_OP_LD, 2) || s[1].guard != PTX_NO_INDEX
      || s[1].u.insn.op->space != PTX_PARAM || s[1].u.insn.op->num_types != 1
      || ptx_type_size (s[1].u.insn.op->types[0]) != 4 || o[1].kind != PTX_O_ADDRESS || o[1].base != PTX_O_VAR
      || o[1].id != result->u.list[0].id || o[1].u.value != 0)
    return false;
  *begin = i - 2;
  *reg = lanes_reg_of (f, &o[0]);
  return *reg != PTX_NO_INDEX && lanes_is_set_once (f, *reg);
}

/* The two calls; no others that could tell, in any function of the region; and nothing that waits.  */
static bool
match_calls (const struct lanes_work *w, struct lanes_function *lf, struct lanes_stride *d)
{
  static const char *const harmless[]
    = { "omp_get_team_num", "omp_get_num_teams", "GOMP_atomic_start", "GOMP_atomic_end", "GOMP_critical_start",
	"GOMP_critical_end", "GOMP_critical_name_start", "GOMP_critical_name_end", "printf", "puts", "putchar" };
  unsigned teams = 0, ids = 0;

  for (size_t i = 0; i < w->num_closure; i++)
    {
      const struct lanes_function *other = w->closure[i];
      if (other->waits != NULL)
	{
	  d->why_not = "it may wait for another thread";
	  return false;
	}
      for (uint32_t k = 0; k < other->num_calls; k++)
	{
	  const struct lanes_call *call = &other->calls[k];
	  bool good = call->kind != LANES_CALL_LIBRARY;
	  for (size_t n = 0; n < sizeof (harmless) / sizeof (harmless[0]) && !good; n++)
	    good = lanes_is_routine (w->ptx, call->name, harmless[n]);
	  if (!good && other == lf && lanes_is_routine (w->ptx, call->name, "omp_get_num_threads"))
	    good = teams++ == 0 && match_call (lf->f, call, &d->team_begin, &d->team);
	  else if (!good && other == lf && lanes_is_routine (w->ptx, call->name, "omp_get_thread_num"))
	    good = ids++ == 0 && match_call (lf->f, call, &d->id_begin, &d->id);
	  if (!good)
	    {
	      d->why_not = no_asks;
	      return false;
	    }
	}
    }
  d->why_not = no_asks;
  return teams == 1 && ids == 1;
}

/* q = n / T and r = n % T, in a straight line behind the calls.  */
static bool
match_division (const struct ptx_function *f, struct lanes_stride *d, struct match *m)
{
  d->div = d->rem = PTX_NO_INDEX;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if ((!lanes_is_insn (s, PTX_OP_DIV, 3) && !lanes_is_insn (s, PTX_OP_REM, 3)) || !lanes_is_reg (&s->u.insn.operands[2], m->wide_team))
	continue;
      *(s->u.insn.op->opcode == PTX_OP_DIV ? &d->div : &d->rem) = i;
    }
  if (d->div == PTX_NO_INDEX || d->rem == PTX_NO_INDEX || lanes_all_mentions (f, m->wide_team) != 3)
    return false;
  const struct ptx_stmt *div = &f->stmts[d->div], *rem = &f->stmts[d->rem];
  const struct ptx_op *op = div->u.insn.op;
  d->quotient = lanes_reg_of (f, &div->u.insn.operands[0]);
  d->rest = lanes_reg_of (f, &rem->u.insn.operands[0]);
  d->num = lanes_reg_of (f, &div->u.insn.operands[1]);
  d->bits = op->num_types == 1 ? ptx_type_size (op->types[0]) * 8 : 0;
  if (op->num_words != 1 || rem->u.insn.op->num_words != 1 || rem->u.insn.op->types[0] != op->types[0]
      || !(ptx_is_signed (op->types[0]) || ptx_is_unsigned (op->types[0])) || (d->bits != 32 && d->bits != 64)
      || d->quotient == PTX_NO_INDEX || d->rest == PTX_NO_INDEX || d->num == PTX_NO_INDEX
      || d->quotient == d->rest || !lanes_is_reg (&rem->u.insn.operands[1], d->num)
      || !lanes_is_outside (f, d->div) || !lanes_is_outside (f, d->rem) || !lanes_is_outside (f, d->team_begin)
      || !lanes_is_outside (f, d->id_begin)
      || div->guard != PTX_NO_INDEX || rem->guard != PTX_NO_INDEX
      /* A register of 32 bits takes no other.  */
      || ptx_type_size (f->vars[d->num].type) * 8 != d->bits
      || ptx_type_size (f->vars[d->quotient].type) * 8 != d->bits
      || ptx_type_size (f->vars[d->rest].type) * 8 != d->bits)
    return false;
  uint32_t first = d->div < d->rem ? d->div : d->rem, last = d->div + d->rem - first;
  uint32_t begin = d->team_begin < d->id_begin ? d->team_begin : d->id_begin;
  if (first < d->team_begin || first < d->id_begin)
    return false;
  for (uint32_t i = begin; i < last; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (s->kind == PTX_STMT_LABEL || lanes_is_insn (s, PTX_OP_BRA, 1) || lanes_is_insn (s, PTX_OP_RET, 0)
	  || (i >= first && lanes_sets_reg (s, d->num)))
	return false;
    }
  return true;
}

/* OPCODE with the operands A and B in either order behind the result.  */
static bool
is_of (const struct ptx_stmt *s, ptx_name opcode, unsigned num, uint32_t a, uint32_t b)
{
  const struct ptx_operand *o = s->u.insn.operands;
  return lanes_is_insn (s, opcode, num) && s->guard == PTX_NO_INDEX
	 && ((lanes_is_reg (&o[1], a) && lanes_is_reg (&o[2], b)) || (lanes_is_reg (&o[1], b) && lanes_is_reg (&o[2], a)));
}

/* The register that the first OPCODE of A and B sets, at *STMT; PTX_NO_INDEX: there is none.  */
static uint32_t
result_of (const struct ptx_function *f, ptx_name opcode, uint32_t a, uint32_t b, uint32_t *stmt)
{
  for (uint32_t i = 0; i < f->num_stmts; i++)
    if (is_of (&f->stmts[i], opcode, 3, a, b))
      {
	*stmt = i;
	return lanes_reg_of (f, &f->stmts[i].u.insn.operands[0]);
      }
  return PTX_NO_INDEX;
}

/* start = q * i + r, end = q + start, i < r, start >= end.  */
static bool
match_range (const struct ptx_function *f, const struct lanes_stride *d, struct match *m)
{
  m->start = m->less = m->empty = PTX_NO_INDEX;
  for (uint32_t i = 0; i < f->num_stmts && m->start == PTX_NO_INDEX; i++)
    if (is_of (&f->stmts[i], PTX_OP_MAD, 4, d->quotient, m->wide_id)
	&& ptx_op_has (f->stmts[i].u.insn.op, PTX_LO) && lanes_is_reg (&f->stmts[i].u.insn.operands[3], d->rest))
      {
	m->start = lanes_reg_of (f, &f->stmts[i].u.insn.operands[0]);
	m->start_stmt = i;
      }
  if (m->start == PTX_NO_INDEX)
    {
      uint32_t stmt, product = result_of (f, PTX_OP_MUL, d->quotient, m->wide_id, &stmt);
      if (product != PTX_NO_INDEX && lanes_is_set_once (f, product) && ptx_op_has (f->stmts[stmt].u.insn.op, PTX_LO))
	m->start = result_of (f, PTX_OP_ADD, product, d->rest, &m->start_stmt);
    }
  if (m->start == PTX_NO_INDEX
      || (m->end = result_of (f, PTX_OP_ADD, d->quotient, m->start, &m->end_stmt)) == PTX_NO_INDEX
      || m->start == m->end)
    return false;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      const struct ptx_operand *o = s->u.insn.operands;
      if (!lanes_is_insn (s, PTX_OP_SETP, 3) || s->guard != PTX_NO_INDEX || o[0].kind != PTX_O_REG || s->u.insn.op->num_words != 2)
	continue;
      const struct ptx_op *op = s->u.insn.op;
      if ((lanes_is_reg (&o[1], m->wide_id) && lanes_is_reg (&o[2], d->rest) && ptx_op_has (op, PTX_LT))
	  || (lanes_is_reg (&o[1], d->rest) && lanes_is_reg (&o[2], m->wide_id) && ptx_op_has (op, PTX_GT)))
	m->less = o[0].id;
      /* The first one: the loop's condition may look the same.  */
      if (m->empty != PTX_NO_INDEX || !is_of (s, PTX_OP_SETP, 3, m->start, m->end))
	continue;
      m->empty = o[0].id;
      m->empty_value = ptx_op_has (op, PTX_GE) || ptx_op_has (op, PTX_LE) || ptx_op_has (op, PTX_EQ);
      if (!m->empty_value && !ptx_op_has (op, PTX_GT) && !ptx_op_has (op, PTX_LT) && !ptx_op_has (op, PTX_NE))
	return false;
    }
  /* The thread number: set, compared, multiplied.  */
  return m->less != PTX_NO_INDEX && m->empty != PTX_NO_INDEX && lanes_all_mentions (f, m->wide_id) == 3
	 && lanes_is_set_once (f, m->less) && lanes_is_set_once (f, m->empty);
}

/* ---- ways through the function ---- */

/* Statements that control can get to, in components: those that lead to each other.  */
struct ways
{
  const struct lanes_function *lf;
  const struct match *none;	/* not NULL: the ways of a thread that has no iteration */
  const struct lanes_stride *d;
  bool no_end;			/* the ways go up to what each thread does at its end */
  uint32_t *number, *low;	/* from 1, in the order in which they are met; 0: not met */
  uint32_t *component;		/* from 1; 0: not complete yet */
  uint32_t *stack, *way;	/* WAY: those that lead to the statement at hand, with the next one's number */
  uint8_t *next;		/* which of the next ones is to be looked at */
  bool *cycle, *before;		/* by component: control may come back; leads to another one of which that is so */
  uint32_t num_components;
};

/* Statements that follow statement I; NONE: for a thread that has no iteration.  */
static unsigned
successors_of (const struct ptx_function *f, const struct match *none, uint32_t i, uint32_t next[2])
{
  const struct ptx_stmt *s = &f->stmts[i];
  unsigned n = 0;
  bool goes_on = true, jumps = false;

  if (s->kind == PTX_STMT_INSN)
    {
      ptx_name opcode = s->u.insn.op->opcode;
      jumps = opcode == PTX_OP_BRA;
      goes_on = (opcode != PTX_OP_BRA && opcode != PTX_OP_RET && opcode != PTX_OP_EXIT) || s->guard != PTX_NO_INDEX;
      if (jumps && none != NULL && s->guard != PTX_NO_INDEX
	  && (s->guard == none->less || s->guard == none->empty))
	{
	  bool value = s->guard == none->empty && none->empty_value;
	  jumps = value != s->guard_negated;
	  goes_on = !jumps;
	}
    }
  if (jumps)
    next[n++] = f->labels[s->u.insn.operands[0].id].stmt;
  if (goes_on && i + 1 < f->num_stmts)
    next[n++] = i + 1;
  return n;
}

static bool
is_end (const struct lanes_stride *d, uint32_t i)
{
  return d->end_first != PTX_NO_INDEX && i >= d->end_first && i <= d->end_last;
}

static unsigned
successors (const struct ways *ways, uint32_t i, uint32_t next[2])
{
  if (ways->no_end && is_end (ways->d, i))
    return 0;
  return successors_of (ways->lf->f, ways->none, i, next);
}

unsigned
lanes_successors (const struct ptx_function *f, uint32_t i, uint32_t next[2])
{
  return successors_of (f, NULL, i, next);
}

/* STATEMENT's component is complete: it is on the stack, from STATEMENT on.  */
static void
close_component (struct ways *ways, uint32_t statement, uint32_t *depth)
{
  uint32_t c = ++ways->num_components, i, from = *depth;
  bool all_end = true;		/* the loop of an atomic update, as good as an instruction */
  do
    {
      i = ways->stack[--from];
      ways->component[i] = c;
      all_end &= is_end (ways->d, i);
    }
  while (i != statement);
  ways->cycle[c] = *depth - from > 1 && !all_end;
  for (uint32_t k = from; k < *depth; k++)
    {
      uint32_t next[2];
      for (unsigned n = successors (ways, ways->stack[k], next); n-- > 0;)
	{
	  uint32_t other = ways->component[next[n]];
	  ways->cycle[c] |= next[n] == ways->stack[k];
	  ways->before[c] |= other != c && (ways->cycle[other] || ways->before[other]);
	}
    }
  *depth = from;
}

/* Find the components, from the function's first statement on (Tarjan's way).  */
static void
find_ways (struct ways *ways)
{
  uint32_t num = 0, depth = 0, length = 0;

  ways->way[length++] = 0;
  while (length > 0)
    {
      uint32_t i = ways->way[length - 1], next[2];
      if (ways->number[i] == 0)
	{
	  ways->number[i] = ways->low[i] = ++num;
	  ways->stack[depth++] = i;
	}
      unsigned n = successors (ways, i, next);
      if (ways->next[i] < n)
	{
	  uint32_t to = next[ways->next[i]++];
	  if (ways->number[to] == 0)
	    ways->way[length++] = to;
	  else if (ways->component[to] == 0 && ways->number[to] < ways->low[i])
	    ways->low[i] = ways->number[to];
	  continue;
	}
      length--;
      if (length > 0 && ways->low[i] < ways->low[ways->way[length - 1]])
	ways->low[ways->way[length - 1]] = ways->low[i];
      if (ways->low[i] == ways->number[i])
	close_component (ways, i, &depth);
    }
}

/* May anyone see that statement I was executed?  */
static bool
is_effect (const struct lanes_function *lf, const struct lanes_stride *d, uint32_t i)
{
  const struct ptx_stmt *s = &lf->f->stmts[i];

  if (s->kind != PTX_STMT_INSN || is_end (d, i) || (lf->has_frame && i >= lf->frame_begin && i <= lf->frame_end)
      || (lf->has_uniform && i >= lf->uniform_begin && i <= lf->uniform_end))
    return false;
  const struct ptx_op *op = s->u.insn.op;
  switch (op->opcode)
    {
    case PTX_OP_ST:
      /* The frame is given back.  */
      return op->space != PTX_PARAM
	     && !(lf->has_frame && op->space == PTX_SHARED && s->u.insn.operands[0].kind == PTX_O_ADDRESS
		  && s->u.insn.operands[0].base == PTX_O_REG && s->u.insn.operands[0].id == lf->slot_reg);
    case PTX_OP_LD:
      return ptx_op_has (op, PTX_VOLATILE) || ptx_op_has (op, PTX_ACQUIRE) || ptx_op_has (op, PTX_RELAXED);
    case PTX_OP_CALL:
      return i != d->team_begin + 2 && i != d->id_begin + 2;
    case PTX_OP_ATOM:
    case PTX_OP_RED:
    case PTX_OP_MEMBAR:
    case PTX_OP_FENCE:
    case PTX_OP_NANOSLEEP:
    case PTX_OP_TRAP:
    case PTX_OP_EXIT:
      return true;
    default:
      return false;
    }
}

bool
lanes_can_be_followed (const struct ptx_function *f)
{
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (s->kind != PTX_STMT_INSN)
	continue;
      ptx_name opcode = s->u.insn.op->opcode;
      if (opcode == PTX_OP_BRX || (opcode == PTX_OP_RET && s->guard != PTX_NO_INDEX)
	  || (opcode == PTX_OP_BRA
	      && (s->num_operands != 1 || s->u.insn.operands[0].kind != PTX_O_LABEL
		  || s->u.insn.operands[0].id >= f->num_labels)))
	return false;
    }
  for (uint32_t i = f->num_stmts; i-- > 0;)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (s->kind == PTX_STMT_INSN)
	return s->guard == PTX_NO_INDEX
	       && (s->u.insn.op->opcode == PTX_OP_RET || s->u.insn.op->opcode == PTX_OP_BRA
		   || s->u.insn.op->opcode == PTX_OP_EXIT);
      if (s->kind == PTX_STMT_LABEL)
	return false;
    }
  return false;
}

/* Statement I sets REG to what changes nothing with P: to a number, or to a register that was set to it just before.  */
static bool
sets_nothing (const struct ptx_function *f, uint32_t i, uint32_t reg, const struct lanes_part *p)
{
  unsigned bits = ptx_type_size (f->vars[reg].type) * 8;

  for (;;)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      const struct ptx_operand *o = s->u.insn.operands;
      if (!lanes_is_insn (s, PTX_OP_MOV, 2) || s->guard != PTX_NO_INDEX || !lanes_is_reg (&o[0], reg) || bits < 32
	  || ptx_type_size (f->vars[reg].type) * 8 != bits)
	return false;
      if (o[1].kind == PTX_O_INT || o[1].kind == PTX_O_F32 || o[1].kind == PTX_O_F64)
	return ((o[1].u.value ^ p->nothing) << (64 - bits)) == 0 || ((o[1].u.value ^ p->least) << (64 - bits)) == 0;
      reg = lanes_reg_of (f, &o[1]);
      if (reg == PTX_NO_INDEX)
	return false;
      do
	if (i-- == 0 || f->stmts[i].kind == PTX_STMT_LABEL || lanes_is_insn (&f->stmts[i], PTX_OP_BRA, 1))
	  return false;
      while (!lanes_sets_reg (&f->stmts[i], reg));
    }
}

/* It has an effect, and that is none that each thread has at its end.  */
static const char no_end[] = "a thread that has no iteration does something";

/* What a thread without iterations executes.  */
static const char *
check_idle (const struct ways *ways, const struct lanes_stride *d)
{
  const struct ptx_function *f = ways->lf->f;
  const char *why_not = NULL;
  unsigned nothing[LANES_MOST_PARTS] = { 0 };
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      if (ways->number[i] == 0)
	continue;
      /* The predicates are what they were taken for only if q is 0 and r is n, so that start and end are n.  */
      if ((i != d->div && lanes_sets_reg (&f->stmts[i], d->quotient))
	  || (i != d->rem && lanes_sets_reg (&f->stmts[i], d->rest))
	  || (i != ways->none->start_stmt && lanes_sets_reg (&f->stmts[i], ways->none->start))
	  || (i != ways->none->end_stmt && lanes_sets_reg (&f->stmts[i], ways->none->end)))
	return no_form;
      /* Nor is the end executed twice: all threads come to it, these as well.  */
      if (ways->cycle[ways->component[i]] || is_effect (ways->lf, d, i))
	why_not = no_end;
      for (unsigned k = 0; k < d->num_parts; k++)
	if (lanes_sets_reg (&f->stmts[i], d->parts[k].reg))
	  nothing[k] += sets_nothing (f, i, d->parts[k].reg, &d->parts[k]) ? 1 : 2;
    }
  /* However many threads there are, one without iterations has nothing to tell.  */
  for (unsigned k = 0; k < d->num_parts; k++)
    if (nothing[k] != 1)
      return no_end;
  return why_not;
}

enum { MOST_COPIES = 4 };

/* Behind the loop, is part P only copied from register to register, or set to what changes nothing?  */
static bool
is_made_in_loop (const struct ways *ways, const struct lanes_stride *d, const struct lanes_part *p)
{
  const struct ptx_function *f = ways->lf->f;
  uint32_t parts[MOST_COPIES] = { p->reg }, num = 1;

  for (uint32_t n = 0; n < num; n++)
    for (uint32_t i = 0; i < f->num_stmts; i++)
      {
	const struct ptx_stmt *s = &f->stmts[i];
	uint32_t c = ways->component[i], k = 0;
	if (ways->number[i] == 0 || ways->cycle[c] || ways->before[c] || is_end (d, i) || !lanes_sets_reg (s, parts[n])
	    || sets_nothing (f, i, parts[n], p))
	  continue;
	uint32_t from = lanes_is_insn (s, PTX_OP_MOV, 2) && s->guard == PTX_NO_INDEX
			&& lanes_is_reg (&s->u.insn.operands[0], parts[n]) ? lanes_reg_of (f, &s->u.insn.operands[1]) : PTX_NO_INDEX;
	while (k < num && parts[k] != from)
	  k++;
	if (from == PTX_NO_INDEX || k == MOST_COPIES)
	  return false;
	if (k == num)
	  parts[num++] = from;
      }
  return true;
}

static const char *
check_loops (const struct ways *ways, const struct lanes_stride *d)
{
  const struct ptx_function *f = ways->lf->f;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      if (ways->number[i] == 0)
	continue;
      uint32_t c = ways->component[i];
      if (ways->cycle[c] && (i == d->div || i == d->rem || i == d->team_begin || i == d->id_begin))
	return no_form;
      if (ways->cycle[c] && ways->before[c])
	return "it has more than one loop";
      /* Who has come to the end is through.  */
      if (is_end (d, i) && (ways->cycle[c] || ways->before[c]))
	return no_end;
      if (!ways->cycle[c] && !ways->before[c] && is_effect (ways->lf, d, i))
	return "it does something behind the loop";
    }
  for (unsigned k = 0; k < d->num_parts; k++)
    if (!is_made_in_loop (ways, d, &d->parts[k]))
      return no_end;
  return NULL;
}

/* What threads execute that do not come to their end.  */
static const char *
check_end (const struct ways *ways, const struct lanes_stride *d)
{
  const struct ptx_function *f = ways->lf->f;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      uint32_t next[2];
      if (ways->number[i] == 0 || is_end (d, i))
	continue;
      if (s->kind == PTX_STMT_INSN && (s->u.insn.op->opcode == PTX_OP_RET || s->u.insn.op->opcode == PTX_OP_EXIT))
	return no_end;
      for (unsigned n = successors (ways, i, next); n-- > 0;)
	if (is_end (d, next[n]) && next[n] != d->end_first)
	  return no_end;
    }
  return NULL;
}

/* Follow the ways and CHECK.  NULL: all is well.  */
static const char *
follow (struct lanes_work *w, const struct lanes_function *lf, const struct match *none,
	const struct lanes_stride *d,
	const char *(*check) (const struct ways *, const struct lanes_stride *))
{
  size_t n = (size_t) lf->f->num_stmts + 2;
  struct ways ways = { .lf = lf, .none = none, .d = d, .no_end = check == check_end };
  const char *why_not = NULL;
  uint32_t *words = calloc (n, 5 * sizeof (*words));
  uint8_t *bytes = calloc (n, 3);

  if (words == NULL || bytes == NULL)
    w->no_memory = true;
  else
    {
      ways.number = words;
      ways.low = words + n;
      ways.component = words + 2 * n;
      ways.stack = words + 3 * n;
      ways.way = words + 4 * n;
      ways.next = bytes;
      ways.cycle = (bool *) bytes + n;
      ways.before = (bool *) bytes + 2 * n;
      find_ways (&ways);
      why_not = check (&ways, d);
    }
  free (words);
  free (bytes);
  return why_not;
}

/* ---- what each thread does at its end ---- */

/* Threads can leave what they do at the end, which was found, to the last one that a lane is.  */
static bool
good_end (struct lanes_work *w, const struct lanes_function *lf, const struct match *m, const struct lanes_stride *d)
{
  const struct ptx_function *f = lf->f;
  bool loads;

  for (unsigned k = 0; k < d->num_parts; k++)
    {
      const struct ptx_var *var = &f->vars[d->parts[k].reg];
      if (var->vector != 1 || ptx_type_size (var->type) != d->parts[k].size)
	return false;
    }
  return lanes_end_is_common (f, d, &loads) && (!loads || lanes_block_is_constant (w, f))
	 && follow (w, lf, NULL, d, check_end) == NULL && follow (w, lf, m, d, check_idle) == NULL
	 && follow (w, lf, NULL, d, check_loops) == NULL;
}

static bool
find_end (struct lanes_work *w, const struct lanes_function *lf, const struct match *m, struct lanes_stride *d)
{
  for (uint32_t at = 0; lanes_next_end (w, lf, d, &at);)
    if (good_end (w, lf, m, d))
      return true;
  return false;
}

bool
lanes_match_share (const struct lanes_work *w, struct lanes_function *lf, struct lanes_share *share,
		   uint32_t *start)
{
  const struct ptx_function *f = lf->f;
  struct lanes_stride d = { .why_not = NULL };
  struct match m;

  if (f->num_results > 0 || !lanes_can_be_followed (f) || !match_calls (w, lf, &d))
    return false;
  m.wide_team = converted (f, d.team);
  m.wide_id = converted (f, d.id);
  /* The rest: set twice, compared, added; whether the number is less: set, and jumped by.  */
  if (!match_division (f, &d, &m) || !match_range (f, &d, &m) || lanes_all_mentions (f, d.rest) != 4
      || lanes_all_mentions (f, m.less) != 2
      || ptx_type_size (f->vars[d.team].type) != 4 || ptx_type_size (f->vars[d.id].type) != 4)
    return false;
  *share = (struct lanes_share) {
    .first = d.div < d.rem ? d.div : d.rem, .last = d.div < d.rem ? d.rem : d.div, .team = d.team,
    .wide_team = m.wide_team, .id = d.id, .num = d.num, .quotient = d.quotient, .rest = d.rest,
    .bits = d.bits
  };
  *start = m.start;
  return true;
}

void
lanes_find_stride (struct lanes_work *w, struct lanes_function *lf)
{
  const struct ptx_function *f = lf->f;
  struct match m;
  struct lanes_stride *d;

  if (lf->stride != NULL)
    return;
  d = lf->stride = ptx_alloc (w->ptx, sizeof (*d));
  if (d == NULL)
    {
      w->no_memory = true;
      return;
    }
  d->end_first = d->end_last = PTX_NO_INDEX;
  if (!match_calls (w, lf, d))
    return;
  m.wide_team = converted (f, d->team);
  m.wide_id = d->wide_id = converted (f, d->id);
  d->why_not = no_form;
  if (f->num_results > 0 || f->num_stmts == 0 || !lanes_can_be_followed (f) || !match_division (f, d, &m)
      || !match_range (f, d, &m))
    return;
  d->why_not = follow (w, lf, &m, d, check_idle);
  if (d->why_not == no_end && find_end (w, lf, &m, d))
    d->why_not = NULL;
  else if (d->why_not == NULL)
    d->why_not = follow (w, lf, NULL, d, check_loops);
  unsigned piece = w->flags >> NVPTX_LANES_PIECE_SHIFT;
  d->piece = piece != 0 ? piece - 1 : PIECE;
}
