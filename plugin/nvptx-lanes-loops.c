/* nvptx-lanes-loops.c -- ways through a kernel without the library, its loops, and what registers
   are in them, for nvptx-lanes-nest.c.

   A register's value is a sum: of registers as they are where an iteration of a loop begins, each
   times a number, and a number.  It is found backwards, from the place where it is used to the
   statements that set it.  What is no sum, or may be several, is not known.

   Owns: the arrays of struct lanes_nest by statement, its loops and wides.  The number of
   evaluations is limited.

   Called by nvptx-lanes-nest.c and nvptx-lanes-windows.c.  */

#include "nvptx-lanes-nest.h"

#include <string.h>

/* ---- statements and registers ---- */

struct wanted
{
  uint32_t reg;
};

static bool
is_wanted (unsigned kind, uint32_t id, const void *data)
{
  const struct wanted *wanted = data;
  return kind == PTX_O_REG && id == wanted->reg;
}

/* S sets all of REG, whatever it was.  */
static bool
sets_all (const struct ptx_stmt *s, uint32_t reg)
{
  if (!lanes_sets_reg (s, reg) || s->guard != PTX_NO_INDEX)
    return false;
  const struct ptx_operand *o = &s->u.insn.operands[0];
  if (o->kind == PTX_O_REG)
    return o->element == 0;
  if (o->kind != PTX_O_VECTOR && o->kind != PTX_O_PAIR)
    return false;
  for (uint32_t k = 0; k < o->id; k++)
    if (o->u.list[k].kind == PTX_O_REG && o->u.list[k].id == reg && o->u.list[k].element != 0)
      return false;
  return true;
}

/* What REG was matters to S.  */
static bool
reads (const struct ptx_stmt *s, uint32_t reg)
{
  struct wanted wanted = { reg };

  if (s->kind != PTX_STMT_INSN)
    return false;
  if (s->guard == reg || (lanes_sets_reg (s, reg) && !sets_all (s, reg)))
    return true;
  for (unsigned k = lanes_stmt_has_result (s); k < s->num_operands; k++)
    if (lanes_count_if (&s->u.insn.operands[k], is_wanted, &wanted) > 0)
      return true;
  return false;
}

/* ---- ways ---- */

/* The order in which statements come first, backwards from those that come last (N->order,
   N->list); how many there are.  */
static uint32_t
find_order (struct lanes_nest *n)
{
  uint32_t num = n->f->num_stmts, at = num, length = 0;

  for (uint32_t i = 0; i < num; i++)
    n->order[i] = PTX_NO_INDEX;
  memset (n->seen, 0, num);
  n->stack[length++] = 0;
  n->seen[0] = 1;
  /* SEEN: 1 and which of the next statements is to be looked at.  */
  while (length > 0)
    {
      uint32_t i = n->stack[length - 1], next[2];
      unsigned k = n->seen[i] - 1u;
      if (k < lanes_successors (n->f, i, next))
	{
	  n->seen[i]++;
	  if (n->seen[next[k]] == 0)
	    {
	      n->seen[next[k]] = 1;
	      n->stack[length++] = next[k];
	    }
	  continue;
	}
      length--;
      n->list[--at] = i;
    }
  memmove (n->list, n->list + at, (num - at) * sizeof (n->list[0]));
  for (uint32_t k = 0; k < num - at; k++)
    n->order[n->list[k]] = k;
  return num - at;
}

static void
find_before (struct lanes_nest *n)
{
  uint32_t num = n->f->num_stmts, next[2];

  memset (n->first, 0, (num + 1) * sizeof (n->first[0]));
  for (uint32_t i = 0; i < num; i++)
    if (n->order[i] != PTX_NO_INDEX)
      for (unsigned k = lanes_successors (n->f, i, next); k-- > 0;)
	n->first[next[k] + 1]++;
  for (uint32_t i = 0; i < num; i++)
    n->first[i + 1] += n->first[i];
  for (uint32_t i = 0; i < num; i++)
    n->stack[i] = n->first[i];
  for (uint32_t i = 0; i < num; i++)
    if (n->order[i] != PTX_NO_INDEX)
      for (unsigned k = lanes_successors (n->f, i, next); k-- > 0;)
	n->before[n->stack[next[k]]++] = i;
}

/* The last statement that all ways to A and to B lead through.  */
static uint32_t
common (const struct lanes_nest *n, uint32_t a, uint32_t b)
{
  while (a != b)
    if (n->order[a] > n->order[b])
      a = n->above[a];
    else
      b = n->above[b];
  return a;
}

/* Dominators (Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm").  */
static void
find_above (struct lanes_nest *n, uint32_t num)
{
  bool changed = true;

  for (uint32_t i = 0; i < n->f->num_stmts; i++)
    n->above[i] = PTX_NO_INDEX;
  n->above[0] = 0;
  while (changed)
    {
      changed = false;
      for (uint32_t k = 1; k < num; k++)
	{
	  uint32_t i = n->list[k], above = PTX_NO_INDEX;
	  for (uint32_t p = n->first[i]; p < n->first[i + 1]; p++)
	    if (n->above[n->before[p]] != PTX_NO_INDEX)
	      above = above == PTX_NO_INDEX ? n->before[p] : common (n, n->before[p], above);
	  changed |= above != n->above[i];
	  n->above[i] = above;
	}
    }
}

void
lanes_find_ways (struct lanes_nest *n)
{
  uint32_t num = find_order (n);
  find_before (n);
  find_above (n, num);
}

bool
lanes_dominates (const struct lanes_nest *n, uint32_t a, uint32_t b)
{
  if (n->order[a] == PTX_NO_INDEX || n->order[b] == PTX_NO_INDEX)
    return false;
  while (n->order[b] > n->order[a])
    b = n->above[b];
  return a == b;
}

bool
lanes_is_live_at (struct lanes_nest *n, uint32_t start, uint32_t reg)
{
  uint32_t length = 0, next[2];

  memset (n->seen, 0, n->f->num_stmts);
  n->stack[length++] = start;
  n->seen[start] = 1;
  while (length > 0)
    {
      uint32_t i = n->stack[--length];
      const struct ptx_stmt *s = &n->f->stmts[i];
      if (reads (s, reg))
	return true;
      if (sets_all (s, reg))
	continue;
      for (unsigned k = lanes_successors (n->f, i, next); k-- > 0;)
	if (n->seen[next[k]] == 0)
	  {
	    n->seen[next[k]] = 1;
	    n->stack[length++] = next[k];
	  }
    }
  return false;
}

bool
lanes_leads_to (struct lanes_nest *n, const struct lanes_loop *loop, uint32_t from, uint32_t to)
{
  uint32_t length = 0, next[2];

  memset (n->seen, 0, n->f->num_stmts);
  n->stack[length++] = from;
  while (length > 0)
    {
      uint32_t i = n->stack[--length];
      for (unsigned k = lanes_successors (n->f, i, next); k-- > 0;)
	{
	  if (next[k] == to)
	    return true;
	  if (n->seen[next[k]] != 0 || next[k] == loop->head || !loop->inside[next[k]])
	    continue;
	  n->seen[next[k]] = 1;
	  n->stack[length++] = next[k];
	}
    }
  return false;
}

/* ---- loops ---- */

/* The natural loop of the way from statement I back to LOOP's head.  */
static void
add_body (struct lanes_nest *n, struct lanes_loop *loop, uint32_t i)
{
  uint32_t length = 0;

  loop->inside[loop->head] = 1;
  if (!loop->inside[i])
    n->stack[length++] = i;
  loop->inside[i] = 1;
  while (length > 0)
    {
      i = n->stack[--length];
      for (uint32_t p = n->first[i]; p < n->first[i + 1]; p++)
	if (!loop->inside[n->before[p]])
	  {
	    loop->inside[n->before[p]] = 1;
	    n->stack[length++] = n->before[p];
	  }
    }
}

static struct lanes_loop *
loop_at (struct lanes_nest *n, uint32_t head)
{
  for (unsigned k = 0; k < n->num_loops; k++)
    if (n->loops[k].head == head)
      return &n->loops[k];
  if (n->num_loops == LANES_NEST_LOOPS)
    return NULL;
  struct lanes_loop *loop = &n->loops[n->num_loops];
  *loop = (struct lanes_loop) { .head = head, .back = PTX_NO_INDEX };
  loop->inside = ptx_alloc (n->w->ptx, n->f->num_stmts);
  n->num_loops += loop->inside != NULL;
  return loop->inside != NULL ? loop : NULL;
}

bool
lanes_find_loops (struct lanes_nest *n)
{
  uint32_t next[2];

  for (uint32_t i = n->begin; i <= n->end; i++)
    for (unsigned k = n->order[i] != PTX_NO_INDEX ? lanes_successors (n->f, i, next) : 0; k-- > 0;)
      {
	if (n->order[next[k]] > n->order[i])
	  continue;
	if (!lanes_dominates (n, next[k], i))
	  return false;
	/* The lane's next thread.  */
	if (next[k] == n->begin)
	  continue;
	struct lanes_loop *loop = next[k] > n->begin ? loop_at (n, next[k]) : NULL;
	if (loop == NULL)
	  return false;
	loop->back = loop->back == PTX_NO_INDEX && !loop->inside[i] ? i : PTX_NO_INDEX;
	add_body (n, loop, i);
      }
  for (unsigned k = 0; k < n->num_loops; k++)
    for (unsigned m = 0; m < n->num_loops; m++)
      n->loops[k].depth += n->loops[m].inside[n->loops[k].head];
  return true;
}

bool
lanes_find_test (struct lanes_nest *n, struct lanes_loop *loop, bool last)
{
  const struct ptx_function *f = n->f;
  uint32_t next[2], exits = 0, sets = 0, at = 0;

  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      if (!loop->inside[i])
	continue;
      unsigned num = lanes_successors (n->f, i, next);
      for (unsigned k = 0; k < num; k++)
	if (!loop->inside[next[k]])
	  {
	    exits++;
	    loop->test = i;
	    loop->out = next[k];
	    at = num == 2 ? next[1 - k] : i;
	  }
    }
  if (exits != 1 || loop->back == PTX_NO_INDEX
      || !lanes_has_opcode (&f->stmts[loop->test], PTX_OP_BRA)
      || f->stmts[loop->test].guard == PTX_NO_INDEX)
    return false;
  const struct ptx_stmt *test = &f->stmts[loop->test];
  loop->stays = loop->inside[f->labels[test->u.insn.operands[0].id].stmt] != test->guard_negated;
  for (unsigned steps = 0; last && at != loop->head; steps++)
    {
      const struct ptx_stmt *s = &f->stmts[at];
      if (steps > f->num_stmts || lanes_successors (n->f, at, next) != 1
	  || (s->kind != PTX_STMT_LABEL && s->kind != PTX_STMT_LOC
	      && !lanes_has_opcode (s, PTX_OP_BRA)))
	return false;
      at = next[0];
    }
  for (uint32_t i = 0; i < f->num_stmts; i++)
    if (loop->inside[i] && lanes_sets_reg (&f->stmts[i], test->guard))
      {
	loop->compare = i;
	sets++;
      }
  const struct ptx_stmt *compare = &f->stmts[loop->compare];
  return sets == 1 && lanes_is_insn (compare, PTX_OP_SETP, 3) && compare->guard == PTX_NO_INDEX
	 && compare->u.insn.op->num_words == 2 && compare->u.insn.op->num_types == 1
	 && lanes_dominates (n, loop->compare, loop->test);
}

/* ---- forms ---- */

static uint64_t
mask (unsigned bits)
{
  return bits == 64 ? UINT64_MAX : (UINT64_C (1) << bits) - 1;
}

static int64_t
as_signed (uint64_t value, unsigned bits)
{
  return bits == 64 ? (int64_t) value : (int64_t) (int32_t) value;
}

bool
lanes_add_form (struct lanes_form_sum *a, const struct lanes_form_sum *b, uint64_t by)
{
  if (a->bits != b->bits)
    return false;
  for (unsigned k = 0; k < b->num; k++)
    {
      unsigned m = 0;
      while (m < a->num && a->terms[m].reg != b->terms[k].reg)
	m++;
      if (m == LANES_FORM_TERMS)
	return false;
      if (m == a->num)
	{
	  a->terms[a->num].reg = b->terms[k].reg;
	  a->terms[a->num++].by = 0;
	}
      a->terms[m].by = (a->terms[m].by + by * b->terms[k].by) & mask (a->bits);
      if (a->terms[m].by == 0)
	a->terms[m] = a->terms[--a->num];
    }
  a->more = (a->more + by * b->more) & mask (a->bits);
  return true;
}

bool
lanes_is_same_form (const struct lanes_form_sum *a, const struct lanes_form_sum *b)
{
  struct lanes_form_sum difference = *a;
  return lanes_add_form (&difference, b, UINT64_MAX) && difference.num == 0;
}

unsigned
lanes_bits_of (const struct ptx_function *f, uint32_t reg)
{
  const struct ptx_var *v = &f->vars[reg];
  unsigned size = ptx_type_size (v->type);
  return v->space == PTX_REG && v->vector == 1 && !ptx_is_float (v->type)
		 && (size == 4 || size == 8)
	     ? size * 8
	     : 0;
}

const struct lanes_counter *
lanes_counter_of (const struct lanes_nest *n, uint32_t reg)
{
  for (unsigned k = 0; k < n->num_counters; k++)
    if (n->counters[k].reg == reg)
      return &n->counters[k];
  return NULL;
}

bool
lanes_has_counters (const struct lanes_nest *n, const struct lanes_form_sum *form)
{
  for (unsigned k = 0; k < form->num; k++)
    if (form->terms[k].reg >= LANES_WIDE
	    ? lanes_has_counters (n, &n->wides[form->terms[k].reg - LANES_WIDE].sum)
	    : lanes_counter_of (n, form->terms[k].reg) != NULL)
      return true;
  return false;
}

static bool eval_reg (struct lanes_nest *n, const struct lanes_loop *loop, uint32_t reg,
		      uint32_t at, bool behind, unsigned depth, struct lanes_form_sum *form);

bool
lanes_eval_operand (struct lanes_nest *n, const struct lanes_loop *loop,
		    const struct ptx_operand *o, uint32_t at, unsigned depth, unsigned bits,
		    struct lanes_form_sum *form)
{
  *form = (struct lanes_form_sum) { .bits = bits };
  if (o->kind == PTX_O_INT)
    {
      form->more = o->u.value & mask (bits);
      return true;
    }
  return o->kind == PTX_O_REG && o->element == 0 && lanes_bits_of (n->f, o->id) == bits
	 && eval_reg (n, loop, o->id, at, false, depth, form);
}

/* FORM times the number that BY is, which must be one.  */
static bool
multiply (struct lanes_form_sum *form, const struct lanes_form_sum *by)
{
  struct lanes_form_sum product = { .bits = form->bits };
  if (by->num != 0 || !lanes_add_form (&product, form, by->more))
    return false;
  *form = product;
  return true;
}

bool
lanes_extend_form (struct lanes_nest *n, const struct lanes_form_sum *sum, bool is_signed,
		   struct lanes_form_sum *form)
{
  unsigned k = 0;

  *form = (struct lanes_form_sum) { .bits = 64 };
  if (sum->num == 0)
    {
      form->more = is_signed ? (uint64_t) (int64_t) (int32_t) sum->more : sum->more;
      return true;
    }
  while (k < n->num_wides
	 && (n->wides[k].is_signed != is_signed || !lanes_is_same_form (&n->wides[k].sum, sum)
	     || n->wides[k].sum.more != sum->more))
    k++;
  if (k == LANES_NEST_WIDES)
    return false;
  if (k == n->num_wides)
    n->wides[n->num_wides++] = (struct lanes_wide) { .sum = *sum, .is_signed = is_signed };
  form->terms[form->num].reg = LANES_WIDE + k;
  form->terms[form->num++].by = 1;
  return true;
}

/* S converts a whole number of 32 bits to one of 64.  */
static bool
is_extension (const struct lanes_nest *n, const struct ptx_stmt *s)
{
  const struct ptx_op *op = s->u.insn.op;
  return lanes_is_insn (s, PTX_OP_CVT, 2) && op->num_words == 2 && op->num_types == 2
	 && ptx_type_size (op->types[0]) == 8 && ptx_type_size (op->types[1]) == 4
	 && (ptx_is_signed (op->types[1]) || ptx_is_unsigned (op->types[1]))
	 && !ptx_is_float (op->types[0]) && lanes_bits_of (n->f, s->u.insn.operands[0].id) == 64;
}

bool
lanes_eval_stmt (struct lanes_nest *n, const struct lanes_loop *loop, uint32_t i, unsigned depth,
		 struct lanes_form_sum *form)
{
  const struct ptx_stmt *s = &n->f->stmts[i];
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *o = s->u.insn.operands;
  struct lanes_form_sum other;
  unsigned bits;

  if (s->guard != PTX_NO_INDEX || o[0].kind != PTX_O_REG || o[0].element != 0 || depth == 0)
    return false;
  if (is_extension (n, s))
    return loop != NULL && lanes_eval_operand (n, loop, &o[1], i, depth - 1, 32, &other)
	   && lanes_extend_form (n, &other, ptx_is_signed (op->types[1]), form);
  if ((bits = lanes_bits_of (n->f, o[0].id)) == 0 || op->num_types != 1
      || ptx_type_size (op->types[0]) * 8 != bits || ptx_is_float (op->types[0])
      || !lanes_eval_operand (n, loop, &o[1], i, depth - 1, bits, form))
    return false;
  if (lanes_is_insn (s, PTX_OP_MOV, 2))
    return op->num_words == 1;
  if (lanes_is_insn (s, PTX_OP_NEG, 2))
    return op->num_words == 1
	   && multiply (form, &(struct lanes_form_sum) { .bits = bits, .more = mask (bits) });
  if (lanes_is_insn (s, PTX_OP_SHL, 3))
    return op->num_words == 1 && o[2].kind == PTX_O_INT && o[2].u.value < bits
	   && multiply (form, &(struct lanes_form_sum) { .bits = bits,
							.more = UINT64_C (1) << o[2].u.value });
  if (s->num_operands < 3 || !lanes_eval_operand (n, loop, &o[2], i, depth - 1, bits, &other))
    return false;
  if (lanes_is_insn (s, PTX_OP_ADD, 3) || lanes_is_insn (s, PTX_OP_SUB, 3))
    return op->num_words == 1
	   && lanes_add_form (form, &other, op->opcode == PTX_OP_ADD ? 1 : UINT64_MAX);
  bool mad = lanes_is_insn (s, PTX_OP_MAD, 4);
  if ((!mad && !lanes_is_insn (s, PTX_OP_MUL, 3)) || op->num_words != 2 || !ptx_op_has (op, PTX_LO))
    return false;
  if (form->num == 0)
    {
      struct lanes_form_sum number = *form;
      *form = other;
      other = number;
    }
  return multiply (form, &other)
	 && (!mad
	     || (lanes_eval_operand (n, loop, &o[3], i, depth - 1, bits, &other)
		 && lanes_add_form (form, &other, 1)));
}

unsigned
lanes_find_sets (struct lanes_nest *n, uint32_t head, uint32_t reg, uint32_t at, bool behind,
		 const struct lanes_loop *outside, uint32_t sets[LANES_MOST_SETS])
{
  uint32_t length = 0;
  unsigned num = 0;
  bool begins = false;

  memset (n->seen, 0, n->f->num_stmts);
  if (behind)
    {
      n->seen[at] = 1;
      n->stack[length++] = at;
    }
  for (bool first = !behind; length > 0 || first; first = false)
    {
      uint32_t i = first ? at : n->stack[--length];
      if (!first && lanes_sets_reg (&n->f->stmts[i], reg))
	{
	  if (num == LANES_MOST_SETS)
	    return LANES_MOST_SETS + 1;
	  sets[num++] = i;
	  continue;
	}
      if (i == head)
	{
	  begins = true;
	  continue;
	}
      for (uint32_t p = n->first[i]; p < n->first[i + 1]; p++)
	if (n->seen[n->before[p]] == 0
	    && !(first && outside != NULL && outside->inside[n->before[p]]))
	  {
	    n->seen[n->before[p]] = 1;
	    n->stack[length++] = n->before[p];
	  }
    }
  return begins && num > 0 ? LANES_MOST_SETS + 1 : num;
}

/* What REG is at statement AT of LOOP, or (BEHIND) behind it, in registers as they are where the
   iteration begins.  */
static bool
eval_reg (struct lanes_nest *n, const struct lanes_loop *loop, uint32_t reg, uint32_t at,
	  bool behind, unsigned depth, struct lanes_form_sum *form)
{
  uint32_t sets[LANES_MOST_SETS];
  unsigned num = 0;
  struct lanes_form_sum other;

  if (n->budget == 0
      || (loop != NULL
	  && (num = lanes_find_sets (n, loop->head, reg, at, behind, NULL, sets))
		 > LANES_MOST_SETS))
    return false;
  n->budget--;
  *form = (struct lanes_form_sum) { .bits = lanes_bits_of (n->f, reg),
				   .num = 1,
				   .terms = { { reg, 1 } } };
  /* Whoever sets it, to the same.  */
  for (unsigned k = 0; k < num; k++)
    if (!lanes_eval_stmt (n, loop, sets[k], depth, k == 0 ? form : &other)
	|| (k > 0 && (!lanes_is_same_form (form, &other) || form->more != other.more)))
      return false;
  return true;
}

bool
lanes_eval_test (struct lanes_nest *n, const struct lanes_loop *loop, struct lanes_form_sum *left,
		 struct lanes_form_sum *right, bool *less)
{
  const struct ptx_stmt *s = &n->f->stmts[loop->compare];
  const struct ptx_op *op = s->u.insn.op;
  unsigned bits = ptx_type_size (op->types[0]) * 8;
  bool swap = false;

  if (ptx_is_float (op->types[0]) || (bits != 32 && bits != 64)
      || !lanes_eval_operand (n, loop, &s->u.insn.operands[1], loop->compare, LANES_EVAL_DEPTH,
			      bits, left)
      || !lanes_eval_operand (n, loop, &s->u.insn.operands[2], loop->compare, LANES_EVAL_DEPTH,
			      bits, right))
    return false;
  *less = true;
  if (ptx_op_has (op, loop->stays ? PTX_NE : PTX_EQ))
    *less = false;
  else if (ptx_op_has (op, loop->stays ? PTX_GT : PTX_LE))
    swap = true;
  else if (!ptx_op_has (op, loop->stays ? PTX_LT : PTX_GE))
    return false;
  if (swap)
    {
      struct lanes_form_sum other = *left;
      *left = *right;
      *right = other;
    }
  return true;
}

bool
lanes_change_in (struct lanes_nest *n, const struct lanes_loop *loop,
		 const struct lanes_form_sum *form, int64_t *change)
{
  uint64_t all = 0;

  for (unsigned k = 0; k < form->num; k++)
    {
      struct lanes_form_sum next,
	  self = { .bits = form->bits, .num = 1, .terms = { { form->terms[k].reg, 1 } } };
      /* Not one that changes.  */
      if (form->terms[k].reg >= LANES_WIDE)
	{
	  int64_t inner;
	  if (!lanes_change_in (n, loop, &n->wides[form->terms[k].reg - LANES_WIDE].sum, &inner)
	      || inner != 0)
	    return false;
	  continue;
	}
      if (!eval_reg (n, loop, form->terms[k].reg, loop->test, true, LANES_EVAL_DEPTH, &next)
	  || !lanes_add_form (&next, &self, UINT64_MAX) || next.num > 0)
	return false;
      all += next.more * form->terms[k].by;
    }
  *change = as_signed (all & mask (form->bits), form->bits);
  return true;
}

bool
lanes_eval_form (struct lanes_nest *n, const struct lanes_loop *loop,
		 const struct lanes_form_sum *form, uint32_t at, struct lanes_form_sum *result)
{
  struct lanes_form_sum term;

  *result = (struct lanes_form_sum) { .bits = form->bits, .more = form->more };
  for (unsigned k = 0; k < form->num; k++)
    {
      uint32_t reg = form->terms[k].reg;
      if (reg >= LANES_WIDE)
	{
	  const struct lanes_wide wide = n->wides[reg - LANES_WIDE];
	  struct lanes_form_sum inner;
	  if (!lanes_eval_form (n, loop, &wide.sum, at, &inner)
	      || !lanes_extend_form (n, &inner, wide.is_signed, &term))
	    return false;
	}
      else if (!eval_reg (n, loop, reg, at, true, LANES_EVAL_DEPTH, &term))
	return false;
      if (!lanes_add_form (result, &term, form->terms[k].by))
	return false;
    }
  return true;
}
