/* nvptx-lanes-teams.c -- how many teams share a loop, in a kernel whose lanes run a whole region.

   GCC has teams divide the iterations of a loop, and lanes those of their team.  How many teams there
   are can often be told by nobody: then it is for the kernel to say, which knows how many iterations
   there are, as the launch does not.

   Invariants
   1. A program that has asked for a number of teams gets another one only if nothing of it looks at how
      many there are, or which one it is.
   2. There are no fewer teams than blocks, each of which begins with one.

   Called by nvptx-lanes-direct-emit.c.  No state.  */

#include "nvptx-lanes-direct.h"

enum
{
  MOST_CALLS = 8,		/* of functions by functions that are looked at */
  /* What has proved good (lanes_put_num_teams): so many bytes are more than caches hold, and so many
     iterations of a lane are many, and few.  */
  FAR_BYTES = 32 << 20,
  MANY_ITERATIONS_LOG = 5,
  FEW_ITERATIONS_LOG = 4
};

#define NAME(ptx, name) (int) (ptx)->names[name].length, (ptx)->names[name].text

/* The loop whose iterations teams divide is what the number of teams in register TEAMS is for, set
   in front of statement I, and nothing else: in *NUM how many iterations, a register or its value.  */
static bool
divides_iterations (const struct direct *d, uint32_t i, uint32_t teams, uint32_t *reg,
		    struct ptx_operand *num)
{
  const struct ptx_function *f = d->lf->f;
  uint32_t uses = 0, found = 0, wide = PTX_NO_INDEX, from = i;

  for (uint32_t k = 0; k < f->num_stmts; k++)
    uses += lanes_mentions (&f->stmts[k], teams);
  for (; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      /* A call, of the team's number.  */
      if (s->kind == PTX_STMT_BEGIN)
	{
	  i = s->u.match;
	  continue;
	}
      if (s->kind != PTX_STMT_INSN || s->guard != PTX_NO_INDEX || s->u.insn.op->opcode == PTX_OP_BRA
	  || (*reg != PTX_NO_INDEX && lanes_sets_reg (s, *reg)))
	break;
      const struct ptx_operand *o = s->u.insn.operands;
      bool part = (lanes_is_insn (s, PTX_OP_DIV, 3) || lanes_is_insn (s, PTX_OP_REM, 3))
		  && o[1].kind == PTX_O_REG && o[1].element == 0;
      if (lanes_is_insn (s, PTX_OP_CVT, 2) && lanes_is_reg (&o[1], teams) && wide == PTX_NO_INDEX
	  && o[0].kind == PTX_O_REG && o[0].element == 0
	  && ptx_type_size (f->vars[o[0].id].type) == 8)
	{
	  wide = o[0].id;
	  found++;
	}
      else if (part && (lanes_is_reg (&o[2], teams)
			|| (wide != PTX_NO_INDEX && lanes_is_reg (&o[2], wide))))
	{
	  if (*reg != PTX_NO_INDEX && o[1].id != *reg)
	    break;
	  if (*reg == PTX_NO_INDEX)
	    *num = o[1];
	  *reg = o[1].id;
	  found += lanes_is_reg (&o[2], teams);
	}
      else if (lanes_mentions (s, teams) > 0)
	break;
    }
  /* One more sets it.  */
  if (*reg == PTX_NO_INDEX || found + 1 != uses)
    return false;
  /* The number may be set behind the call.  */
  for (uint32_t k = from; k < i; k++)
    if (f->stmts[k].kind == PTX_STMT_INSN && lanes_sets_reg (&f->stmts[k], *reg))
      {
	*num = f->stmts[k].u.insn.operands[1];
	if (!lanes_is_insn (&f->stmts[k], PTX_OP_MOV, 2) || num->kind != PTX_O_INT)
	  return false;
      }
  return true;
}

/* May code of LF, or what it calls, want to know something of teams?  DEPTH: of calls, beyond which it may.  */
static bool
may_ask_for_teams (const struct lanes_work *w, const struct lanes_function *lf, unsigned depth)
{
  for (uint32_t i = 0; i < lf->num_calls; i++)
    {
      const struct lanes_call *call = &lf->calls[i];
      if (call->name == 0 || lanes_is_routine (w->ptx, call->name, "omp_get_team_num")
	  || lanes_is_routine (w->ptx, call->name, "omp_get_num_teams")
	  || (call->callee != NULL && (depth == 0 || may_ask_for_teams (w, call->callee, depth - 1))))
	return true;
    }
  return false;
}

/* Is the team's number in register TEAM used for nothing but to find its part of a loop: is it the first
   or the last of the iterations that are left over, and where do its own begin?  */
static bool
finds_part (const struct ptx_function *f, uint32_t team)
{
  unsigned compared = 0, multiplied = 0, mentions = 0;

  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      mentions += lanes_mentions (s, team);
      compared += lanes_is_insn (s, PTX_OP_SETP, 3)
		  && (lanes_is_reg (&s->u.insn.operands[1], team) || lanes_is_reg (&s->u.insn.operands[2], team));
      multiplied += (lanes_is_insn (s, PTX_OP_MUL, 3) || lanes_is_insn (s, PTX_OP_MAD, 4))
		    && (lanes_is_reg (&s->u.insn.operands[1], team) || lanes_is_reg (&s->u.insn.operands[2], team));
    }
  return compared == 1 && multiplied == 1 && mentions == 3;
}

/* What is known of how the teams share the iterations of D's function.  */
enum sharing
{
  SHARING_OTHER,		/* as the program says, and may look at */
  SHARING_ASKED,		/* the program says how many teams there are, and nobody can tell */
  SHARING_FREE			/* it does not even say */
};

static enum sharing
find_sharing (const struct direct *d)
{
  const struct ptx_function *f = d->lf->f;
  unsigned asks = 0, regions = 0, numbers = 0;
  bool asked = false, seen = false;

  for (uint32_t call = 0; call < d->lf->num_calls; call++)
    {
      struct lanes_block b;
      const struct lanes_function *region;
      switch (lanes_direct_callee (d->w, &d->lf->calls[call]))
	{
	case LANES_CALLEE_NUM_TEAMS:
	  asks++;
	  break;
	case LANES_CALLEE_TEAM_NUM:
	  numbers++;
	  seen |= !lanes_direct_call (d, call, &b) || !finds_part (f, b.result);
	  break;
	case LANES_CALLEE_PARALLEL:
	  regions++;
	  region = lanes_direct_region (d->w, d->lf, call, d->form);
	  seen |= region == NULL || may_ask_for_teams (d->w, region, MOST_CALLS);
	  break;
	case LANES_CALLEE_TEAMS:
	  if (!lanes_direct_call (d, call, &b))
	    return SHARING_OTHER;
	  asked |= !lanes_is_zero (f, &b.args[1], b.begin);
	  break;
	default:
	  break;
	}
    }
  return asks != 1 || regions != 1 ? SHARING_OTHER : !asked ? SHARING_FREE
	 : !seen && numbers == 1 ? SHARING_ASKED : SHARING_OTHER;
}

/* Does each team of D's function update what all of them do?  */
static bool
updates (const struct direct *d)
{
  if (d->lf->num_atomics > 0 || d->effects.num_sections > 0)
    return true;
  for (uint32_t i = 0; i < d->lf->f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &d->lf->f->stmts[i];
      if (s->kind == PTX_STMT_INSN
	  && (s->u.insn.op->opcode == PTX_OP_ATOM || s->u.insn.op->opcode == PTX_OP_RED))
	return true;
    }
  return false;
}

/* The bytes of the widest access of D's region, or 1.  */
static unsigned
widest_access (const struct direct *d)
{
  unsigned widest = 1;

  for (uint32_t call = 0; call < d->lf->num_calls; call++)
    {
      if (lanes_direct_callee (d->w, &d->lf->calls[call]) != LANES_CALLEE_PARALLEL)
	continue;
      const struct lanes_function *region = lanes_direct_region (d->w, d->lf, call, d->form);
      struct lanes_base base;
      if (region == NULL || !lanes_find_base (region->f, &base, true))
	continue;
      for (uint32_t i = 0; i < region->f->num_stmts; i++)
	{
	  const struct ptx_stmt *s = &region->f->stmts[i];
	  if ((lanes_is_plain (s, PTX_OP_LD) || lanes_is_plain (s, PTX_OP_ST))
	      && !lanes_is_base_access (s, &base) && ptx_type_size (s->u.insn.op->types[0]) > widest)
	    widest = ptx_type_size (s->u.insn.op->types[0]);
	}
    }
  return widest;
}

/* The number of teams, which block B asks for.  Where nobody can tell how many there are it is for
   the kernel to say, which knows how many iterations there are:

     With a sum, or another one behind each team's part, teams wait for each other: one for each
     block, or the next power of two.

     In a loop through more memory than caches hold, neighbouring teams are far apart while each has
     much to do, and go to the same parts of the memory at a time: more teams than that.

     More teams than give each lane an iteration cost time, if each block has one: fewer.

   Each block begins with a team of a number below that of blocks.  */
void
lanes_put_num_teams (const struct direct *d, struct ptx_text *out, const struct lanes_block *b)
{
  const struct ptx_function *f = d->lf->f;
  struct ptx_operand num = { .kind = PTX_O_NONE };
  uint32_t reg = PTX_NO_INDEX;
  enum sharing sharing = find_sharing (d);

  if (sharing != SHARING_OTHER && divides_iterations (d, b->end + 1, b->result, &reg, &num))
    {
      bool wide = ptx_type_size (f->vars[reg].type) == 8, updated = updates (d);
      ptx_printf (out, wide ? "\tmin.u64 %%direct_wide, " : "\tmin.u32 %%direct_some, ");
      ptx_print_operand (out, f, &num);
      ptx_printf (out, ", 2147483647;\n%s"
		  "\tmov.u32 %%direct_most, %%direct_threads;\n%s",
		  wide ? "\tcvt.u32.u64 %direct_some, %direct_wide;\n" : "",
		  d->form == LANES_FORM_WARPS ? "\tshl.b32 %direct_most, %direct_most, 5;\n" : "");
      if (!updated)
	ptx_printf (out, "\tsetp.ge.u32 %%direct_yes, %%direct_some, %u;\n", FAR_BYTES / widest_access (d));
      ptx_printf (out,
		  "\tadd.u32 %%direct_some, %%direct_some, %%direct_most;\n"
		  "\tsub.u32 %%direct_some, %%direct_some, 1;\n"
		  "\tdiv.u32 %%direct_some, %%direct_some, %%direct_most;\n");
      if (updated)
	ptx_printf (out,
		    "\tsub.u32 %%direct_most, %%direct_blocks, 1;\n"
		    "\tclz.b32 %%direct_most, %%direct_most;\n"
		    "\tsub.u32 %%direct_most, 32, %%direct_most;\n"
		    "\tshl.b32 %%direct_most, 1, %%direct_most;\n"
		    "\tmin.u32 %%direct_teams, %%direct_teams, %%direct_most;\n");
      else
	ptx_printf (out,
		    "\tshr.u32 %%direct_most, %%direct_some, %u;\n"
		    "\tsetp.ge.and.u32 %%direct_yes, %%direct_most, %%direct_teams, %%direct_yes;\n"
		    "\tshr.u32 %%direct_most, %%direct_some, %u;\n"
		    "\t@%%direct_yes mov.u32 %%direct_teams, %%direct_most;\n",
		    MANY_ITERATIONS_LOG, FEW_ITERATIONS_LOG);
      if (sharing == SHARING_FREE)
	ptx_printf (out,
		    "\tmax.u32 %%direct_some, %%direct_some, %%direct_blocks;\n"
		    "\tmin.u32 %%direct_teams, %%direct_teams, %%direct_some;\n");
    }
  ptx_printf (out, "\tmov.u32 %.*s, %%direct_teams;\n",
	      NAME (f->module->ptx, f->vars[b->result].name));
}
