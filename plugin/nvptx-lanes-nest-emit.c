/* nvptx-lanes-nest-emit.c -- an inner loop of a kernel, shared out to groups of lanes.

     for (r = r0; ; r += c) { ...; if (test) break; }

   becomes, with the group's width W and the lane's place P in it

     shared = W > 1 and what has to hold does;
     left = how often the loop goes on;
     if (shared ? P > left : P > 0) goto OUT;
     more = 0;
     if (shared) { left -= P; r += P * c; more = (W - 1) * c; }
     for (;; r += c) { ...; if (shared ? left < W : test) break; left -= W; r += more; }

   so that what stands in the loop need not be known: r is the same there as in an iteration of the
   loop as it was.

   nvptx-lanes-nest.c says which loop, and why that is right.  Called by nvptx-lanes-direct-emit.c.
 */

#include "nvptx-lanes-nest.h"

#include <stdio.h>

/* The registers that the code needs besides, and where it jumps to.  */
struct out
{
  struct lanes_nest *n;
  struct ptx_function *f;
  uint32_t width, place;
  uint32_t shared, idle; /* predicates */
  uint32_t left, wide, other, step, wide_place, narrow, extended;
  uint32_t more[LANES_NEST_COUNTERS]; /* by counter */
  uint32_t enter, head, leave; /* labels */
  bool good;
};

static struct ptx_stmt *
put (struct out *out, const char *opcode, unsigned num, struct ptx_operand a, struct ptx_operand b,
     struct ptx_operand c, struct ptx_operand d)
{
  struct ptx_operand operands[4] = { a, b, c, d };
  struct ptx_stmt *s = out->good ? ptx_emit_insn (out->f, opcode, num) : NULL;

  for (unsigned k = 0; s != NULL && k < num; k++)
    s->u.insn.operands[k] = operands[k];
  out->good &= s != NULL;
  return s;
}

static struct ptx_stmt *
put2 (struct out *out, const char *opcode, struct ptx_operand a, struct ptx_operand b)
{
  return put (out, opcode, 2, a, b, a, a);
}

static struct ptx_stmt *
put3 (struct out *out, const char *opcode, struct ptx_operand a, struct ptx_operand b,
      struct ptx_operand c)
{
  return put (out, opcode, 3, a, b, c, a);
}

/* S, which was put last, has a guard.  */
static void
guard (struct ptx_stmt *s, uint32_t predicate, bool negated)
{
  if (s != NULL)
    {
      s->guard = predicate;
      s->guard_negated = negated;
    }
}

static void
put_jump (struct out *out, uint32_t label, uint32_t predicate, bool negated)
{
  struct ptx_operand to = ptx_label_operand (label);
  guard (put (out, "bra", 1, to, to, to, to), predicate, negated);
}

static void put_form (struct out *out, uint32_t reg, const struct lanes_form_sum *form);

/* EXTENDED = SUM, which has 32 bits.  */
static void
put_extended (struct out *out, const struct lanes_form_sum *sum, bool is_signed)
{
  put_form (out, out->narrow, sum);
  put2 (out, is_signed ? "cvt.s64.s32" : "cvt.u64.u32", ptx_reg (out->extended),
	ptx_reg (out->narrow));
}

/* REG = FORM.  */
static void
put_form (struct out *out, uint32_t reg, const struct lanes_form_sum *form)
{
  struct ptx_operand to = ptx_reg (reg);
  bool wide = form->bits == 64;

  put2 (out, wide ? "mov.u64" : "mov.u32", to,
	ptx_int (wide ? (int64_t) form->more : (int64_t) (int32_t) form->more));
  for (unsigned k = 0; k < form->num; k++)
    {
      uint64_t by = form->terms[k].by;
      struct ptx_operand from = ptx_reg (form->terms[k].reg);
      if (from.id >= LANES_WIDE)
	{
	  put_extended (out, &out->n->wides[from.id - LANES_WIDE].sum,
			out->n->wides[from.id - LANES_WIDE].is_signed);
	  from = ptx_reg (out->extended);
	}
      if (by == 1)
	put3 (out, wide ? "add.u64" : "add.u32", to, to, from);
      else
	put (out, wide ? "mad.lo.u64" : "mad.lo.u32", 4, to, from,
	     ptx_int (wide ? (int64_t) by : (int64_t) (int32_t) by), to);
    }
}

/* SHARED is false as well if PREDICATE, set by OPCODE of A and B, is.  */
static void
put_condition (struct out *out, const char *opcode, struct ptx_operand a, struct ptx_operand b)
{
  put3 (out, opcode, ptx_reg (out->idle), a, b);
  put3 (out, "and.pred", ptx_reg (out->shared), ptx_reg (out->shared), ptx_reg (out->idle));
}

/* How often the loop goes on (LEFT), if that is below 2 to the power of 31 and a whole number.  */
static void
put_count (struct out *out)
{
  const struct lanes_nest *n = out->n;
  bool wide = n->left.bits == 64;
  uint32_t count = wide ? out->wide : out->left, other = wide ? out->other : out->step;
  struct ptx_operand to = ptx_reg (count), zero = ptx_int (0);
  int64_t by = n->each_step;
  char opcode[24];

  if (n->less)
    {
      put_form (out, count, &n->left);
      put_form (out, other, &n->right);
      snprintf (opcode, sizeof (opcode), "setp.lt.%c%u", ptx_is_signed (n->type) ? 's' : 'u',
		n->left.bits);
      put3 (out, opcode, ptx_reg (out->idle), to, ptx_reg (other));
      put3 (out, wide ? "sub.u64" : "sub.u32", to, ptx_reg (other), to);
      guard (put2 (out, wide ? "mov.u64" : "mov.u32", to, zero), out->idle, true);
    }
  else
    {
      put_form (out, count, &n->left);
      put_form (out, other, &n->right);
      /* RIGHT - LEFT if that becomes less, else LEFT - RIGHT.  */
      if (by > 0)
	put3 (out, wide ? "sub.u64" : "sub.u32", to, ptx_reg (other), to);
      else
	put3 (out, wide ? "sub.u64" : "sub.u32", to, to, ptx_reg (other));
      if (by < 0)
	by = -by;
      if (by > 1)
	{
	  put3 (out, wide ? "rem.u64" : "rem.u32", ptx_reg (other), to, ptx_int (by));
	  put_condition (out, wide ? "setp.eq.u64" : "setp.eq.u32", ptx_reg (other), zero);
	  put3 (out, wide ? "div.u64" : "div.u32", to, to, ptx_int (by));
	}
    }
  put_condition (out, wide ? "setp.le.u64" : "setp.le.u32", to, ptx_int (INT32_MAX));
  if (wide)
    put2 (out, "cvt.u32.u64", ptx_reg (out->left), to);
}

/* What is extended from 32 bits and changes stays in them up to the last iteration.  */
static void
put_ranges (struct out *out)
{
  struct ptx_operand sum = ptx_reg (out->wide), times = ptx_reg (out->other),
		     extended = ptx_reg (out->extended);

  for (unsigned k = 0; k < out->n->num_wides; k++)
    {
      const struct lanes_wide *wide = &out->n->wides[k];
      if (!wide->steps)
	continue;
      put_extended (out, &wide->sum, wide->is_signed);
      put2 (out, "mov.u64", sum, extended);
      put_extended (out, &wide->step, true);
      put2 (out, "cvt.u64.u32", times, ptx_reg (out->left));
      put (out, "mad.lo.s64", 4, sum, times, extended, sum);
      if (wide->is_signed)
	put3 (out, "sub.s64", sum, sum, ptx_int (INT32_MIN));
      put_condition (out, "setp.le.u64", sum, ptx_int (UINT32_MAX));
    }
}

/* Windows whose size or distance is in registers are far enough from each other, and not so far
   that they come around.  */
static void
put_distances (struct out *out)
{
  struct ptx_operand distance = ptx_reg (out->other), extent = ptx_reg (out->wide);

  for (unsigned k = 0; k < out->n->num_windows; k++)
    {
      const struct lanes_window *window = &out->n->windows[k];
      if (window->step.num == 0 && !window->has_extent)
	continue;
      put_form (out, out->other, &window->step);
      put2 (out, "abs.s64", distance, distance);
      put_condition (out, "setp.ge.u64", distance, ptx_int (window->high - window->low));
      put_condition (out, "setp.gt.u64", distance, ptx_int (0));
      put_condition (out, "setp.le.u64", distance, ptx_int (INT32_MAX));
      if (!window->has_extent)
	continue;
      put_form (out, out->wide, &window->extent);
      put_condition (out, "setp.le.u64", extent, ptx_int (INT32_MAX));
      put3 (out, "add.s64", extent, extent, ptx_int (window->extent_high - window->low));
      put_condition (out, "setp.le.s64", extent, distance);
    }
}

/* Counter NUMBER of this lane, and what it has more of in each iteration.  */
static void
put_counter (struct out *out, unsigned number)
{
  const struct lanes_counter *c = &out->n->counters[number];
  bool wide = c->step.bits == 64;
  struct ptx_operand step = ptx_reg (wide ? out->wide : out->step),
		     place = ptx_reg (wide ? out->wide_place : out->place);
  struct ptx_operand width = ptx_reg (wide ? out->other : out->width), reg = ptx_reg (c->reg),
		     more = ptx_reg (out->more[number]);

  put_form (out, step.id, &c->step);
  if (wide)
    put2 (out, "cvt.u64.u32", width, ptx_reg (out->width));
  guard (put (out, wide ? "mad.lo.u64" : "mad.lo.u32", 4, reg, place, step, reg), out->shared,
	 false);
  put3 (out, wide ? "mul.lo.u64" : "mul.lo.u32", more, width, step);
  put3 (out, wide ? "sub.u64" : "sub.u32", more, more, step);
  guard (put2 (out, wide ? "mov.u64" : "mov.u32", more, ptx_int (0)), out->shared, true);
}

/* What stands in front of the loop.  */
static void
put_enter (struct out *out)
{
  struct lanes_nest *n = out->n;
  struct ptx_operand shared = ptx_reg (out->shared), idle = ptx_reg (out->idle),
		     left = ptx_reg (out->left);

  out->good &= ptx_emit_label (out->f, out->enter) != NULL;
  for (unsigned k = 0; k < n->num_counters; k++)
    put2 (out, n->counters[k].step.bits == 64 ? "mov.u64" : "mov.u32", ptx_reg (out->more[k]),
	  ptx_int (0));
  put3 (out, "setp.gt.u32", shared, ptx_reg (out->width), ptx_int (1));
  put_jump (out, out->head, out->shared, true);
  put_count (out);
  put_ranges (out);
  put_distances (out);
  put3 (out, "setp.ne.u32", idle, ptx_reg (out->place), ptx_int (0));
  guard (put3 (out, "setp.gt.u32", idle, ptx_reg (out->place), left), out->shared, false);
  put_jump (out, out->leave, out->idle, false);
  put3 (out, "sub.u32", left, left, ptx_reg (out->place));
  put2 (out, "cvt.u64.u32", ptx_reg (out->wide_place), ptx_reg (out->place));
  for (unsigned k = 0; k < n->num_counters; k++)
    put_counter (out, k);
}

/* What stands in front of the loop's test, whose guard is PREDICATE.  */
static void
put_test (struct out *out, uint32_t predicate)
{
  struct lanes_nest *n = out->n;
  struct ptx_operand left = ptx_reg (out->left), width = ptx_reg (out->width);

  for (unsigned k = 0; k < n->num_counters; k++)
    {
      struct ptx_operand reg = ptx_reg (n->counters[k].reg);
      put3 (out, n->counters[k].step.bits == 64 ? "add.u64" : "add.u32", reg, reg,
	    ptx_reg (out->more[k]));
    }
  guard (
      put3 (out, n->inner->stays ? "setp.ge.u32" : "setp.lt.u32", ptx_reg (predicate), left, width),
      out->shared, false);
  put3 (out, "sub.u32", left, left, width);
}

static bool
declare (struct out *out)
{
  struct lanes_nest *n = out->n;
  struct ptx_function *f = out->f;

  out->shared = lanes_declare_reg (f, PTX_PRED, "%nest_shared");
  out->idle = lanes_declare_reg (f, PTX_PRED, "%nest_idle");
  out->left = lanes_declare_reg (f, PTX_U32, "%nest_left");
  out->step = lanes_declare_reg (f, PTX_U32, "%nest_step");
  out->wide = lanes_declare_reg (f, PTX_U64, "%nest_wide");
  out->other = lanes_declare_reg (f, PTX_U64, "%nest_other");
  out->wide_place = lanes_declare_reg (f, PTX_U64, "%nest_place");
  out->narrow = lanes_declare_reg (f, PTX_U32, "%nest_narrow");
  out->extended = lanes_declare_reg (f, PTX_U64, "%nest_extended");
  bool good = out->narrow != PTX_NO_INDEX && out->extended != PTX_NO_INDEX
	      && out->shared != PTX_NO_INDEX && out->idle != PTX_NO_INDEX
	      && out->left != PTX_NO_INDEX && out->step != PTX_NO_INDEX && out->wide != PTX_NO_INDEX
	      && out->other != PTX_NO_INDEX && out->wide_place != PTX_NO_INDEX;
  for (unsigned k = 0; k < n->num_counters; k++)
    {
      out->more[k]
	  = lanes_declare_reg (f, n->counters[k].step.bits == 64 ? PTX_U64 : PTX_U32, "%nest_more");
      good &= out->more[k] != PTX_NO_INDEX;
    }
  out->enter = ptx_add_label (f, ptx_fresh_name (f->module->ptx, "$nest_enter"));
  out->head = ptx_add_label (f, ptx_fresh_name (f->module->ptx, "$nest_head"));
  out->leave = ptx_add_label (f, ptx_fresh_name (f->module->ptx, "$nest_leave"));
  return good && out->enter != PTX_NO_INDEX && out->head != PTX_NO_INDEX
	 && out->leave != PTX_NO_INDEX;
}

/* S, a copy of statement I: if it jumps to the loop from outside, it jumps to what stands in front
   of it.  */
static bool
put_copy (struct out *out, const struct ptx_stmt *s, uint32_t i)
{
  const struct lanes_loop *loop = out->n->inner;
  bool earlier = false;

  for (unsigned k = 0; k < out->n->num_earlier; k++)
    earlier |= out->n->earlier[k] == i;
  if (earlier)
    put3 (out, "setp.eq.u32", ptx_reg (out->idle), ptx_reg (out->place), ptx_int (0));
  struct ptx_stmt *copy = ptx_emit_copy (out->f, s);
  if (copy == NULL)
    return false;
  if (earlier)
    guard (copy, out->idle, false);
  if (loop->inside[i] || !(s->kind == PTX_STMT_INSN && s->u.insn.op->opcode == PTX_OP_BRA)
      || out->f->labels[s->u.insn.operands[0].id].stmt != loop->head)
    return true;
  struct ptx_operand *to = ptx_alloc (out->f->module->ptx, sizeof (*to));
  if (to == NULL)
    return false;
  *to = ptx_label_operand (out->enter);
  copy->u.insn.operands = to;
  return true;
}

bool
lanes_emit_nest (struct lanes_nest *n, uint32_t width, uint32_t place, char why[PTX_WHY])
{
  struct ptx_function *f = n->f;
  const struct lanes_loop *loop = n->inner;
  const struct ptx_stmt *old = f->stmts;
  uint32_t num = f->num_stmts, next[2];
  struct out out = { .n = n, .f = f, .width = width, .place = place, .good = true };
  bool falls = false;

  for (unsigned k = loop->head > 0 ? lanes_successors (f, loop->head - 1, next) : 0; k-- > 0;)
    falls |= next[k] == loop->head && loop->inside[loop->head - 1];
  uint32_t predicate = old[loop->test].guard;
  ptx_begin_body (f);
  if (!declare (&out))
    return false;
  for (uint32_t i = 0; i < num && out.good; i++)
    {
      if (i == loop->out)
	out.good &= ptx_emit_label (f, out.leave) != NULL;
      if (i == loop->head)
	{
	  /* An iteration that ends here.  */
	  if (falls)
	    put_jump (&out, out.head, PTX_NO_INDEX, false);
	  put_enter (&out);
	  out.good &= ptx_emit_label (f, out.head) != NULL;
	}
      if (i == loop->test)
	put_test (&out, predicate);
      out.good &= put_copy (&out, &old[i], i);
    }
  return out.good && ptx_end_body (f, why);
}
