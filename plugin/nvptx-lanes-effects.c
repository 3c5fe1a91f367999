/* nvptx-lanes-effects.c -- what a function does that all lanes of a block run, and that must be done once.

   In front of regions and behind them a function is executed by thread 0 alone.  In a kernel without the library each lane
   computes what it computes (nvptx-lanes-direct.c); what it does to memory is left to lane 0 of the block:

	a store						@leads st ...
	an atomic operation, of which nothing is used	@leads atom ...
	a loop around a compare-and-swap		at its top: unless this lane leads, goto what is behind it
	a section of updates				at its end, unless this lane leads: nvptx-lanes-updates.c

   and no lane uses a register that such a loop sets.  What a reduction has computed for a team ends so.  Teams end at the same time, and of
   those that try to swap one can at a time: 0.3 us for each team (doc/lanes.md).  So where the loop does what an instruction does there is that
   in its place; sums of float, for which the instruction takes denormal numbers for 0, have them added once more (lanes_put_float).

   Invariants
   1. But for registers that are used in such a loop only, lanes agree in all of them, and so in their way through the function.
   2. Lanes meet between a load and an effect of the same team, in either order, if one may follow the other and both may be in the same
      memory: at the begin and end of a region, or at the effect.  So all load what thread 0 would have.  (What another team does is no
      business of a plain load.)

   Called by nvptx-lanes-direct.c.  */

#include "nvptx-lanes-frame.h"

#include <stdlib.h>
#include <string.h>

/* A store to somewhere, or to a global variable by name.  */
static bool
is_store (const struct ptx_stmt *s)
{
  const struct ptx_op *op = s->kind == PTX_STMT_INSN ? s->u.insn.op : NULL;
  return lanes_is_plain (s, PTX_OP_ST)
	 || (lanes_is_insn (s, PTX_OP_ST, 2) && op->space == PTX_GLOBAL && op->num_types == 1 && op->num_words == (op->vector > 1 ? 3 : 2));
}

static bool
is_of_block (const struct lanes_function *lf, uint32_t i)
{
  return (lf->has_frame && i >= lf->frame_begin && i <= lf->frame_end)
	 || (lf->has_uniform && i >= lf->uniform_begin && i <= lf->uniform_end);
}

/* The loop that statement I is in; NULL: none.  */
static const struct lanes_atomic *
loop_at (const struct lanes_function *lf, uint32_t i)
{
  for (uint32_t k = 0; k < lf->num_atomics; k++)
    if (i >= lf->atomics[k].begin && i <= lf->atomics[k].end)
      return &lf->atomics[k];
  return NULL;
}

/* Is REG used outside of loop A, or set there by anything but what may guess what A reads first (and then, *GUESSES)?  */
static bool
is_used_outside (const struct lanes_function *lf, const struct lanes_atomic *a, uint32_t reg, struct lanes_effects *e)
{
  const struct ptx_function *f = lf->f;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      uint32_t n = i >= a->begin && i <= a->end ? 0 : lanes_mentions (s, reg);
      if (n == 0)
	continue;
      if (n != 1 || reg != a->old || !lanes_sets_reg (s, reg) || !lanes_is_reg (&s->u.insn.operands[0], reg)
	  || !(lanes_is_plain (s, PTX_OP_LD) || lanes_is_insn (s, PTX_OP_MOV, 2)) || loop_at (lf, i) != NULL)
	return true;
      if (lanes_is_plain (s, PTX_OP_LD))
	e->what[i] = LANES_EFFECT_ALONE;
    }
  return false;
}

/* What O, a result, is: registers of which none is used outside of A.  */
static bool
is_inside (const struct lanes_function *lf, const struct lanes_atomic *a, const struct ptx_operand *o,
	   struct lanes_effects *e)
{
  if (o->kind == PTX_O_VECTOR || o->kind == PTX_O_PAIR)
    {
      for (uint32_t k = 0; k < o->id; k++)
	if (!is_inside (lf, a, &o->u.list[k], e))
	  return false;
      return true;
    }
  return o->kind == PTX_O_SINK || (o->kind == PTX_O_REG && !is_used_outside (lf, a, o->id, e));
}

/* The loop A is lane 0's.  */
static bool
find_loop (const struct lanes_function *lf, const struct lanes_atomic *a, struct lanes_effects *e)
{
  for (uint32_t i = a->begin; i <= a->end; i++)
    {
      const struct ptx_stmt *s = &lf->f->stmts[i];
      e->what[i] = LANES_EFFECT_LOOP;
      if (s->kind == PTX_STMT_LABEL || s->kind == PTX_STMT_LOC || lanes_is_insn (s, PTX_OP_BRA, 1))
	continue;
      if (s->kind != PTX_STMT_INSN || s->num_operands == 0 || !is_inside (lf, a, &s->u.insn.operands[0], e))
	return false;
    }
  return true;
}

/* An atomic operation of which nothing is used.  */
static bool
is_atomic (const struct lanes_function *lf, uint32_t i)
{
  const struct ptx_function *f = lf->f;
  const struct ptx_stmt *s = &f->stmts[i];
  const struct ptx_operand *o = s->u.insn.operands;
  uint32_t n = 0;

  if (s->kind != PTX_STMT_INSN || (s->u.insn.op->opcode != PTX_OP_ATOM && s->u.insn.op->opcode != PTX_OP_RED)
      || (s->u.insn.op->space != 0 && s->u.insn.op->space != PTX_GLOBAL) || s->num_operands < 2
      || (s->guard != PTX_NO_INDEX && !(lf->has_uniform && s->guard == lf->master_reg && !s->guard_negated)))
    return false;
  if (s->u.insn.op->opcode == PTX_OP_RED || o[0].kind == PTX_O_SINK)
    return true;
  for (uint32_t k = 0; k < f->num_stmts && o[0].kind == PTX_O_REG; k++)
    n += lanes_mentions (&f->stmts[k], o[0].id);
  return n == 1;
}

/* Sections of updates are lane 0's.  */
static bool
find_sections (struct lanes_work *w, const struct lanes_function *lf, struct lanes_effects *e)
{
  const struct ptx_function *f = lf->f;
  uint32_t num = 0;

  for (uint32_t i = 0; i < f->num_stmts; i++)
    num += f->stmts[i].kind == PTX_STMT_BEGIN && lanes_is_call_block (w, f, i, "GOMP_atomic_start");
  if (num == 0)
    return true;
  e->sections = ptx_alloc (w->ptx, num * sizeof (*e->sections));
  if (e->sections == NULL)
    {
      w->no_memory = true;
      return false;
    }
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      if (f->stmts[i].kind != PTX_STMT_BEGIN || !lanes_is_call_block (w, f, i, "GOMP_atomic_start"))
	continue;
      struct lanes_stride *section = &e->sections[e->num_sections];
      if (!lanes_find_section (w, lf, i, section))
	return false;
      e->num_sections++;
      for (; i <= section->end_last; i++)
	if (!lanes_is_place_of (section, &f->stmts[i]))
	  e->what[i] = LANES_EFFECT_LEFT_OUT;
      i = section->end_last;
      /* Where the block that gives the lock back begins.  */
      e->what[i - 2] = LANES_EFFECT_SECTION;
    }
  return true;
}

/* The one whose end statement I is.  */
static const struct lanes_stride *
section_at (const struct lanes_effects *e, uint32_t i)
{
  for (uint32_t k = 0; k < e->num_sections; k++)
    if (e->sections[k].end_last == i + 2)
      return &e->sections[k];
  return NULL;
}

/* Statement I mentions what the block that asks whether lanes are alone has made.  */
static bool
mentions_uniform (const struct lanes_function *lf, uint32_t i)
{
  const struct ptx_stmt *s = &lf->f->stmts[i];
  return lf->has_uniform
	 && (lanes_mentions (s, lf->lane_reg) != 0 || lanes_mentions (s, lf->master_reg) != 0
	     || lanes_mentions (s, lf->together_reg) != 0 || lanes_mentions (s, lf->flag_reg) != 0);
}

static bool
is_effect (const struct lanes_function *lf, const struct lanes_effects *e, uint32_t i)
{
  unsigned what = e->what[i] & LANES_EFFECT_WHAT;
  return what == LANES_EFFECT_LOOP || what == LANES_EFFECT_SECTION
	 || (what == LANES_EFFECT_ALONE && lf->f->stmts[i].u.insn.op->opcode != PTX_OP_LD);
}

bool
lanes_find_effects (struct lanes_work *w, const struct lanes_function *lf, const struct lanes_places *places,
		    struct lanes_effects *e)
{
  const struct ptx_function *f = lf->f;

  *e = (struct lanes_effects) { .what = ptx_alloc (w->ptx, f->num_stmts + 1),
				.flushes = (w->flags & NVPTX_LANES_FLUSHES) != 0 };
  if (e->what == NULL)
    {
      w->no_memory = true;
      return false;
    }
  for (uint32_t k = 0; k < lf->num_atomics; k++)
    if (!find_loop (lf, &lf->atomics[k], e))
      return false;
  if (!find_sections (w, lf, e))
    return false;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      int64_t offset;
      if (is_of_block (lf, i))
	continue;
      if (e->what[i] == LANES_EFFECT_NONE)
	{
	  if (is_atomic (lf, i) || (is_store (s) && !lanes_frame_is_at (places, s, &offset)))
	    e->what[i] = LANES_EFFECT_ALONE;
	  /* Behind an atomic operation the warp waits for its lane.  */
	  else if (lf->has_uniform && lanes_is_insn (s, PTX_OP_BAR, 1) && ptx_op_has (s->u.insn.op, PTX_WARP)
		   && s->guard == lf->together_reg && !s->guard_negated)
	    e->what[i] = LANES_EFFECT_LEFT_OUT;
	}
      /* The guards that are known, and in loops what goes with them.  */
      if (mentions_uniform (lf, i)
	  && !(e->what[i] == LANES_EFFECT_LOOP && s->guard == lf->together_reg && !s->guard_negated)
	  && !((e->what[i] == LANES_EFFECT_LOOP || e->what[i] == LANES_EFFECT_ALONE) && s->guard == lf->master_reg
	       && !s->guard_negated && lanes_mentions (s, lf->master_reg) == 1)
	  && e->what[i] != LANES_EFFECT_LEFT_OUT)
	return false;
      /* No effect is on the frame, which each lane has for itself.  */
      if (e->what[i] != LANES_EFFECT_NONE && lanes_frame_mentions (places, s) != 0)
	return false;
      e->any |= is_effect (lf, e, i);
    }
  return true;
}

/* May A and B be the same memory?  */
static bool
may_meet (const struct lanes_touch *a, const struct lanes_touch *b)
{
  if (a->where == LANES_WHERE_FRAME && b->where == LANES_WHERE_FRAME)
    return a->from < b->end && b->from < a->end;
  return a->where == LANES_WHERE_UNKNOWN || b->where == LANES_WHERE_UNKNOWN || a->where == b->where;
}

/* From behind statement FROM, without a meeting on the way, mark effects (EFFECTS) that can be got to
   and may change what it loads; or say whether a load can, of what it may change.  False: lanes
   can't meet where they have to.  */
static bool
follow (const struct lanes_function *lf, struct lanes_effects *e, uint32_t from,
	const struct lanes_touch *touches, bool effects, const bool *meet, uint32_t *stack,
	bool *seen)
{
  const struct ptx_function *f = lf->f;
  uint32_t depth = 0, next[2];

  memset (seen, 0, f->num_stmts * sizeof (*seen));
  stack[depth++] = from;
  while (depth > 0)
    {
      uint32_t i = stack[--depth];
      for (unsigned n = lanes_successors (f, i, next); n-- > 0;)
	{
	  uint32_t to = next[n];
	  if (seen[to] || meet[to])
	    continue;
	  seen[to] = true;
	  if (effects && is_effect (lf, e, to) && may_meet (&touches[from], &touches[to]))
	    {
	      if (e->what[to] == LANES_EFFECT_LOOP)
		return false;
	      e->what[to] |= LANES_EFFECT_MEET_BEFORE;
	      continue;
	    }
	  if (effects && (e->what[to] & LANES_EFFECT_MEET_BEFORE) != 0)
	    continue;
	  if (!effects && touches[to].loads && may_meet (&touches[from], &touches[to]))
	    {
	      if (e->what[from] == LANES_EFFECT_LOOP)
		return false;
	      e->what[from] |= LANES_EFFECT_MEET_BEHIND;
	      return true;
	    }
	  stack[depth++] = to;
	}
    }
  return true;
}

bool
lanes_order_effects (struct lanes_work *w, const struct lanes_function *lf,
		     struct lanes_effects *e, const struct lanes_touch *touches, const bool *meet)
{
  const struct ptx_function *f = lf->f;
  bool good = lanes_can_be_followed (f);
  uint32_t *stack = malloc (((size_t) f->num_stmts + 2) * sizeof (*stack));
  bool *seen = malloc ((size_t) f->num_stmts + 2);

  if (stack == NULL || seen == NULL)
    w->no_memory = true;
  good = good && stack != NULL && seen != NULL;
  for (uint32_t i = 0; i < f->num_stmts && good; i++)
    if (touches[i].loads)
      good = follow (lf, e, i, touches, true, meet, stack, seen);
  for (uint32_t i = 0; i < f->num_stmts && good; i++)
    if (is_effect (lf, e, i))
      good = follow (lf, e, i, touches, false, meet, stack, seen);
  free (stack);
  free (seen);
  return good;
}

/* ---- the text ---- */

#define NAME(name) (int) ptx->names[name].length, ptx->names[name].text

/* S loads what a region has computed for the team, in its frame.  */
static bool
loads_part (const struct lanes_frame *frame, const struct ptx_stmt *s)
{
  int64_t offset;
  if (!lanes_is_plain (s, PTX_OP_LD) || s->guard != PTX_NO_INDEX || !lanes_frame_is_at (&frame->places, s, &offset))
    return false;
  const struct lanes_frame_word *word = lanes_frame_word (frame, offset, sizeof (float));
  return word != NULL && word->shared;
}

/* Does loop A of LF add to a float just that, or 0 for a team without iterations?  So a reduction's parts are added.  */
static bool
adds_part (const struct lanes_function *lf, const struct lanes_frame *frame, const struct lanes_atomic *a)
{
  const struct ptx_function *f = lf->f;
  bool loaded = false;

  if (!a->adds_float)
    return false;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (!lanes_sets_reg (s, a->inputs[0]))
	continue;
      if (loads_part (frame, s))
	loaded = true;
      else if (!lanes_is_insn (s, PTX_OP_MOV, 2) || s->u.insn.operands[1].kind != PTX_O_F32 || s->u.insn.operands[1].u.value != 0)
	return false;
    }
  return loaded;
}

/* Loop A becomes an instruction.  */
static bool
has_instruction (const struct lanes_function *lf, const struct lanes_effects *e, const struct lanes_frame *frame,
		 const struct lanes_atomic *a)
{
  return a->native != NULL || (e->flushes && adds_part (lf, frame, a));
}

/* Which stands for it.  */
static void
put_instruction (struct ptx_text *out, const struct ptx_function *f, const struct lanes_atomic *a)
{
  const struct lanes_update u = { .address = a->address, .offset = a->offset, .first = a->begin };

  if (a->native == NULL)
    lanes_put_float (out, f, &u, a->inputs[0]);
  else
    lanes_put_native (out, f, a->native, &u, a->inputs[0]);
}

/* S without its guard.  */
static void
put_unguarded (struct ptx_text *out, const struct ptx_function *f, const struct ptx_stmt *s)
{
  struct ptx_stmt copy = *s;
  copy.guard = PTX_NO_INDEX;
  copy.guard_negated = false;
  ptx_print_stmt (out, f, &copy);
}

/* S with the guard that %direct_NAME is.  */
static void
put_guarded (struct ptx_text *out, const struct ptx_function *f, const struct ptx_stmt *s, const char *name)
{
  ptx_printf (out, "\t@%%direct_%s", name);
  size_t at = out->size;
  put_unguarded (out, f, s);
  /* It begins with a tab.  */
  if (at < out->size)
    out->text[at] = ' ';
}

/* The updates of the section whose end statement I is.  */
static void
put_updates (struct ptx_text *out, const struct lanes_function *lf, const struct lanes_effects *e, uint32_t i)
{
  ptx_printf (out, "\t@!%%direct_leads bra $direct_behind%u;\n", i);
  lanes_put_section (out, lf->f, section_at (e, i), e->flushes);
  ptx_printf (out, "$direct_behind%u:\n", i);
}

static void
put_alone (struct ptx_text *out, const struct lanes_function *lf, const struct ptx_stmt *s)
{
  const struct ptx_function *f = lf->f;
  const struct ptx *ptx = f->module->ptx;

  if (s->guard == PTX_NO_INDEX || (lf->has_uniform && s->guard == lf->master_reg))
    {
      put_guarded (out, f, s, "leads");
      return;
    }
  ptx_printf (out, "\t{\n\t.reg .pred %%direct_does;\n");
  if (s->guard_negated)
    ptx_printf (out, "\tnot.pred %%direct_does, %.*s;\n\tand.pred %%direct_does, %%direct_does, %%direct_leads;\n",
		NAME (f->vars[s->guard].name));
  else
    ptx_printf (out, "\tand.pred %%direct_does, %.*s, %%direct_leads;\n", NAME (f->vars[s->guard].name));
  put_guarded (out, f, s, "does");
  ptx_printf (out, "\t}\n");
}

bool
lanes_put_effect (struct ptx_text *out, const struct lanes_function *lf, const struct lanes_effects *e,
		  const struct lanes_frame *frame, uint32_t i)
{
  const struct ptx_function *f = lf->f;
  const struct ptx_stmt *s = &f->stmts[i];
  const struct lanes_atomic *a;
  struct ptx *ptx = f->module->ptx;
  bool replaced;

  switch (e->what[i] & LANES_EFFECT_WHAT)
    {
    case LANES_EFFECT_NONE:
      return false;
    case LANES_EFFECT_LEFT_OUT:
      return true;
    case LANES_EFFECT_ALONE:
    case LANES_EFFECT_SECTION:
      if ((e->what[i] & LANES_EFFECT_MEET_BEFORE) != 0)
	ptx_printf (out, LANES_MEET_BLOCK);
      if ((e->what[i] & LANES_EFFECT_WHAT) == LANES_EFFECT_SECTION)
	put_updates (out, lf, e, i);
      else
	put_alone (out, lf, s);
      if ((e->what[i] & LANES_EFFECT_MEET_BEHIND) != 0)
	ptx_printf (out, LANES_MEET_BLOCK);
      return true;
    default:
      a = loop_at (lf, i);
      replaced = has_instruction (lf, e, frame, a);
      if (i == a->body)
	{
	  if (a->exit != PTX_NO_INDEX)
	    ptx_printf (out, "\t@!%%direct_leads bra %.*s;\n", NAME (f->labels[a->exit].name));
	  else
	    ptx_printf (out, "\t@!%%direct_leads bra $direct_behind%u;\n", a->begin);
	  if (replaced)
	    {
	      put_instruction (out, f, a);
	      if (a->exit != PTX_NO_INDEX)
		ptx_printf (out, "\tbra %.*s;\n", NAME (f->labels[a->exit].name));
	    }
	}
      if (replaced)
	{
	  if (s->kind == PTX_STMT_LABEL)
	    ptx_print_stmt (out, f, s);
	}
      else if (!lf->has_uniform || s->kind != PTX_STMT_INSN || s->guard != lf->together_reg)
	{
	  if (lf->has_uniform && s->kind == PTX_STMT_INSN && s->guard == lf->master_reg)
	    put_unguarded (out, f, s);
	  else
	    ptx_print_stmt (out, f, s);
	}
      if (i == a->end && a->exit == PTX_NO_INDEX)
	ptx_printf (out, "$direct_behind%u:\n", a->begin);
      return true;
    }
}
