/* nvptx-lanes-depth.c -- how much of its stack a lane's calls take.

   Return addresses and the registers that are live across calls are on a stack that the GPU has for
   each thread.  With warps local variables are elsewhere (nvptx-stacks.c); a lane has them on that
   stack, too.  Where nothing is recursive the frames along the deepest way are what they take.  How
   many calls of a recursive function are active only data knows: for these there is a share of the
   device's memory (nvptx-limit.c), in which a call has what the GPU's compiler saves.  So that as
   many can be active with lanes as with warps, lanes need a larger one: by the part that a call's
   frame is of that.

   What a call saves is not known here, but that it is not less than

	8 for the return address
	+ 12 with a frame, for the warp's stack pointer to be restored, and where it is kept
	+ the registers that are read behind the call and were set before, where most are

   in bytes: on some way behind the call, and without those that only ever get numbers, which the
   compiler need not save.  For functions of GCC 12 from -O1 to -O3 (lanes-recursion.sh) that is from
   8 bytes less to 4 more than what ptxas 13 reports for sm_90.  The lane's clone saves 12 less: it
   has nothing to restore.

   The soft stack is aligned to 16 bytes, which on the GPU's own costs a call up to 16 more.  Where
   nothing counts on it a frame is aligned to 8.

   Invariants
   1. For each recursive function 256 * its frame <= share * what its call saves at least.  So any
      calls of such functions whose savings have room in S bytes have frames in S * share / 256.
   2. A function that is not recursive has one call at a time in a lane: depth is the sum along the
      deepest way, and recursive functions add nothing to it.

   Called by nvptx-lanes.c and nvptx-lanes-blocks.c.  */

#include "nvptx-lanes-work.h"

#include <stdlib.h>
#include <string.h>

enum { RETURN_ADDRESS = 8, STACK_POINTER = 12, WORD = 8 };

/* ---- who is recursive ---- */

bool
lanes_is_recursive (struct lanes_work *w, struct lanes_function *lf)
{
  size_t from = w->num_closure;
  bool found = false;

  w->mark++;
  for (size_t at = from; !found && at <= w->num_closure; at++)
    {
      const struct lanes_function *caller = at == from ? lf : w->closure[at - 1];
      for (uint32_t i = 0; i < caller->num_calls && !found; i++)
	if (caller->calls[i].kind == LANES_CALL_CODE)
	  {
	    found = caller->calls[i].callee == lf;
	    if (!found && !lanes_add_to_closure (w, caller->calls[i].callee))
	      found = true;
	  }
    }
  w->num_closure = from;
  return found;
}

/* ---- frames ---- */

/* What SIZE bytes, aligned to ALIGN, take at most on a stack of words.  */
static uint64_t
on_stack (uint64_t size, uint32_t align)
{
  return size + (align > WORD ? align - 1 : 0);
}

/* Bytes of LF's local variables in memory, and what alignment may take besides.  */
static uint32_t
local_bytes (const struct lanes_function *lf)
{
  uint64_t bytes = lf->has_frame && lf->frame_size + lf->outgoing_size > 0
		   ? on_stack (lf->frame_size + lf->outgoing_size, lf->frame_align) : 0;
  for (uint32_t i = 0; i < lf->f->num_vars; i++)
    if (lf->f->vars[i].space == PTX_LOCAL)
      bytes += on_stack ((ptx_var_size (&lf->f->vars[i]) + WORD - 1) / WORD * WORD,
			 ptx_var_align (&lf->f->vars[i]));
  bytes = (bytes + WORD - 1) / WORD * WORD;
  return bytes < UINT16_MAX ? bytes : UINT16_MAX;
}

/* Could F count on an address that is a multiple of 16?  Accesses of 16 bytes do, and `or' in place
   of an addition.  */
static bool
counts_on_alignment (const struct ptx_function *f)
{
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (s->kind != PTX_STMT_INSN)
	continue;
      const struct ptx_op *op = s->u.insn.op;
      bool access = op->opcode != PTX_OP_MOV && op->opcode != PTX_OP_CVT && op->space != PTX_PARAM;
      for (unsigned k = 0; k < op->num_types; k++)
	if (access && ptx_type_size (op->types[k]) * op->vector > WORD)
	  return true;
      if ((op->opcode == PTX_OP_OR || op->opcode == PTX_OP_LOP3) && op->num_types > 0
	  && ptx_type_size (op->types[0]) >= WORD)
	return true;
    }
  return false;
}

/* Align the frame of LF to words, if nobody who gets its address, which is LF and what that calls,
   counts on more.  Uses w->closure behind what is in it.  */
static bool
loosen_frame (struct lanes_work *w, struct lanes_function *lf)
{
  size_t from = w->num_closure;
  bool good = true, loose = lf->has_frame && lf->frame_loose;

  w->mark++;
  good = lanes_add_to_closure (w, lf);
  for (size_t i = from; i < w->num_closure && good && loose; i++)
    {
      struct lanes_function *other = w->closure[i];
      loose = !counts_on_alignment (other->f);
      for (uint32_t k = 0; k < other->num_calls && good; k++)
	if (other->calls[k].kind == LANES_CALL_CODE)
	  good = lanes_add_to_closure (w, other->calls[k].callee);
    }
  w->num_closure = from;
  if (good && loose)
    lf->frame_align = WORD;
  return good;
}

static void
find_depths (struct lanes_work *w)
{
  bool again = true;
  for (size_t i = 0; i < w->num_closure; i++)
    w->closure[i]->depth = w->closure[i]->recursive ? 0 : local_bytes (w->closure[i]);
  for (size_t round = 0; again && round <= w->num_closure; round++)
    {
      again = false;
      for (size_t i = 0; i < w->num_closure; i++)
	{
	  struct lanes_function *lf = w->closure[i];
	  uint32_t deepest = 0;
	  for (uint32_t k = 0; k < lf->num_calls; k++)
	    if (lf->calls[k].kind == LANES_CALL_CODE && lf->calls[k].callee->depth > deepest)
	      deepest = lf->calls[k].callee->depth;
	  uint32_t depth = (lf->recursive ? 0 : local_bytes (lf)) + deepest;
	  if (depth > lf->depth)
	    {
	      lf->depth = depth < UINT16_MAX ? depth : UINT16_MAX;
	      again = lf->depth < UINT16_MAX;
	    }
	}
    }
}

/* ---- what calls save ---- */

/* A way behind a call.  */
struct way
{
  const struct lanes_function *lf;
  bool *known;			/* by variable: it has been read or set on the way */
  bool *passed;			/* by statement */
  uint32_t bytes;		/* of registers that are read first */
  bool frame;			/* one of them is where the frame is */
};

/* Is REG never anything but a number or an address that the code names?  */
static bool
is_constant (const struct ptx_function *f, uint32_t reg)
{
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (lanes_sets_reg (s, reg)
	  && !(s->u.insn.op->opcode == PTX_OP_MOV && s->num_operands == 2
	       && s->u.insn.operands[1].kind != PTX_O_REG
	       && s->u.insn.operands[1].kind != PTX_O_VECTOR))
	return false;
    }
  return true;
}

static void
read_register (struct way *way, uint32_t reg)
{
  const struct lanes_function *lf = way->lf;
  const struct ptx_var *v = &lf->f->vars[reg];

  if (way->known[reg])
    return;
  way->known[reg] = true;
  if (lf->has_frame && (reg == lf->frame_reg || reg == lf->stack_reg))
    {
      way->bytes += way->frame ? 0 : WORD;
      way->frame = true;
      return;
    }
  if (v->type == PTX_PRED || (lf->has_frame && (reg == lf->slot_reg || reg == lf->previous_reg))
      || is_constant (lf->f, reg))
    return;
  uint64_t size = ptx_var_size (v);
  way->bytes += size < 4 ? 4 : size;
}

static void
read_operand (struct way *way, const struct ptx_operand *o)
{
  switch (o->kind == PTX_O_ADDRESS ? o->base : o->kind)
    {
    case PTX_O_REG:
      read_register (way, o->id);
      break;
    case PTX_O_VECTOR:
    case PTX_O_PAIR:
    case PTX_O_ARGS:
    case PTX_O_BRACKETS:
      for (uint32_t i = 0; i < o->id; i++)
	read_operand (way, &o->u.list[i]);
      break;
    default:
      break;
    }
}

/* O is a result: what it names is set, if that is certain.  */
static void
set_operand (struct way *way, const struct ptx_operand *o, bool certain)
{
  switch (o->kind)
    {
    case PTX_O_REG:
      /* Of a vector, too, of which only a part is set: less is counted then.  */
      way->known[o->id] |= certain || o->element != 0;
      break;
    case PTX_O_VECTOR:
    case PTX_O_PAIR:
    case PTX_O_ARGS:
      for (uint32_t i = 0; i < o->id; i++)
	set_operand (way, &o->u.list[i], certain);
      break;
    default:
      break;
    }
}

/* Go on behind statement I.  Of two ways that behind the branch is as good as the other: each shows
   some of what is read.  */
static void
go (struct way *way, uint32_t i)
{
  const struct ptx_function *f = way->lf->f;

  for (i++; i < f->num_stmts && !way->passed[i]; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      way->passed[i] = true;
      if (s->kind != PTX_STMT_INSN)
	continue;
      ptx_name opcode = s->u.insn.op->opcode;
      bool always = s->guard == PTX_NO_INDEX;
      unsigned result = opcode == PTX_OP_CALL ? PTX_CALL_RESULT
			: lanes_has_result (opcode) ? 0 : s->num_operands;
      for (unsigned k = 0; k < s->num_operands; k++)
	if (k != result)
	  read_operand (way, &s->u.insn.operands[k]);
      if (result < s->num_operands)
	set_operand (way, &s->u.insn.operands[result], always);
      if (!always)
	continue;
      if (opcode == PTX_OP_BRA && s->num_operands == 1 && s->u.insn.operands[0].kind == PTX_O_LABEL)
	i = f->labels[s->u.insn.operands[0].id].stmt - 1;
      else if (opcode == PTX_OP_BRX || opcode == PTX_OP_RET || opcode == PTX_OP_EXIT
	       || opcode == PTX_OP_TRAP)
	return;
    }
}

/* What a call of LF saves at least; 0: no memory.  */
static uint32_t
saved_bytes (const struct lanes_function *lf)
{
  const struct ptx_function *f = lf->f;
  struct way way = { .lf = lf };
  uint32_t most = 0;

  way.known = malloc (f->num_vars + 1);
  way.passed = malloc (f->num_stmts + 1);
  bool good = way.known != NULL && way.passed != NULL;
  for (uint32_t k = 0; k < lf->num_calls && good; k++)
    {
      memset (way.known, false, f->num_vars);
      memset (way.passed, false, f->num_stmts);
      way.bytes = 0;
      way.frame = false;
      /* The call's own result comes from it.  */
      set_operand (&way, &f->stmts[lf->calls[k].stmt].u.insn.operands[PTX_CALL_RESULT], true);
      go (&way, lf->calls[k].stmt);
      if (way.bytes > most)
	most = way.bytes;
    }
  free (way.known);
  free (way.passed);
  return good ? RETURN_ADDRESS + (lf->has_frame ? STACK_POINTER : 0) + most : 0;
}

/* ---- all that a region calls ---- */

enum nvptx_lanes_reason
lanes_find_depth (struct lanes_work *w, struct nvptx_lanes_region *result,
		  struct lanes_function **where)
{
  result->call_bytes = result->share = 0;
  for (size_t i = 0; i < w->num_closure; i++)
    w->closure[i]->recursive = lanes_is_recursive (w, w->closure[i]);
  for (size_t i = 0; i < w->num_closure; i++)
    {
      struct lanes_function *lf = w->closure[i];
      if (!lf->recursive)
	continue;
      *where = lf;
      /* Whether kernels have recursion is found out of the program's code alone (nvptx-code.c).  */
      if (i == 0 || lf->object != 0 || (w->flags & NVPTX_LANES_RECURSION) == 0)
	return LANES_RECURSION;
      if (!loosen_frame (w, lf))
	return LANES_UNREADABLE;
      uint32_t frame = local_bytes (lf), saved = frame > 0 ? saved_bytes (lf) : 1;
      if (saved == 0)
	{
	  w->no_memory = true;
	  return LANES_UNREADABLE;
	}
      uint32_t share = (NVPTX_LANES_SHARE * frame + saved - 1) / saved;
      if (share > NVPTX_LANES_SHARE)
	return LANES_RECURSION_SIZE;
      if (frame > result->call_bytes)
	result->call_bytes = frame;
      if (share > result->share)
	result->share = share;
    }
  find_depths (w);
  *where = w->closure[0];
  result->local_bytes = w->closure[0]->depth;
  return w->closure[0]->depth > NVPTX_LANES_STACK ? LANES_STACK_SIZE : LANES_NO_REASON;
}
