/* nvptx-lanes-wait.c -- loops of a program in which a thread may wait for another one.

   A thread that waits for a flag of its own making, as

     while (__atomic_load_n (&flag, __ATOMIC_ACQUIRE) != 1)
       ;

   may wait for a lane of its own warp.  GPUs let the lanes of a warp get on independently, but that doesn't make
   them take turns: one that only loads and jumps need not give way (an H200 has it so with weak loads and a
   fence).  One that sleeps does.  So the clones sleep for a moment wherever such a loop begins another turn, as all loops of the library do that
   wait (config/nvptx/lanes/machine.h).

   Where it isn't needed it costs time and nothing else, so it is enough to find all loops that may be meant.  What a
   thread waits for it reads by an operation that orders memory, or by one that nobody may leave out; or it tries
   to change it from one fixed value to another.  A loop that repeats a compare-and-swap with what it has loaded before
   waits for nobody.

   A loop is what is between a label and a jump back to it.  Called by nvptx-lanes.c for each function of a region.  */

#include "nvptx-lanes-work.h"

#include <string.h>

/* Has register REG of LF no value but constants?  */
static bool
is_fixed (const struct lanes_function *lf, uint32_t reg)
{
  for (uint32_t i = 0; i < lf->f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &lf->f->stmts[i];
      if (s->kind == PTX_STMT_INSN && s->num_operands > 0 && s->u.insn.operands[0].kind == PTX_O_REG
	  && s->u.insn.operands[0].id == reg
	  && (s->u.insn.op->opcode != PTX_OP_MOV || s->u.insn.operands[1].kind != PTX_O_INT))
	return false;
    }
  return true;
}

/* May S be what a thread waits by?  */
static bool
may_wait (const struct lanes_function *lf, const struct ptx_stmt *s)
{
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *o = s->u.insn.operands;

  switch (op->opcode)
    {
    case PTX_OP_MEMBAR:
    case PTX_OP_FENCE:
      return true;
    case PTX_OP_LD:
      return ptx_op_has (op, PTX_VOLATILE) || ptx_op_has (op, PTX_ACQUIRE)
	     || (ptx_op_has (op, PTX_RELAXED) && op->space != PTX_LOCAL);
    case PTX_OP_ATOM:
      if (ptx_op_has (op, PTX_EXCH))
	return o[0].kind != PTX_O_SINK;
      return ptx_op_has (op, PTX_CAS) && s->num_operands >= 4
	     && (o[2].kind != PTX_O_REG || is_fixed (lf, o[2].id));
    default:
      return false;
    }
}

void
lanes_find_waits (struct lanes_work *w, struct lanes_function *lf)
{
  const struct ptx_function *f = lf->f;
  uint32_t *label, last = 0;		/* statements, from 1; LAST: of what may wait */

  if (lf->waits_known)
    return;
  lf->waits_known = true;
  label = ptx_alloc (w->ptx, ((size_t) f->num_labels + 1) * sizeof (*label));
  if (label == NULL)
    {
      w->no_memory = true;
      return;
    }
  memset (label, 0, ((size_t) f->num_labels + 1) * sizeof (*label));
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (s->kind == PTX_STMT_LABEL && s->u.label < f->num_labels)
	label[s->u.label] = i + 1;
      if (s->kind != PTX_STMT_INSN)
	continue;
      if (may_wait (lf, s))
	last = i + 1;
      if (s->u.insn.op->opcode != PTX_OP_BRA || s->num_operands == 0 || s->u.insn.operands[0].kind != PTX_O_LABEL
	  || s->u.insn.operands[0].id >= f->num_labels)
	continue;
      uint32_t begin = label[s->u.insn.operands[0].id];
      if (begin == 0 || last < begin)
	continue;
      if (lf->waits == NULL)
	{
	  lf->waits = ptx_alloc (w->ptx, f->num_stmts * sizeof (*lf->waits));
	  if (lf->waits == NULL)
	    {
	      w->no_memory = true;
	      return;
	    }
	  memset (lf->waits, 0, f->num_stmts * sizeof (*lf->waits));
	}
      lf->waits[i] = true;
    }
}
