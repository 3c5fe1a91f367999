/* nvptx-lanes-blocks.c -- regions that are written like CUDA's kernels, in kernels without the
   library.

	target teams num_teams (G) thread_limit (256)
	  {
	    float tile[16][17];				the team's
	    parallel
	      {
		... thread and team numbers, tile[...] = ..., barrier, ... tile[...] ...
	      }
	  }

   They have no loop that a stride could be made of, threads that wait for one another, and arrays
   in the function's frame, whose places no analysis knows.  So the frame stays what it is, memory:
   the block's shared memory, by its generic address.  What the function stores there is lane 0's
   business, as its other stores are (nvptx-lanes-effects.c).  In the region thread and team numbers
   are registers of the kernel, and a barrier is the GPU's:

	barrier.sync 1, threads of the region

   Not `bar.sync', to which all threads have to come at one place: GCC copies barriers into the ways
   on which threads come to them, and lanes of a warp may have come on different ones.

   Invariants
   1. Barriers are only where the threads of a region are whole warps: numbers that clauses ask for
      are multiples of 32 that stand in the code.  Barrier 0 is the kernel's, for all lanes of the
      block.
   2. The frame's address goes to no function: the function calls none, and what a region calls is
      analysed as lane code.

   Called by nvptx-lanes.c and nvptx-lanes-direct.c.  */

#include "nvptx-lanes-frame.h"
#include "lanes-abi.h"

#include <string.h>

enum lanes_answer
lanes_answer_of (const struct lanes_work *w, ptx_name name)
{
  static const struct { const char *name; enum lanes_answer answer; } answers[] =
  {
    { "omp_get_thread_num", LANES_ANSWER_THREAD }, { "omp_get_num_threads", LANES_ANSWER_THREADS },
    { "omp_get_team_num", LANES_ANSWER_TEAM }, { "omp_get_num_teams", LANES_ANSWER_TEAMS },
    { "GOMP_single_start", LANES_ANSWER_SINGLE }
  };
  const struct ptx_name_entry *e = &w->ptx->names[name];
  size_t prefix = strlen (GOMPX_LANES_PREFIX);
  const char *text = e->text;
  size_t length = e->length;

  /* In Fortran; in a clone.  */
  if (length > 0 && text[length - 1] == '_')
    length--;
  if (length > prefix && memcmp (text, GOMPX_LANES_PREFIX, prefix) == 0)
    {
      text += prefix;
      length -= prefix;
    }
  for (size_t i = 0; i < sizeof (answers) / sizeof (answers[0]); i++)
    if (strlen (answers[i].name) == length && memcmp (answers[i].name, text, length) == 0)
      return answers[i].answer;
  return LANES_ANSWER_NONE;
}

void
lanes_find_block (struct lanes_work *w, struct lanes_function *lf)
{
  lf->can_be_block = lf->meets = false;
  if (lf->object != 0 || lanes_frame_param (lf->f) == PTX_NO_INDEX)
    return;
  for (size_t i = 0; i < w->num_closure; i++)
    {
      const struct lanes_function *other = w->closure[i];
      if (lanes_prints (w, other))
	return;
      for (uint32_t k = 0; k < other->num_calls; k++)
	{
	  const struct lanes_call *call = &other->calls[k];
	  if (call->kind != LANES_CALL_LIBRARY)
	    continue;
	  if (other != lf)
	    return;
	  if (call->stmt > 0 && lanes_is_call_block (w, lf->f, call->stmt - 1, "GOMP_barrier"))
	    lf->meets = true;
	  else if (lanes_answer_of (w, call->name) == LANES_ANSWER_NONE
		   || !lanes_is_answered (lf, call))
	    return;
	}
    }
  lf->can_be_block = true;
}

bool
lanes_is_whole_warps (const struct ptx_function *f, const struct ptx_operand *o)
{
  bool any = false;

  if (o->kind == PTX_O_INT)
    return o->u.value % 32 == 0;
  if (o->kind != PTX_O_REG || o->element != 0 || (f->vars[o->id].flags & PTX_VAR_INNER) != 0)
    return false;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (!lanes_sets_reg (s, o->id))
	continue;
      if (!lanes_is_insn (s, PTX_OP_MOV, 2) || !lanes_is_reg (&s->u.insn.operands[0], o->id)
	  || s->u.insn.operands[1].kind != PTX_O_INT || s->u.insn.operands[1].u.value % 32 != 0)
	return false;
      any = true;
    }
  return any;
}
