/* frame.c -- the stack that a function's calls take on a GPU.

   A GPU's thread has a stack for what is live across calls: the assembler keeps it in registers
   that the callee saves, or spills it; either way it is in memory while the callee runs.  What that
   takes only the assembler knows.  The model,

	8 for the return address + registers live across a call, where most are + .local variables

   in multiples of 8, and no return address for who calls nobody, is close to what ptxas reports,
   and mostly below it: 0.88 times, added up for the libraries of GCC 12 and sm_90, and 0.76 for our
   device library.  So hardly anything is refused here that a GPU takes.

   The driver computes the stack of a kernel from that, except where a function may be entered
   again before it has returned: then it takes its limit (CU_LIMIT_STACK_SIZE), and who needs
   more writes behind the stack (control.c).

   What is live is found out backwards, from statement to statement: what labels have is taken from
   the pass before, until a pass changes none.  */

#include "program.h"

#include <stdlib.h>
#include <string.h>

enum { RETURN_ADDRESS = 8, UNIT = 8, WORD = 64 };

/* Sets have a bit for each variable of the function.  */
struct frame
{
  const struct ptx_function *node;
  size_t words;			/* of a set */
  uint64_t *now;		/* live behind the statement at hand */
  uint64_t *labels;		/* [num_labels] sets: live there */
  bool changed;			/* one of these, in this pass */
  bool calls;
  uint64_t most;		/* bytes of registers across a call */
};

static void
mention (struct frame *f, const struct ptx_operand *o, bool live)
{
  switch (o->kind)
    {
    case PTX_O_ADDRESS:
      if (o->base == PTX_O_REG)
	f->now[o->id / WORD] |= UINT64_C (1) << o->id % WORD;
      break;
    case PTX_O_REG:
      if (live)
	f->now[o->id / WORD] |= UINT64_C (1) << o->id % WORD;
      else if (o->element == 0)
	f->now[o->id / WORD] &= ~(UINT64_C (1) << o->id % WORD);
      break;
    case PTX_O_VECTOR:
    case PTX_O_PAIR:
    case PTX_O_ARGS:
    case PTX_O_BRACKETS:
      for (uint32_t i = 0; i < o->id; i++)
	mention (f, &o->u.list[i], live);
      break;
    default:
      break;
    }
}

static void
look_at_call (struct frame *f)
{
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < f->node->num_vars; i++)
    if ((f->now[i / WORD] >> i % WORD & 1) != 0)
      {
	const struct ptx_var *v = &f->node->vars[i];
	uint64_t size = ptx_var_size (v);
	bytes += v->type == PTX_PRED ? 1 : size < 4 ? 4 : size;
      }
  f->calls = true;
  if (bytes > f->most)
    f->most = bytes;
}

/* Control may go on at label L, or at any one, instead of behind the statement at hand.  */
static void
go_on_at (struct frame *f, uint32_t l, bool any)
{
  for (uint32_t i = any ? 0 : l; i < (any ? f->node->num_labels : l + 1); i++)
    for (size_t k = 0; k < f->words; k++)
      f->now[k] |= f->labels[i * f->words + k];
}

/* From behind S to before it.  */
static void
step_back (struct frame *f, const struct ptx_stmt *s)
{
  const struct ptx_operand *o = s->u.insn.operands;
  const size_t bytes = f->words * sizeof (*f->now);
  bool always = s->guard == PTX_NO_INDEX, defines = false;

  switch (s->u.insn.op->opcode)
    {
    case PTX_OP_BRA:
    case PTX_OP_BRX:
      if (always)
	memset (f->now, 0, bytes);
      if (s->num_operands > 0)
	go_on_at (f, o[0].kind == PTX_O_LABEL ? o[0].id : 0, o[0].kind != PTX_O_LABEL);
      break;
    case PTX_OP_RET:
    case PTX_OP_EXIT:
    case PTX_OP_TRAP:
      if (always)
	memset (f->now, 0, bytes);
      break;
    case PTX_OP_CALL:
      if (always)
	mention (f, &o[PTX_CALL_RESULT], false);
      look_at_call (f);
      defines = true;
      break;
    case PTX_OP_ST:
    case PTX_OP_RED:
    case PTX_OP_BAR:
    case PTX_OP_BARRIER:
    case PTX_OP_NANOSLEEP:
      break;
    default:
      defines = true;
      if (always && s->num_operands > 0)
	mention (f, &o[0], false);
    }
  for (unsigned i = defines ? 1 : 0; i < s->num_operands; i++)
    mention (f, &o[i], true);
  if (!always)
    f->now[s->guard / WORD] |= UINT64_C (1) << s->guard % WORD;
}

static void
pass (struct frame *f)
{
  f->changed = false;
  memset (f->now, 0, f->words * sizeof (*f->now));
  for (uint32_t at = f->node->num_stmts; at-- > 0; )
    {
      const struct ptx_stmt *s = &f->node->stmts[at];
      if (s->kind == PTX_STMT_INSN)
	step_back (f, s);
      else if (s->kind == PTX_STMT_LABEL)
	for (size_t k = 0; k < f->words; k++)
	  {
	    uint64_t *l = &f->labels[s->u.label * f->words + k];
	    f->changed |= (f->now[k] & ~*l) != 0;
	    *l |= f->now[k];
	  }
    }
}

bool
frame_size (const struct ptx_function *node, uint32_t local_bytes, uint32_t *bytes)
{
  struct frame f = { .node = node, .words = node->num_vars / WORD + 1 };

  f.now = calloc (f.words, sizeof (*f.now));
  f.labels = calloc (f.words * (node->num_labels + 1), sizeof (*f.labels));
  bool good = f.now != NULL && f.labels != NULL;
  if (good)
    {
      do
	pass (&f);
      while (f.changed);
      uint64_t all = local_bytes + f.most + (f.calls ? RETURN_ADDRESS : 0);
      *bytes = (uint32_t) ((all + UNIT - 1) & ~(uint64_t) (UNIT - 1));
    }
  free (f.labels);
  free (f.now);
  return good;
}
