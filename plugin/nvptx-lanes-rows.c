/* nvptx-lanes-rows.c -- loops of loops that end when nothing is left for a lane.

   For `simd collapse(n)' GCC has a loop over the outer iterations that a thread has a part of, and
   one over the inner ones in it.  The outer one goes on to the loop's last row, also when the
   thread's part has come to its end; the rows that are left are empty:

     HEAD: min.u32 %n, %left, %row;          how many iterations of this row
	   add.u32 %end, %at, %n;
	   setp.lt.u32 %some, %at, %end;
	   @%some bra BODY;
	   mov.u32 %end, %at;
     NEXT: add.u32 %y, %y, 1; ...
	   setp.le.s32 %last, %rows, %y;
	   @%last bra EXIT;
	   sub.u32 %left, %all, %end; ...
	   mov.u32 %at, %end;
	   bra HEAD;
     EXIT: ret;

   A thread pays for that once.  Lanes that take turns have a part of an iteration or some at a
   time, and went through a thousand empty rows for each.  So who has nothing left goes to EXIT.

   Invariants
   1. With nothing left the loop's other iterations set registers and do nothing else: from NEXT to
      the jump back there are register instructions, and one jump to EXIT.  From HEAD they come to NEXT
      again: %n is 0 or, if the numbers have signs, negative; %end is %at, which is %all, again.
   2. Nobody reads these registers any more: at EXIT the function returns.
   3. Any doubt means that the loop stays as it is.

   Called by nvptx-lanes-rewrite.c.  No state.  */

#include "nvptx-lanes-work.h"

#include <string.h>

/* Instruction I of F, with NUM operands, all of them registers of the outer level or constants, no
   guard, and words that are nothing but a type.  */
static bool
is_plain (const struct ptx_function *f, uint32_t i, ptx_name opcode, unsigned num)
{
  if (i >= f->num_stmts || !lanes_is_insn (&f->stmts[i], opcode, num)
      || f->stmts[i].guard != PTX_NO_INDEX)
    return false;
  for (unsigned k = 0; k < num; k++)
    {
      const struct ptx_operand *o = &f->stmts[i].u.insn.operands[k];
      if (o->kind != PTX_O_INT && lanes_reg_of (f, o) == PTX_NO_INDEX)
	return false;
    }
  return true;
}

static uint32_t
reg (const struct ptx_function *f, uint32_t i, unsigned operand)
{
  return lanes_reg_of (f, &f->stmts[i].u.insn.operands[operand]);
}

static bool
is_signed (const struct ptx_function *f, uint32_t i)
{
  return ptx_is_signed (f->stmts[i].u.insn.op->types[0]);
}

/* Is statement I a jump, with a guard or (GUARDED false) without?  */
static bool
is_jump (const struct ptx_function *f, uint32_t i, bool guarded)
{
  return i < f->num_stmts && lanes_is_insn (&f->stmts[i], PTX_OP_BRA, 1)
	 && f->stmts[i].u.insn.operands[0].kind == PTX_O_LABEL
	 && (f->stmts[i].guard != PTX_NO_INDEX) == guarded;
}

/* Does F return at LABEL?  */
static bool
returns_at (const struct ptx_function *f, uint32_t label)
{
  uint32_t i = f->labels[label].stmt;

  while (i < f->num_stmts && f->stmts[i].kind == PTX_STMT_LABEL)
    i++;
  return i < f->num_stmts && lanes_is_insn (&f->stmts[i], PTX_OP_RET, 0)
	 && f->stmts[i].guard == PTX_NO_INDEX;
}

/* The register in which the loop whose HEAD is statement I of F has what is left, and where it ends
   (EXIT), at its jump back (*BACK).  PTX_NO_INDEX: it is no such loop.  */
static uint32_t
match (const struct ptx_function *f, uint32_t i, uint32_t *back, uint32_t *exit)
{
  uint32_t head = f->stmts[i].u.label, first = i, left = PTX_NO_INDEX;
  bool moved = false;

  if (!is_plain (f, i + 1, PTX_OP_MIN, 3) || !is_plain (f, i + 2, PTX_OP_ADD, 3)
      || !is_plain (f, i + 3, PTX_OP_SETP, 3) || !ptx_op_has (f->stmts[i + 3].u.insn.op, PTX_LT)
      || f->stmts[i + 3].u.insn.op->num_types != 1 || is_signed (f, i + 1) != is_signed (f, i + 3)
      || !is_jump (f, i + 4, true) || f->stmts[i + 4].guard_negated
      || f->stmts[i + 4].guard != reg (f, i + 3, 0) || !is_plain (f, i + 5, PTX_OP_MOV, 2)
      || i + 6 >= f->num_stmts || f->stmts[i + 6].kind != PTX_STMT_LABEL)
    return PTX_NO_INDEX;
  uint32_t n = reg (f, i + 1, 0), end = reg (f, i + 2, 0), at = reg (f, i + 2, 1);
  if (at == PTX_NO_INDEX || at == end || reg (f, i + 2, 2) != n || reg (f, i + 3, 1) != at
      || reg (f, i + 3, 2) != end || reg (f, i + 5, 0) != end || reg (f, i + 5, 1) != at)
    return PTX_NO_INDEX;
  *exit = PTX_NO_INDEX;
  uint32_t all = PTX_NO_INDEX;
  for (i += 7; i < f->num_stmts && !is_jump (f, i, false); i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (is_jump (f, i, true) && *exit == PTX_NO_INDEX)
	{
	  *exit = s->u.insn.operands[0].id;
	  continue;
	}
      if (s->kind != PTX_STMT_INSN || s->guard != PTX_NO_INDEX || s->num_operands == 0
	  || (s->u.insn.op->opcode != PTX_OP_MOV && s->u.insn.op->opcode != PTX_OP_SETP
	      && !lanes_is_arithmetic (s->u.insn.op->opcode))
	  || lanes_sets_reg (s, end) || (all != PTX_NO_INDEX && lanes_sets_reg (s, all)))
	return PTX_NO_INDEX;
      if (is_plain (f, i, PTX_OP_SUB, 3) && reg (f, i, 2) == end && !moved)
	{
	  if (*exit == PTX_NO_INDEX || left != PTX_NO_INDEX)
	    return PTX_NO_INDEX;
	  left = reg (f, i, 0);
	  all = reg (f, i, 1);
	}
      else if (is_plain (f, i, PTX_OP_MOV, 2) && reg (f, i, 0) == at && reg (f, i, 1) == end)
	moved = true;
      else if (lanes_sets_reg (s, at) || (left != PTX_NO_INDEX && lanes_sets_reg (s, left)))
	return PTX_NO_INDEX;
    }
  *back = i;
  if (i >= f->num_stmts || !is_jump (f, i, false) || f->stmts[i].u.insn.operands[0].id != head
      || left == PTX_NO_INDEX || all == PTX_NO_INDEX || !moved || !returns_at (f, *exit))
    return PTX_NO_INDEX;
  /* What is left is what HEAD takes the lesser of; and nobody changes what there is in all.  */
  if ((reg (f, first + 1, 1) != left && reg (f, first + 1, 2) != left) || left == n)
    return PTX_NO_INDEX;
  for (uint32_t k = first; k < i; k++)
    if (lanes_sets_reg (&f->stmts[k], all))
      return PTX_NO_INDEX;
  return left;
}

bool
lanes_emit_rows (struct ptx_function *clone, const struct ptx_function *f, uint32_t i,
		 char why[PTX_WHY])
{
  const struct ptx *ptx = f->module->ptx;
  uint32_t back, exit, left, head;

  if (!is_jump (f, i, false))
    return true;
  head = f->labels[f->stmts[i].u.insn.operands[0].id].stmt;
  if (head >= i || (left = match (f, head, &back, &exit)) == PTX_NO_INDEX || back != i)
    return true;
  const struct ptx_name_entry *name = &ptx->names[f->vars[left].name];
  const struct ptx_name_entry *label = &ptx->names[f->labels[exit].name];
  return ptx_emitf (clone, why,
		    ".reg .pred %%lanes_idle%u;\nsetp.eq.u%u %%lanes_idle%u, %.*s, 0;\n"
		    "@%%lanes_idle%u bra %.*s;\n", head,
		    ptx_type_size (f->vars[left].type) * 8, head, (int) name->length, name->text,
		    head, (int) label->length, label->text) != 0;
}
