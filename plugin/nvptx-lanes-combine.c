/* nvptx-lanes-combine.c -- the end of a region's threads: lanes of a warp combine what they have, and one updates memory.

   A region with a stride may end with updates of memory in each thread (nvptx-lanes-ends.c).  Each lane comes there once, with what
   the threads that it was have made, and whatever the order and the grouping is, it's right.  So lanes of a warp
   make one number of theirs in registers, by the same instruction, for each update, and the first lane makes them:

	threads of the warp = number of threads - 32 * warp
	if they are 32:  for 16, 8, 4, 2, 1:  part = part + part of lane ^ that
	else:  for 16, 8, 4, 2, 1:  if lane + that is a thread:  part = part + part of lane + that
	if this is not lane 0: return
	the update, or the section of updates, under its lock

   Invariants
   1. Every lane that is a thread of the region comes here, once, and nothing that it does before waits for another lane.  So who
      takes part is known from the number of threads, and all can be waited for.
   2. Behind the updates a thread does nothing that can be seen, so lanes without one leave here.
   3. All lanes of a warp that wait in a warp-wide instruction have one mask, which is computed from that number.

   Called by nvptx-lanes-stride-emit.c.  */

#include "nvptx-lanes-work.h"

/* For printf: the name of a register or label.  */
#define NAME(n) (int) f->module->ptx->names[n].length, f->module->ptx->names[n].text
#define REG(r) NAME (f->vars[r].name)

/* The register for what another lane has in part K.  */
#define OTHER "%%lanes_other%u"

/* What lane LANE has in part K of D, by shuffle instruction HOW, goes to OTHER.  */
static bool
emit_other (struct ptx_function *f, const struct lanes_stride *d, unsigned k, const char *how, unsigned lane, const char *mask,
	    char why[PTX_WHY])
{
  uint32_t reg = d->parts[k].reg;
  if (d->parts[k].size == 4)
    return ptx_emitf (f, why, "shfl.sync.%s.b32 " OTHER ", %.*s, %u, 31, %s;\n", how, k, REG (reg), lane, mask) != 0;
  return ptx_emitf (f, why, "mov.b64 {%%lanes_part_low, %%lanes_part_high}, %.*s;\n"
			    "shfl.sync.%s.b32 %%lanes_part_low, %%lanes_part_low, %u, 31, %s;\n"
			    "shfl.sync.%s.b32 %%lanes_part_high, %%lanes_part_high, %u, 31, %s;\n"
			    "mov.b64 " OTHER ", {%%lanes_part_low, %%lanes_part_high};\n",
		    REG (reg), how, lane, mask, how, lane, mask, k) != 0;
}

/* All parts are combined with those of lane LANE; GUARD: if that is so.  */
static bool
emit_step (struct ptx_function *f, const struct lanes_stride *d, const char *how, unsigned lane, const char *mask, const char *guard,
	   char why[PTX_WHY])
{
  for (unsigned k = 0; k < d->num_parts; k++)
    if (!emit_other (f, d, k, how, lane, mask, why)
	|| ptx_emitf (f, why, "%s%s %.*s, %.*s, " OTHER ";\n", guard, d->parts[k].combine, REG (d->parts[k].reg),
		      REG (d->parts[k].reg), k) == 0)
      return false;
  return true;
}

/* What lanes of MASK did before comes before what one of them does under the lock; shuffles don't order memory.  */
static bool
emit_meeting (struct ptx_function *f, const struct lanes_stride *d, const char *mask, char why[PTX_WHY])
{
  return !d->end_locks || ptx_emitf (f, why, "bar.warp.sync %s;\n", mask) != 0;
}

bool
lanes_emit_combine (struct ptx_function *f, const struct lanes_stride *d, char why[PTX_WHY])
{
  ptx_name some = ptx_fresh_name (f->module->ptx, "$lanes_some"), done = ptx_fresh_name (f->module->ptx, "$lanes_combined");

  for (unsigned k = 0; k < d->num_parts; k++)
    if (ptx_emitf (f, why, ".reg %.*s " OTHER ";\n", NAME (f->vars[d->parts[k].reg].type), k) == 0)
      return false;
  if (some == 0 || done == 0
      || ptx_emitf (f, why, ".reg .u32 %%lanes_part_low, %%lanes_part_high, %%lanes_lane, %%lanes_of_warp, %%lanes_from,"
			    " %%lanes_members;\n"
			    ".reg .pred %%lanes_fewer, %%lanes_leaves;\n"
			    "mov.u32 %%lanes_lane, %%laneid;\n"
			    "mov.u32 %%lanes_of_warp, %%tid.y;\n"
			    "shl.b32 %%lanes_of_warp, %%lanes_of_warp, 5;\n"
			    "sub.u32 %%lanes_of_warp, %.*s, %%lanes_of_warp;\n"
			    "setp.lt.u32 %%lanes_fewer, %%lanes_of_warp, 32;\n"
			    "@%%lanes_fewer bra %.*s;\n", REG (d->step), NAME (some)) == 0)
    return false;
  if (!emit_meeting (f, d, "4294967295", why))
    return false;
  for (unsigned lane = 16; lane > 0; lane /= 2)
    if (!emit_step (f, d, "bfly", lane, "4294967295", "", why))
      return false;
  if (ptx_emitf (f, why, "bra %.*s;\n"
			 "%.*s:\n"
			 "mov.u32 %%lanes_members, 1;\n"
			 "shl.b32 %%lanes_members, %%lanes_members, %%lanes_of_warp;\n"
			 "sub.u32 %%lanes_members, %%lanes_members, 1;\n", NAME (done), NAME (some)) == 0
      || !emit_meeting (f, d, "%lanes_members", why))
    return false;
  for (unsigned lane = 16; lane > 0; lane /= 2)
    if (ptx_emitf (f, why, "add.u32 %%lanes_from, %%lanes_lane, %u;\n"
			   "setp.lt.u32 %%lanes_leaves, %%lanes_from, %%lanes_of_warp;\n", lane) == 0
	|| !emit_step (f, d, "down", lane, "%lanes_members", "@%lanes_leaves ", why))
      return false;
  return ptx_emitf (f, why, "%.*s:\n"
			    "setp.ne.u32 %%lanes_leaves, %%lanes_lane, 0;\n"
			    "@%%lanes_leaves ret;\n", NAME (done)) != 0;
}
