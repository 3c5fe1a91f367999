/* nvptx-lanes-stride-emit.c -- clones of regions with a stride: a lane is several threads, one after the other.

   nvptx-lanes-stride.c says which regions these are, and what has been shown of them.

   Called by nvptx-lanes-rewrite.c.  */

#include "nvptx-lanes-work.h"

enum { LEAST_TURNS = 2 };	/* binary logarithm: how many threads each lane has to be where they have pieces */

uint32_t
lanes_declare_reg (struct ptx_function *f, ptx_name type, const char *prefix)
{
  ptx_name name = ptx_fresh_name (f->module->ptx, prefix);
  uint32_t var = name != 0 ? ptx_add_var (f, PTX_REG, type, name) : PTX_NO_INDEX;
  return var != PTX_NO_INDEX && ptx_emit_declare (f, var, 1) != NULL ? var : PTX_NO_INDEX;
}

/* For printf: the name of a register or label.  */
#define NAME(n) (int) f->module->ptx->names[n].length, f->module->ptx->names[n].text
#define REG(r) NAME (f->vars[r].name)

static bool
declare_groups (struct ptx_function *f, struct lanes_stride *d)
{
  d->most = lanes_declare_reg (f, PTX_U32, "%lanes_most");
  d->shift = lanes_declare_reg (f, PTX_U32, "%lanes_shift");
  d->width = lanes_declare_reg (f, PTX_U32, "%lanes_width");
  d->place = lanes_declare_reg (f, PTX_U32, "%lanes_place");
  d->grouped_label = ptx_fresh_name (f->module->ptx, "$lanes_grouped");
  return d->most != PTX_NO_INDEX && d->shift != PTX_NO_INDEX && d->width != PTX_NO_INDEX
	 && d->place != PTX_NO_INDEX && d->grouped_label != 0;
}

bool
lanes_emit_stride_begin (struct ptx_function *f, struct lanes_stride *d, char why[PTX_WHY])
{
  d->again = lanes_declare_reg (f, PTX_PRED, "%lanes_again");
  d->more = lanes_declare_reg (f, PTX_PRED, "%lanes_more");
  d->small = lanes_declare_reg (f, PTX_PRED, "%lanes_small");
  d->thread = lanes_declare_reg (f, PTX_U32, "%lanes_thread");
  d->step = lanes_declare_reg (f, PTX_U32, "%lanes_step");
  d->left = lanes_declare_reg (f, PTX_U32, "%lanes_left");
  d->begin_label = ptx_fresh_name (f->module->ptx, "$lanes_begin");
  d->team_label = ptx_fresh_name (f->module->ptx, "$lanes_step");
  d->id_label = ptx_fresh_name (f->module->ptx, "$lanes_thread");
  if (d->again == PTX_NO_INDEX || d->more == PTX_NO_INDEX || d->small == PTX_NO_INDEX || d->thread == PTX_NO_INDEX
      || d->step == PTX_NO_INDEX || d->left == PTX_NO_INDEX || d->begin_label == 0 || d->team_label == 0
      || d->id_label == 0)
    return false;
  if (d->piece != 0)
    {
      d->few = lanes_declare_reg (f, PTX_PRED, "%lanes_few");
      d->threads = lanes_declare_reg (f, PTX_U32, "%lanes_threads");
      d->each = lanes_declare_reg (f, PTX_U32, "%lanes_each");
      d->over = lanes_declare_reg (f, PTX_U32, "%lanes_over");
      d->counted_label = ptx_fresh_name (f->module->ptx, "$lanes_counted");
      if (d->few == PTX_NO_INDEX || d->threads == PTX_NO_INDEX || d->each == PTX_NO_INDEX || d->over == PTX_NO_INDEX || d->counted_label == 0)
	return false;
    }
  if (d->groups && !declare_groups (f, d))
    return false;
  for (unsigned k = 0; k < d->num_parts; k++)
    if ((d->parts[k].all = lanes_declare_reg (f, f->vars[d->parts[k].reg].type, "%lanes_parts")) == PTX_NO_INDEX)
      return false;
  return ptx_emitf (f, why,
		    "mov.u32 %.*s, 0;\nsetp.ne.u32 %.*s, %.*s, %.*s;\n"
		    "%.*s:\nsetp.ne.u32 %.*s, %.*s, %.*s;\n",
		    REG (d->thread), REG (d->again), REG (d->thread), REG (d->thread),
		    NAME (d->begin_label), REG (d->more), REG (d->thread), REG (d->thread)) != 0;
}

/* How many threads the loop has, the first time: as many as iterations (left), or fewer with a piece each if that leaves
   each lane several.  Nothing overflows, for there are no more iterations than INT_MAX.  */
static bool
emit_pieces (struct ptx_function *f, const struct lanes_stride *d, char why[PTX_WHY])
{
  if (ptx_emitf (f, why,
		 "@%.*s bra %.*s;\n"
		 "mov.u32 %.*s, 0;\nmov.u32 %.*s, %.*s;\n"
		 "shr.u32 %.*s, %.*s, %u;\nsetp.lt.u32 %.*s, %.*s, %.*s;\n"
		 "mov.u32 %.*s, %.*s;\n@%.*s bra %.*s;\n",
		 REG (d->again), NAME (d->counted_label), REG (d->each), REG (d->over), REG (d->left),
		 REG (d->threads), REG (d->left), d->piece + LEAST_TURNS, REG (d->few), REG (d->threads), REG (d->step),
		 REG (d->threads), REG (d->left), REG (d->few), NAME (d->counted_label)) == 0)
    return false;
  return ptx_emitf (f, why,
		    "add.u32 %.*s, %.*s, %u;\nshr.u32 %.*s, %.*s, %u;\ndiv.u32 %.*s, %.*s, %.*s;\n"
		    "rem.u32 %.*s, %.*s, %.*s;\n%.*s:\n",
		    REG (d->threads), REG (d->left), (1U << d->piece) - 1, REG (d->threads), REG (d->threads), d->piece,
		    REG (d->each), REG (d->left), REG (d->threads), REG (d->over), REG (d->left), REG (d->threads),
		    NAME (d->counted_label)) != 0;
}

/* How many lanes are a thread, the first time: so many that all have work if there are fewer
   iterations (left) than lanes.  That is a power of two which the number of lanes is a multiple of.
   Each thread has one iteration then.  */
static bool
emit_groups (struct ptx_function *f, const struct lanes_stride *d, char why[PTX_WHY])
{
  if (ptx_emitf (f, why,
		 "@%.*s bra %.*s;\nmov.u32 %.*s, 1;\nmov.u32 %.*s, 0;\n"
		 "@!%.*s bra %.*s;\nsetp.eq.u32 %.*s, %.*s, 0;\n@%.*s bra %.*s;\n"
		 "add.u32 %.*s, %.*s, %.*s;\nsub.u32 %.*s, %.*s, 1;\ndiv.u32 %.*s, %.*s, "
		 "%.*s;\nsub.u32 %.*s, %.*s, 1;\n"
		 "clz.b32 %.*s, %.*s;\nsub.u32 %.*s, 32, %.*s;\nmin.u32 %.*s, %.*s, %.*s;\n",
		 REG (d->again), NAME (d->grouped_label), REG (d->width), REG (d->place),
		 REG (d->small), NAME (d->grouped_label), REG (d->few), REG (d->left), REG (d->few),
		 NAME (d->grouped_label), REG (d->width), REG (d->step), REG (d->left),
		 REG (d->width), REG (d->width), REG (d->width), REG (d->width), REG (d->left),
		 REG (d->width), REG (d->width), REG (d->shift), REG (d->width), REG (d->shift),
		 REG (d->shift), REG (d->shift), REG (d->shift), REG (d->most))
      == 0)
    return false;
  /* The last bit of the number of lanes.  */
  if (ptx_emitf (f, why,
		 "neg.s32 %.*s, %.*s;\nand.b32 %.*s, %.*s, %.*s;\nclz.b32 %.*s, %.*s;\nsub.u32 "
		 "%.*s, 31, %.*s;\n"
		 "min.u32 %.*s, %.*s, %.*s;\n",
		 REG (d->place), REG (d->step), REG (d->place), REG (d->place), REG (d->step),
		 REG (d->place), REG (d->place), REG (d->place), REG (d->place), REG (d->shift),
		 REG (d->shift), REG (d->place))
      == 0)
    return false;
  return ptx_emitf (f, why,
		    "mov.u32 %.*s, 1;\nshl.b32 %.*s, %.*s, %.*s;\nsub.u32 %.*s, %.*s, 1;\nand.b32 "
		    "%.*s, %.*s, %.*s;\n"
		    "shr.u32 %.*s, %.*s, %.*s;\nshr.u32 %.*s, %.*s, %.*s;\nmov.u32 %.*s, %.*s;\n%s "
		    "%.*s, %.*s;\n%.*s:\n",
		    REG (d->width), REG (d->width), REG (d->width), REG (d->shift), REG (d->place),
		    REG (d->width), REG (d->place), REG (d->place), REG (d->thread),
		    REG (d->thread), REG (d->thread), REG (d->shift), REG (d->step), REG (d->step),
		    REG (d->shift), REG (d->id), REG (d->thread),
		    d->wide_id != d->id ? "cvt.u64.u32" : "mov.u32", REG (d->wide_id),
		    REG (d->thread), NAME (d->grouped_label))
	 != 0;
}

/* Which threads this lane has yet to be, as far as can be said in 32 bits.  */
static bool
emit_count (struct ptx_function *f, const struct lanes_stride *d, char why[PTX_WHY])
{
  if (ptx_emitf (f, why, "setp.le.u%u %.*s, %.*s, 2147483647;\n%s %.*s, %.*s;\n", d->bits, REG (d->small), REG (d->num),
		 d->bits == 64 ? "cvt.u32.u64" : "mov.u32", REG (d->left), REG (d->num)) == 0)
    return false;
  if (d->groups && !emit_groups (f, d, why))
    return false;
  if (d->piece != 0 && !emit_pieces (f, d, why))
    return false;
  uint32_t threads = d->piece != 0 ? d->threads : d->left;
  return ptx_emitf (f, why,
		    "@%.*s setp.lt.u32 %.*s, %.*s, %.*s;\n"
		    "sub.u32 %.*s, %.*s, %.*s;\n"
		    "@%.*s setp.gt.u32 %.*s, %.*s, %.*s;\n",
		    REG (d->small), REG (d->more), REG (d->thread), REG (threads),
		    REG (d->left), REG (threads), REG (d->thread),
		    REG (d->more), REG (d->more), REG (d->left), REG (d->step)) != 0;
}

/* Statement S, a division: of a small number by one that is larger, or by the number of pieces.  */
static bool
emit_division (struct ptx_function *f, const struct lanes_stride *d, const struct ptx_stmt *s, char why[PTX_WHY])
{
  struct ptx_stmt *copy = ptx_emit_copy (f, s);
  if (copy == NULL)
    return false;
  copy->guard = d->small;
  copy->guard_negated = true;
  bool quotient = s->u.insn.op->opcode == PTX_OP_DIV;
  if (d->piece != 0)
    return ptx_emitf (f, why, "@%.*s %s %.*s, %.*s;\n", REG (d->small), d->bits == 64 ? "cvt.u64.u32" : "mov.u32",
		      REG (quotient ? d->quotient : d->rest), REG (quotient ? d->each : d->over)) != 0;
  if (quotient)
    return ptx_emitf (f, why, "@%.*s mov.u%u %.*s, 0;\n", REG (d->small), d->bits, REG (d->quotient)) != 0;
  return ptx_emitf (f, why, "@%.*s mov.u%u %.*s, %.*s;\n", REG (d->small), d->bits, REG (d->rest), REG (d->num)) != 0;
}

/* Begin again, if the lane is to be another thread.  */
static bool
emit_again (struct ptx_function *f, const struct lanes_stride *d, char why[PTX_WHY])
{
  return ptx_emitf (f, why,
		    "@%.*s add.u32 %.*s, %.*s, %.*s;\n@%.*s setp.eq.u32 %.*s, %.*s, %.*s;\n@%.*s bra %.*s;\n",
		    REG (d->more), REG (d->thread), REG (d->thread), REG (d->step),
		    REG (d->more), REG (d->again), REG (d->thread), REG (d->thread),
		    REG (d->more), NAME (d->begin_label)) != 0;
}

/* A thread's end: its parts go to those of the threads before, and the last one combines all of them with other lanes'.  */
static bool
emit_parts (struct ptx_function *f, const struct lanes_stride *d, char why[PTX_WHY])
{
  for (unsigned k = 0; k < d->num_parts; k++)
    {
      const struct lanes_part *p = &d->parts[k];
      if (ptx_emitf (f, why, "@%.*s %s %.*s, %.*s, %.*s;\n@!%.*s mov%.*s %.*s, %.*s;\n", REG (d->again), p->combine,
		     REG (p->all), REG (p->all), REG (p->reg), REG (d->again), NAME (f->vars[p->reg].type), REG (p->all),
		     REG (p->reg)) == 0)
	return false;
    }
  if (!emit_again (f, d, why))
    return false;
  for (unsigned k = 0; k < d->num_parts; k++)
    if (ptx_emitf (f, why, "mov%.*s %.*s, %.*s;\n", NAME (f->vars[d->parts[k].reg].type), REG (d->parts[k].reg),
		   REG (d->parts[k].all)) == 0)
      return false;
  return lanes_emit_combine (f, d, why);
}

bool
lanes_emit_stride (struct ptx_function *f, const struct lanes_function *lf, uint32_t i, bool *done,
		   char why[PTX_WHY])
{
  const struct lanes_stride *d = lf->stride;
  const struct ptx_stmt *s = &lf->f->stmts[i];

  *done = false;
  if (i == d->team_begin || i == d->id_begin)
    return ptx_emitf (f, why, "@%.*s bra %.*s;\n", REG (d->again),
		      NAME (i == d->team_begin ? d->team_label : d->id_label)) != 0;
  if (i == d->div || i == d->rem)
    {
      *done = true;
      return (i != (d->div < d->rem ? d->div : d->rem) || emit_count (f, d, why)) && emit_division (f, d, s, why);
    }
  if (i == d->end_first)
    return emit_parts (f, d, why);
  if (s->kind == PTX_STMT_INSN && s->u.insn.op->opcode == PTX_OP_RET && d->end_first == PTX_NO_INDEX)
    return emit_again (f, d, why);
  return true;
}

bool
lanes_emit_stride_behind (struct ptx_function *f, const struct lanes_function *lf, uint32_t i, char why[PTX_WHY])
{
  const struct lanes_stride *d = lf->stride;

  if (i == d->team_begin + 4)
    return ptx_emitf (f, why, "mov.u32 %.*s, %.*s;\n%.*s:\n", REG (d->step), REG (d->team),
		      NAME (d->team_label)) != 0;
  if (i == d->id_begin + 4)
    return ptx_emitf (f, why, "mov.u32 %.*s, %.*s;\n%.*s:\nmov.u32 %.*s, %.*s;\n", REG (d->thread), REG (d->id),
		      NAME (d->id_label), REG (d->id), REG (d->thread)) != 0;
  return true;
}
