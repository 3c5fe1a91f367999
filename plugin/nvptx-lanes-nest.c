/* nvptx-lanes-nest.c -- inner loops that can be shared out to lanes.

   A user may write one parallel loop over rows, with a sequential one over columns in it:

     #pragma omp target teams distribute parallel for
     for (i = 0; i < n; i++)
       for (j = 0; j < m; j++)
	 c[i][j] = ...

   Each row is one lane's then, and a GPU has a hundred times as many lanes as rows.  Where a kernel
   is run without the library (nvptx-lanes-direct.c) and has few iterations, a group of lanes is one
   thread of the region: all of them run the same code with the same registers, and of the inner
   loop each one has every so many-th iteration.

   That is right if nothing but registers passes from iteration to iteration, and of these only
   counters.  It is found out here, in the kernel's own text, where all that the region does can be
   seen.

   Owns: struct lanes_nest.

   Invariants
   1. Outside of the loop that is shared out the region has no effects: all lanes of a group have
   the same registers there.
   2. A thread of a group executes one iteration of the region's loop (nvptx-lanes-stride.c), so it
   comes to the inner loop once: the inner loop is in no other one but the region's, and that is
   left after one iteration.
   3. A register that the inner loop sets is a counter, or set anew in each iteration before it is
   used; and none is used behind it.
   4. Iterations write memory by words of the kernel's arguments, each iteration a window of its
   own; what is read by such a word is in the window, and all else is read by other words. Different
   words of the arguments are different memory only if the launch says so (device-abi.h); else
   groups are single lanes.
   5. Any doubt means that the loop stays as it is.

   nvptx-lanes-loops.c has its loops and registers, nvptx-lanes-windows.c what it does with memory;
   nvptx-lanes-nest-emit.c writes the loop.  Called by nvptx-lanes-direct-emit.c.  */

#include "nvptx-lanes-nest.h"

#include <string.h>

enum
{
  MOST_EXPANSIONS = 48,
  MOST_EVALUATIONS = 4000 /* of registers, for a kernel */
};

/* ---- the region's own loop ---- */

/* What REG is when LOOP begins, in registers that are the same there as where it was set.  */
static bool
expand (struct lanes_nest *n, const struct lanes_loop *loop, uint32_t reg,
	struct lanes_form_sum *form)
{
  uint32_t sets[LANES_MOST_SETS];

  if (lanes_find_sets (n, 0, reg, loop->head, false, loop, sets) != 1
      || !lanes_eval_stmt (n, NULL, sets[0], 1, form))
    return false;
  /* Who sets them elsewhere comes by there again on the way to the loop, unless all ways to him
     lead through there, too.  */
  for (unsigned k = 0; k < form->num; k++)
    for (uint32_t i = 0; i < n->f->num_stmts; i++)
      if (lanes_sets_reg (&n->f->stmts[i], form->terms[k].reg) && lanes_dominates (n, sets[0], i))
	return false;
  return true;
}

/* The outer loop, in which threads have one iteration each, is left after that: what it compares
   differs by a multiple of the number of iterations but one.  */
static bool
is_region_loop (struct lanes_nest *n, const struct lanes_loop *loop)
{
  struct lanes_form_sum left, form, set;
  bool less;

  if (!lanes_eval_test (n, loop, &left, &form, &less) || !lanes_add_form (&form, &left, UINT64_MAX))
    return false;
  for (unsigned rounds = 0; rounds < MOST_EXPANSIONS; rounds++)
    {
      unsigned k = 0;
      while (k < form.num
	     && (form.terms[k].reg == n->quotient || !expand (n, loop, form.terms[k].reg, &set)))
	k++;
      if (k == form.num)
	break;
      uint64_t by = form.terms[k].by;
      form.terms[k] = form.terms[--form.num];
      if (!lanes_add_form (&form, &set, by))
	return false;
    }
  uint64_t rest = form.num == 1 ? form.more + form.terms[0].by : 1;
  return form.num == 1 && form.terms[0].reg == n->quotient
	 && (form.bits == 64 ? rest : (uint32_t) rest) == 0;
}

/* ---- the loop ---- */

/* REG, which INNER sets, is a counter, or no iteration leaves it to another.  */
static bool
good_reg (struct lanes_nest *n, uint32_t reg)
{
  const struct lanes_loop *loop = n->inner;
  uint32_t set = PTX_NO_INDEX, sets = 0;

  if (lanes_is_live_at (n, loop->out, reg))
    return false;
  if (!lanes_is_live_at (n, loop->head, reg))
    return true;
  for (uint32_t i = n->begin; i < n->end; i++)
    if (loop->inside[i] && lanes_sets_reg (&n->f->stmts[i], reg))
      {
	set = i;
	sets++;
      }
  if (sets != 1 || n->num_counters == LANES_NEST_COUNTERS || n->deep[set]
      || !lanes_dominates (n, set, loop->test) || lanes_bits_of (n->f, reg) == 0)
    return false;
  n->counters[n->num_counters].reg = reg;
  n->counters[n->num_counters++].set = set;
  return true;
}

/* All registers that INNER sets are.  */
static bool
find_counters (struct lanes_nest *n)
{
  const struct ptx_function *f = n->f;
  const struct lanes_loop *loop = n->inner;

  memset (n->done, 0, f->num_vars);
  for (uint32_t i = n->begin; i < n->end; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (!loop->inside[i] || s->kind != PTX_STMT_INSN || s->num_operands == 0)
	continue;
      const struct ptx_operand *o = &s->u.insn.operands[0];
      bool list = o->kind == PTX_O_VECTOR || o->kind == PTX_O_PAIR || o->kind == PTX_O_ARGS;
      for (uint32_t k = 0; k < (list ? o->id : 1); k++)
	{
	  const struct ptx_operand *to = list ? &o->u.list[k] : o;
	  if (to->kind != PTX_O_REG || n->done[to->id] || !lanes_sets_reg (s, to->id))
	    continue;
	  n->done[to->id] = 1;
	  if (!good_reg (n, to->id))
	    return false;
	}
    }
  for (unsigned k = 0; k < n->num_counters; k++)
    {
      struct lanes_counter *c = &n->counters[k];
      struct lanes_form_sum self
	= { .bits = lanes_bits_of (f, c->reg), .num = 1, .terms = { { c->reg, 1 } } };
      if (!lanes_eval_stmt (n, loop, c->set, LANES_EVAL_DEPTH, &c->step)
	  || !lanes_add_form (&c->step, &self, UINT64_MAX))
	return false;
      if (lanes_has_counters (n, &c->step))
	return false;
    }
  return true;
}

/* How often INNER goes on can be computed when it begins.  */
static bool
can_be_counted (struct lanes_nest *n)
{
  int64_t left, right;

  if (n->deep[n->inner->compare] || !lanes_eval_test (n, n->inner, &n->left, &n->right, &n->less)
      || !lanes_change_in (n, n->inner, &n->left, &left)
      || !lanes_change_in (n, n->inner, &n->right, &right))
    return false;
  n->type = n->f->stmts[n->inner->compare].u.insn.op->types[0];
  if (n->less)
    {
      n->each_step = 1;
      return (left == 1 && right == 0) || (left == 0 && right == -1);
    }
  n->each_step = left - right;
  return n->each_step != 0 && n->each_step >= INT32_MIN && n->each_step <= INT32_MAX;
}

/* Is there another loop in OUTER, in front of INNER or behind it?  All lanes of a group would run
   it, and be in each other's way.  */
static bool
has_other_loop (struct lanes_nest *n)
{
  for (unsigned k = 0; k < n->num_loops; k++)
    if (n->loops[k].depth == n->inner->depth && n->loops[k].head != n->inner->head
	&& n->outer->inside[n->loops[k].head]
	&& (lanes_leads_to (n, n->outer, n->loops[k].head, n->inner->head)
	    || lanes_leads_to (n, n->outer, n->inner->head, n->loops[k].head)))
      return true;
  return false;
}

/* Can LOOP, which is in OUTER, be shared out?  */
static const char *
try_loop (struct lanes_nest *n, struct lanes_loop *outer, struct lanes_loop *loop)
{
  n->inner = loop;
  n->outer = outer;
  n->num_counters = n->num_windows = n->num_wides = n->num_earlier = 0;
  n->stored = n->loaded = 0;
  if (!lanes_find_test (n, outer, false) || !is_region_loop (n, outer))
    return "its outer loop is not that of the region";
  if (!lanes_find_test (n, loop, true))
    return "its inner loop has more than one end";
  memset (n->deep, 0, n->f->num_stmts);
  for (unsigned k = 0; k < n->num_loops; k++)
    if (n->loops[k].head != loop->head && loop->inside[n->loops[k].head])
      for (uint32_t i = 0; i < n->f->num_stmts; i++)
	n->deep[i] |= n->loops[k].inside[i];
  if (!find_counters (n))
    return "iterations of its inner loop leave something to each other";
  if (!can_be_counted (n))
    return "iterations of its inner loop can't be counted";
  const char *why_not = lanes_check_accesses (n);
  return why_not == NULL && has_other_loop (n) ? "its outer loop has another one" : why_not;
}

static bool
has_room (struct lanes_nest *n)
{
  size_t num = n->f->num_stmts + 2u;
  struct ptx *ptx = n->w->ptx;
  uint32_t *words = ptx_alloc (ptx, 7 * num * sizeof (*words));
  uint8_t *bytes = ptx_alloc (ptx, 2 * num);

  n->classes = ptx_alloc (ptx, (size_t) n->f->num_vars * LANES_REG_ELEMENTS + 1);
  n->done = ptx_alloc (ptx, n->f->num_vars + 1);
  if (words == NULL || bytes == NULL || n->classes == NULL || n->done == NULL)
    return false;
  n->order = words;
  n->list = words + num;
  n->above = words + 2 * num;
  n->first = words + 3 * num;
  n->stack = words + 4 * num;
  n->before = words + 5 * num; /* two for each statement */
  n->seen = bytes;
  n->deep = bytes + num;
  return true;
}

/* The statement of label NAME.  */
static uint32_t
label_at (const struct ptx_function *f, ptx_name name)
{
  for (uint32_t i = 0; i < f->num_labels; i++)
    if (f->labels[i].name == name)
      return f->labels[i].stmt;
  return PTX_NO_INDEX;
}

/* The region, and the register that has a thread's number of iterations.  */
static bool
find_region (struct lanes_nest *n)
{
  n->begin = label_at (n->f, n->begin_label);
  n->end = label_at (n->f, n->end_label);
  n->quotient = PTX_NO_INDEX;
  if (n->begin == PTX_NO_INDEX || n->end == PTX_NO_INDEX || n->begin >= n->end)
    return false;
  for (uint32_t i = n->begin; i < n->end && n->quotient == PTX_NO_INDEX; i++)
    {
      const struct ptx_stmt *s = &n->f->stmts[i];
      const struct ptx_operand *o = s->kind == PTX_STMT_INSN ? s->u.insn.operands : NULL;
      if ((lanes_is_insn (s, PTX_OP_MOV, 2) || lanes_is_insn (s, PTX_OP_CVT, 2))
	  && o[1].kind == PTX_O_REG && n->f->vars[o[1].id].name == n->each
	  && o[0].kind == PTX_O_REG)
	n->quotient = o[0].id;
    }
  return n->quotient != PTX_NO_INDEX;
}

bool
lanes_find_nest (struct lanes_nest *n)
{
  n->why_not = "there is no inner loop";
  n->num_loops = 0;
  n->budget = MOST_EVALUATIONS;
  if (!lanes_can_be_followed (n->f) || !find_region (n) || !has_room (n))
    return false;
  lanes_find_ways (n);
  if (!lanes_find_loops (n))
    return false;
  lanes_find_classes (n);
  for (unsigned k = 0; k < n->num_loops; k++)
    for (unsigned m = 0; m < n->num_loops && n->loops[k].depth == 2; m++)
      if (n->loops[m].depth == 1 && n->loops[m].inside[n->loops[k].head]
	  && (n->why_not = try_loop (n, &n->loops[m], &n->loops[k])) == NULL && n->stored != 0)
	return true;
  return false;
}
