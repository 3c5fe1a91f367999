/* nvptx-lanes-combine.c -- the end of a region's threads: lanes of a warp combine what they have, and one updates memory.

   A region with a stride may end with an atomic update in each thread (nvptx-lanes-stride.c).  Each lane comes there once, with what
   the threads that it was have made, and whatever the order and the grouping is, it's right.  So lanes of a warp
   make one number of theirs in registers, by the same instruction, and the first lane makes the one update:

	threads of the warp = number of threads - 32 * warp
	if they are 32:  for 16, 8, 4, 2, 1:  part = part + part of lane ^ that
	else:  for 16, 8, 4, 2, 1:  if lane + that is a thread:  part = part + part of lane + that
	if this is not lane 0: return
	the update

   Invariants
   1. Every lane that is a thread of the region comes here, once, and nothing that it does before waits for another lane.  So who
      takes part is known from the number of threads, and all can be waited for.
   2. Behind the update a thread does nothing that can be seen, so lanes without one leave here.

   Called by nvptx-lanes-stride-emit.c.  */

#include "nvptx-lanes-work.h"

/* For printf: the name of a register or label.  */
#define NAME(n) (int) f->module->ptx->names[n].length, f->module->ptx->names[n].text
#define REG(r) NAME (f->vars[r].name)

/* What lane LANE has in the part of D, by shuffle instruction HOW, goes to %lanes_other.  */
static bool
emit_other (struct ptx_function *f, const struct lanes_stride *d, const char *how, unsigned lane, const char *mask,
	    char why[PTX_WHY])
{
  if (ptx_type_size (f->vars[d->part].type) == 4)
    return ptx_emitf (f, why, "shfl.sync.%s.b32 %%lanes_other, %.*s, %u, 31, %s;\n", how, REG (d->part), lane, mask) != 0;
  return ptx_emitf (f, why, "mov.b64 {%%lanes_part_low, %%lanes_part_high}, %.*s;\n"
			    "shfl.sync.%s.b32 %%lanes_part_low, %%lanes_part_low, %u, 31, %s;\n"
			    "shfl.sync.%s.b32 %%lanes_part_high, %%lanes_part_high, %u, 31, %s;\n"
			    "mov.b64 %%lanes_other, {%%lanes_part_low, %%lanes_part_high};\n",
		    REG (d->part), how, lane, mask, how, lane, mask) != 0;
}

bool
lanes_emit_combine (struct ptx_function *f, const struct lanes_stride *d, char why[PTX_WHY])
{
  ptx_name some = ptx_fresh_name (f->module->ptx, "$lanes_some"), done = ptx_fresh_name (f->module->ptx, "$lanes_combined");

  if (some == 0 || done == 0
      || ptx_emitf (f, why, ".reg %.*s %%lanes_other;\n"
			    ".reg .u32 %%lanes_part_low, %%lanes_part_high, %%lanes_lane, %%lanes_of_warp, %%lanes_from,"
			    " %%lanes_members;\n"
			    ".reg .pred %%lanes_fewer, %%lanes_leaves;\n"
			    "mov.u32 %%lanes_lane, %%laneid;\n"
			    "mov.u32 %%lanes_of_warp, %%tid.y;\n"
			    "shl.b32 %%lanes_of_warp, %%lanes_of_warp, 5;\n"
			    "sub.u32 %%lanes_of_warp, %.*s, %%lanes_of_warp;\n"
			    "setp.lt.u32 %%lanes_fewer, %%lanes_of_warp, 32;\n"
			    "@%%lanes_fewer bra %.*s;\n",
		    NAME (f->vars[d->part].type), REG (d->step), NAME (some)) == 0)
    return false;
  for (unsigned lane = 16; lane > 0; lane /= 2)
    if (!emit_other (f, d, "bfly", lane, "4294967295", why)
	|| ptx_emitf (f, why, "%s %.*s, %.*s, %%lanes_other;\n", d->combine, REG (d->part), REG (d->part)) == 0)
      return false;
  if (ptx_emitf (f, why, "bra %.*s;\n"
			 "%.*s:\n"
			 "mov.u32 %%lanes_members, 1;\n"
			 "shl.b32 %%lanes_members, %%lanes_members, %%lanes_of_warp;\n"
			 "sub.u32 %%lanes_members, %%lanes_members, 1;\n", NAME (done), NAME (some)) == 0)
    return false;
  for (unsigned lane = 16; lane > 0; lane /= 2)
    if (!emit_other (f, d, "down", lane, "%lanes_members", why)
	|| ptx_emitf (f, why, "add.u32 %%lanes_from, %%lanes_lane, %u;\n"
			      "setp.lt.u32 %%lanes_leaves, %%lanes_from, %%lanes_of_warp;\n"
			      "@%%lanes_leaves %s %.*s, %.*s, %%lanes_other;\n", lane, d->combine, REG (d->part),
		      REG (d->part)) == 0)
      return false;
  return ptx_emitf (f, why, "%.*s:\n"
			    "setp.ne.u32 %%lanes_leaves, %%lanes_lane, 0;\n"
			    "@%%lanes_leaves ret;\n", NAME (done)) != 0;
}
