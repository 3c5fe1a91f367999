/* nvptx-lanes-rewrite.c -- clones of an image's functions for regions in which a lane is a thread.

   Three kinds of clones, each in the module of the function that it is of:

     lane clones, NAME$lanes	what lane code calls instead of NAME
     carriers, NAME$carrier	code of warp mode that begins such regions, or calls what does
     kernels, NAME$lanes	entries whose region is a carrier; NAME$warps: nvptx-lanes-warps.c

   A lane clone differs from the function in this and nothing else: the frame is an array in .local; lanes are alone,
   so what only the master lane does is done by all and what waits for the other lanes is left out; lanes of a warp
   go through a section that a lock excludes in turn (nvptx-lanes-turns.c); loops that may wait
   for another thread sleep; a static loop's iterations are taken one after the other (nvptx-lanes-stride.c); calls go to clones and to the library's versions for lanes; .uni is gone.  A carrier
   differs in calls: of those that begin a region with a lane clone, and of other carriers.

   Invariants
   1. Functions, variables and kernels of the image stay, so warp mode is what it was.
   2. New names end in a suffix with `$'; if the image has such a name already nothing is rewritten.
   3. Every module says .target sm_70 at least, without which lanes of a warp need not get on independently.

   Called by nvptx-lanes.c.  What was changed is printed into w->texts.  */

#include "nvptx-lanes-work.h"
#include "lanes-abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  LEAST_SM = 70,
  LEAST_VERSION_MAJOR = 6,
  LEAST_VERSION_MINOR = 3,	/* activemask, nanosleep */
  SLEEP = 32			/* nanoseconds */
};

/* ---- statements ---- */

/* A copy that has its own operands.  */
static struct ptx_operand *
copy_operands (struct ptx *ptx, const struct ptx_operand *from, uint32_t num, uint32_t more)
{
  struct ptx_operand *to = ptx_alloc (ptx, (num + more) * sizeof (*to));
  if (to != NULL && num > 0)
    memcpy (to, from, num * sizeof (*to));
  return to;
}

static struct ptx_operand
variable (uint32_t var)
{
  return (struct ptx_operand) { .kind = PTX_O_VAR, .id = var };
}

/* A new variable and its declaration.  */
static uint32_t
declare (struct ptx_function *f, ptx_name space, ptx_name type, const char *prefix)
{
  ptx_name name = ptx_fresh_name (f->module->ptx, prefix);
  uint32_t var = name != 0 ? ptx_add_var (f, space, type, name) : PTX_NO_INDEX;
  if (var != PTX_NO_INDEX && ptx_emit_declare (f, var, 1) == NULL)
    return PTX_NO_INDEX;
  return var;
}

static bool
emit2 (struct ptx_function *f, const char *text, struct ptx_operand a, struct ptx_operand b)
{
  struct ptx_stmt *s = ptx_emit_insn (f, text, 2);
  if (s == NULL)
    return false;
  s->u.insn.operands[0] = a;
  s->u.insn.operands[1] = b;
  return true;
}

static bool
emit3 (struct ptx_function *f, const char *text, struct ptx_operand a, struct ptx_operand b,
       struct ptx_operand c)
{
  struct ptx_stmt *s = ptx_emit_insn (f, text, 3);
  if (s == NULL)
    return false;
  s->u.insn.operands[0] = a;
  s->u.insn.operands[1] = b;
  s->u.insn.operands[2] = c;
  return true;
}

/* A call of NAME instead, with MORE arguments to be filled in.  */
static struct ptx_operand *
emit_call (struct ptx_function *f, const struct ptx_stmt *call, ptx_name name, uint32_t more)
{
  struct ptx *ptx = f->module->ptx;
  struct ptx_stmt *s = ptx_emit_copy (f, call);
  struct ptx_operand *operands = copy_operands (ptx, call->u.insn.operands, PTX_CALL_OPERANDS, 0);
  if (s == NULL || operands == NULL)
    return NULL;
  struct ptx_operand *args = &operands[PTX_CALL_ARGS];
  s->u.insn.operands = operands;
  operands[PTX_CALL_TARGET] = ptx_symbol (name);
  if (more == 0)
    return operands;
  uint32_t num = args->kind == PTX_O_ARGS ? args->id : 0;
  args->kind = PTX_O_ARGS;
  args->u.list = copy_operands (ptx, args->u.list, num, more);
  args->id = num + more;
  return args->u.list != NULL ? args->u.list + num : NULL;
}

/* ---- lane clones ---- */

/* Where LF's frame begins, above what is passed by address to callees.  */
static uint64_t
frame_below (const struct lanes_function *lf)
{
  return ((uint64_t) lf->outgoing_size + lf->frame_align - 1) / lf->frame_align * lf->frame_align;
}

/* An array instead of the warp's stack.  */
static bool
emit_frame (struct ptx_function *f, const struct lanes_function *lf)
{
  uint64_t size = (uint64_t) lf->frame_size + lf->outgoing_size;
  if (size == 0)
    return emit2 (f, "mov.u64", ptx_reg (lf->stack_reg), ptx_int (0))
	   && emit2 (f, "mov.u64", ptx_reg (lf->frame_reg), ptx_int (0));

  /* What is passed by address to callees is below the frame, which has the alignment.  */
  uint64_t below = frame_below (lf);
  ptx_name name = ptx_fresh_name (f->module->ptx, "%lanes_frame");
  uint32_t var = name != 0 ? ptx_add_var (f, PTX_LOCAL, PTX_B8, name) : PTX_NO_INDEX;
  if (var == PTX_NO_INDEX)
    return false;
  struct ptx_var_more *more = ptx_alloc (f->module->ptx, sizeof (*more));
  uint64_t *dims = ptx_alloc (f->module->ptx, sizeof (*dims));
  if (more == NULL || dims == NULL)
    return false;
  dims[0] = below + lf->frame_size;
  more->num_dims = 1;
  more->dims = dims;
  f->vars[var].align = lf->frame_align;
  f->vars[var].more = more;
  return ptx_emit_declare (f, var, 1) != NULL
	 && emit2 (f, "cvta.local.u64", ptx_reg (lf->frame_reg), variable (var))
	 && emit3 (f, "add.u64", ptx_reg (lf->frame_reg), ptx_reg (lf->frame_reg), ptx_int (below))
	 && emit3 (f, "sub.u64", ptx_reg (lf->stack_reg), ptx_reg (lf->frame_reg),
		   ptx_int (lf->outgoing_size));
}

/* The registers of the block for lanes that are alone, though no statement may be left that reads them.  */
static bool
emit_alone (struct ptx_function *f, const struct lanes_function *lf)
{
  struct ptx_operand lane = ptx_reg (lf->lane_reg);
  return emit2 (f, "mov.u32", lane, ptx_int (0))
	 && emit3 (f, "setp.eq.u32", ptx_reg (lf->master_reg), lane, lane)
	 && emit3 (f, "setp.ne.u32", ptx_reg (lf->together_reg), lane, lane);
}

/* The frame is given back: nothing to do.  */
static bool
is_give_back (const struct lanes_function *lf, const struct ptx_stmt *s)
{
  const struct ptx_operand *o = s->u.insn.operands;
  return lf->has_frame && s->guard == PTX_NO_INDEX && s->num_operands == 2
	 && s->u.insn.op->opcode == PTX_OP_ST && s->u.insn.op->space == PTX_SHARED
	 && o[0].kind == PTX_O_ADDRESS && o[0].base == PTX_O_REG && o[0].id == lf->slot_reg;
}

static struct ptx_op *
without_uni (struct ptx *ptx, const struct ptx_op *op)
{
  char text[200];
  const struct ptx_name_entry *e = &ptx->names[op->text];
  char *uni;

  if (e->length >= sizeof (text))
    return NULL;
  memcpy (text, e->text, e->length);
  text[e->length] = 0;
  uni = strstr (text, ".uni");
  if (uni != NULL)
    memmove (uni, uni + 4, strlen (uni + 4) + 1);
  return ptx_get_op (ptx, text);
}

bool
lanes_need_declaration (struct ptx_module *module, const struct ptx_function *like, ptx_name name)
{
  return ptx_find_item (module, name) != NULL
	 || (like != NULL && ptx_declare_function (module, like, name) != NULL);
}

/* Declare NAME, a clone of F, in F's module: with F's linkage, as the definition follows.  */
static bool
declare_clone (const struct ptx_function *f, ptx_name name)
{
  if (ptx_find_item (f->module, name) != NULL)
    return true;
  struct ptx_function *declaration = ptx_declare_function (f->module, f, name);
  if (declaration == NULL)
    return false;
  declaration->linkage = f->linkage;
  return true;
}

/* The function that lane code calls for CALL of LF.  */
static ptx_name
lane_target (struct lanes_work *w, const struct lanes_call *call)
{
  bool record;
  if (call->kind == LANES_CALL_LIBRARY)
    return lanes_library_version (w, call->name, &record);
  if (call->kind == LANES_CALL_CODE && call->callee->clone_name != 0)
    return call->callee->clone_name;
  return call->name;
}

/* Another turn of a loop that may wait for another lane: let that get on.  */
static bool
emit_sleep (struct ptx_function *f, const struct ptx_stmt *jump)
{
  struct ptx_stmt *s = ptx_emit_insn (f, "nanosleep.u32", 1);
  if (s == NULL)
    return false;
  s->guard = jump->guard;
  s->guard_negated = jump->guard_negated;
  s->u.insn.operands[0] = ptx_int (SLEEP);
  return true;
}

static bool
emit_lane_stmt (struct lanes_work *w, struct ptx_function *f, const struct lanes_function *lf, uint32_t i,
		const struct lanes_call *call)
{
  const struct ptx_stmt *s = &lf->f->stmts[i];
  struct ptx_stmt *copy;

  if (lf->waits != NULL && lf->waits[i] && !emit_sleep (f, s))
    return false;
  if (s->kind == PTX_STMT_INSN)
    {
      if (is_give_back (lf, s)
	  || (lf->has_uniform && s->guard == lf->together_reg && !s->guard_negated))
	return true;
      if (call != NULL && lane_target (w, call) != call->name)
	return emit_call (f, s, lane_target (w, call), 0) != NULL;
    }
  copy = ptx_emit_copy (f, s);
  if (copy == NULL)
    return false;
  if (s->kind == PTX_STMT_INSN)
    {
      if (lf->has_uniform && s->guard == lf->master_reg && !s->guard_negated)
	copy->guard = PTX_NO_INDEX;
      if (ptx_op_has (s->u.insn.op, PTX_UNI)
	  && (copy->u.insn.op = without_uni (w->ptx, s->u.insn.op)) == NULL)
	return false;
    }
  return true;
}

/* What the block that begins at statement I becomes, if it is the begin or the end of a section that lanes execute in
   turn.  *DONE: it was.  */
static bool
emit_turns (struct lanes_work *w, struct ptx_function *f, const struct lanes_function *lf, uint32_t i, bool *done,
	    char why[PTX_WHY])
{
  bool record;
  for (uint32_t k = 0; k < lf->num_turns; k++)
    {
      if (i != lf->turns[k].begin && i != lf->turns[k].end)
	continue;
      *done = true;
      ptx_name target
	= lanes_library_version (w, lf->f->stmts[i + 1].u.insn.operands[PTX_CALL_TARGET].id, &record);
      return i == lf->turns[k].begin ? lanes_emit_turns_begin (f, lf, k, target, why)
				     : lanes_emit_turns_end (f, lf, k, target, why);
    }
  return true;
}

/* Emit LF's statements into F.  DIRECT: for a kernel without the library, where a section at the end of threads is the kernel's
   business (nvptx-lanes-updates.c), and stays as it is.  */
static bool
emit_lane_body (struct lanes_work *w, struct ptx_function *f, struct lanes_function *lf, bool direct, char why[PTX_WHY])
{
  uint32_t call = 0, atomic = 0, accesses = 0;
  bool registers = false, keeps = direct && lanes_has_stride (lf) && lf->stride->end_locks;

  if (lf->num_turns > 0 && !lanes_emit_turns_registers (f, why))
    return false;
  if (lanes_has_stride (lf) && !lanes_emit_stride_begin (f, lf->stride, why))
    return false;
  for (uint32_t i = 0; i < lf->f->num_stmts; i++)
    {
      const struct lanes_call *c = lanes_call_at (lf, i, &call);
      bool done = false;
      if (lanes_has_stride (lf) && !lanes_emit_stride (f, lf, i, &done, why))
	return false;
      if (done)
	continue;
      if (keeps && i >= lf->stride->end_first && i <= lf->stride->end_last)
	{
	  if (ptx_emit_copy (f, &lf->f->stmts[i]) == NULL)
	    return false;
	  continue;
	}
      if (!emit_turns (w, f, lf, i, &done, why))
	return false;
      if (done)
	{
	  i += 2;
	  continue;
	}
      if (!lanes_emit_turns_access (f, lf, i, &accesses, why))
	return false;
      if (atomic < lf->num_atomics && i == lf->atomics[atomic].begin && lf->atomics[atomic].native == NULL
	  && lanes_is_alone_in (lf, atomic))
	atomic++;		/* nobody to do it together with */
      if (atomic < lf->num_atomics && i == lf->atomics[atomic].begin)
	{
	  if (!registers && !lanes_emit_atomic_registers (f, why))
	    return false;
	  registers = true;
	  if (!lanes_emit_atomic (f, lf, atomic, why))
	    return false;
	  i = lf->atomics[atomic++].end;
	}
      else if (lanes_joint_at (lf, i) != NULL)
	{
	  const struct lanes_joint *j = lanes_joint_at (lf, i);
	  if ((!registers && !lanes_emit_atomic_registers (f, why)) || !lanes_emit_joint_begin (f, lf, j, why)
	      || !emit_lane_stmt (w, f, lf, i, c) || !lanes_emit_joint_end (f, lf, j, why))
	    return false;
	  registers = true;
	}
      else if (lf->has_frame && i == lf->frame_begin)
	{
	  if (!emit_frame (f, lf))
	    return false;
	  i = lf->frame_end;
	}
      else if (lf->has_uniform && i == lf->uniform_begin)
	{
	  if (!emit_alone (f, lf))
	    return false;
	  i = lf->uniform_end;
	}
      else if (!emit_lane_stmt (w, f, lf, i, c) || !lanes_emit_rows (f, lf->f, i, why)
	       || (lanes_has_stride (lf) && !lanes_emit_stride_behind (f, lf, i, why)))
	return false;
    }
  return ptx_end_body (f, why);
}

struct ptx_function *
lanes_make_clone (struct lanes_work *w, struct lanes_function *lf, ptx_name name, bool direct, char why[PTX_WHY])
{
  struct ptx_function *f = ptx_clone_head (lf->f->module, lf->f, name);
  return f != NULL && emit_lane_body (w, f, lf, direct, why) ? f : NULL;
}

/* What a lane clone refers to has to be declared.  */
static bool
declare_callees (struct lanes_work *w, const struct lanes_function *lf)
{
  struct ptx_module *module = lf->f->module;
  for (uint32_t i = 0; i < lf->num_calls; i++)
    {
      const struct lanes_call *call = &lf->calls[i];
      ptx_name name = lane_target (w, call);
      /* What is part of kernels only calls nothing of the library there but for locks.  */
      if (lf->clone_name == 0 && call->kind == LANES_CALL_LIBRARY
	  && !((lf->can_be_block || lf->is_inner) && lanes_is_lock (w, call->name)))
	continue;
      if (name != call->name && !lanes_need_declaration (module, ptx_find_function (module, call->name), name))
	return false;
    }
  ptx_name begin = lf->locks ? lanes_locks_begin (w) : 0;
  if (begin != 0 && (!lanes_need_declaration (module, w->definitions[begin], begin)
		     || !lanes_declare_team_locks (w, module)))
    return false;
  return (lf->clone_name == 0 && !lf->can_be_block && !lf->is_inner) || lanes_declare_section_calls (w, lf);
}

bool
lanes_declare_icvs (struct lanes_work *w, char why[PTX_WHY])
{
  static const char text[]
    = "// BEGIN GLOBAL VAR DECL: __gomp_additional_icvs\n.extern .global .align 4 .u32 __gomp_additional_icvs[4];\n";
  struct ptx_module *module = w->modules[0];
  ptx_name name = ptx_intern (w->ptx, "__gomp_additional_icvs", sizeof ("__gomp_additional_icvs") - 1);

  if (name == 0 || ptx_find_item (module, name) != NULL)
    return name != 0;
  if (!ptx_add_items (module, text, sizeof (text) - 1, why))
    return false;
  ptx_printf (&w->texts[0], "%s", text);
  module->items[module->num_items - 1]->left_out = true;
  return true;
}

/* ---- carriers ---- */

static struct lanes_parallel *
parallel_of (struct lanes_work *w, const struct lanes_function *lf, uint32_t call)
{
  for (size_t i = 0; i < w->num_parallels; i++)
    if (w->parallels[i].caller == lf && w->parallels[i].call == call)
      return &w->parallels[i];
  return NULL;
}

/* Can lanes be the threads of the region that P begins?  */
static bool
has_lanes (struct lanes_work *w, const struct lanes_parallel *p)
{
  return p->region != SIZE_MAX && w->regions[p->region].result->verdict != NVPTX_LANES_WARP_ONLY
	 && lanes_starter (w, p->caller->calls[p->call].name) != 0;
}

/* The function that is kernel ENTRY's region; NULL: there is none.  */
static struct lanes_function *
region_of (struct lanes_work *w, struct lanes_function *entry)
{
  uint32_t argument;
  for (uint32_t i = 0; i < entry->num_calls; i++)
    if (entry->calls[i].name != 0 && lanes_name_is (w->ptx, entry->calls[i].name, "gomp_nvptx_main"))
      {
	ptx_name name = lanes_first_argument (entry, &entry->calls[i], &argument);
	return name != 0 ? lanes_resolve (w, 0, name) : NULL;
      }
  return NULL;
}

struct lanes_function *
lanes_kernel_region (struct lanes_work *w, const struct ptx_item *item)
{
  if (item->kind != PTX_ITEM_FUNCTION || !item->u.function->is_entry || !item->u.function->has_body)
    return NULL;
  struct lanes_function *entry = lanes_find (w, item->u.function, 0);
  return entry != NULL ? region_of (w, entry) : NULL;
}

/* Of what kernels call directly: who begins a region that has lanes, and who calls one of those.  */
static bool
find_carriers (struct lanes_work *w)
{
  bool again = true;

  w->mark++;
  w->num_closure = 0;
  for (uint32_t i = 0; i < w->modules[0]->num_items; i++)
    {
      struct lanes_function *region = lanes_kernel_region (w, w->modules[0]->items[i]);
      if (region != NULL && !lanes_add_to_closure (w, region))
	return false;
    }
  for (size_t i = 0; i < w->num_closure; i++)
    for (uint32_t k = 0; k < w->closure[i]->num_calls; k++)
      {
	const struct lanes_call *call = &w->closure[i]->calls[k];
	if (call->kind == LANES_CALL_CODE && call->callee->object == 0
	    && !lanes_add_to_closure (w, call->callee))
	  return false;
      }
  for (size_t i = 0; i < w->num_parallels; i++)
    if (has_lanes (w, &w->parallels[i]) && w->parallels[i].caller->mark == w->mark)
      w->parallels[i].caller->carrier = true;
  while (again)
    {
      again = false;
      for (size_t i = 0; i < w->num_closure; i++)
	for (uint32_t k = 0; k < w->closure[i]->num_calls && !w->closure[i]->carrier; k++)
	  if (w->closure[i]->calls[k].kind == LANES_CALL_CODE && w->closure[i]->calls[k].callee->carrier)
	    again = w->closure[i]->carrier = true;
    }
  return true;
}

/* Add to the closure what LF, whose code is part of kernels, calls.  */
static bool
add_callees (struct lanes_work *w, const struct lanes_function *lf)
{
  for (uint32_t k = 0; k < lf->num_calls; k++)
    if (lf->calls[k].kind == LANES_CALL_CODE
	&& !(lf->calls[k].callee->is_inner ? add_callees (w, lf->calls[k].callee)
	     : lanes_add_to_closure (w, lf->calls[k].callee)))
      return false;
  return true;
}

/* Functions that regions call and that are part of kernels need no clone, if no other region calls
   them.  */
static void
drop_inner (struct lanes_work *w)
{
  w->mark++;
  w->num_closure = 0;
  for (size_t i = 0; i < w->num_regions; i++)
    {
      struct lanes_function *root = w->regions[i].root;
      if (w->regions[i].result->verdict != NVPTX_LANES_WARP_ONLY
	  && !(root->can_be_block && root->clone_name == 0 ? add_callees (w, root)
	       : lanes_add_to_closure (w, root)))
	return;
    }
  for (size_t i = 0; i < w->num_closure; i++)
    for (uint32_t k = 0; k < w->closure[i]->num_calls; k++)
      if (w->closure[i]->calls[k].kind == LANES_CALL_CODE
	  && !lanes_add_to_closure (w, w->closure[i]->calls[k].callee))
	return;
  for (size_t h = 0; h < sizeof (w->hash) / sizeof (w->hash[0]); h++)
    for (struct lanes_function *lf = w->hash[h]; lf != NULL; lf = lf->next)
      if (lf->is_inner && lf->mark != w->mark)
	lf->clone_name = 0;
}

/* Kernels that need nothing of the library: what they run is no carrier, and a region that only they begin needs no clone
   of its own.  */
static void
find_direct (struct lanes_work *w)
{
  for (uint32_t i = 0; i < w->modules[0]->num_items; i++)
    {
      struct lanes_function *region = lanes_kernel_region (w, w->modules[0]->items[i]);
      bool called = false;
      for (size_t n = 0; region != NULL && n < w->num_closure; n++)
	for (uint32_t k = 0; k < w->closure[n]->num_calls; k++)
	  called |= w->closure[n]->calls[k].callee == region;
      if (region != NULL && region->carrier)
	lanes_scan_atomics (w, region);
      if (region != NULL && region->carrier && !called && lanes_has_direct (w, region))
	{
	  region->is_direct = true;
	  region->carrier = false;
	}
    }
  for (size_t i = 0; i < w->num_regions; i++)
    {
      struct lanes_function *root = w->regions[i].root;
      bool needed = !root->can_be_direct && !root->can_be_block;
      for (size_t k = 0; k < w->num_parallels; k++)
	needed |= w->parallels[k].region == i && !w->parallels[k].caller->is_direct;
      if (!needed)
	root->clone_name = 0;
    }
  drop_inner (w);
}

/* `.extern .func gompx_lanes_GOMP_parallel (...)': GOMP_parallel's parameters and one more.  With its comment, so that it goes where no kernel
   that is linked calls it (nvptx-shake.c), and brings none of the library.  */
static bool
declare_starter (struct lanes_work *w, ptx_name name, ptx_name starter, char why[PTX_WHY])
{
  struct ptx_module *module = w->modules[0];
  const struct ptx_function *like = ptx_find_function (module, name);
  struct ptx_text text = { 0 };
  bool good;

  if (ptx_find_item (module, starter) != NULL)
    return true;
  if (like == NULL)
    return false;
#define NAME(n) (int) w->ptx->names[n].length, w->ptx->names[n].text
  ptx_printf (&text, "// BEGIN GLOBAL FUNCTION DECL: %.*s\n.extern .func ", NAME (starter));
  for (uint32_t i = 0; i < like->num_results; i++)
    ptx_printf (&text, "(.param %.*s %%value_out) ", NAME (like->vars[i].type));
  ptx_printf (&text, "%.*s (", NAME (starter));
  for (uint32_t i = 0; i < like->num_params; i++)
    ptx_printf (&text, ".param %.*s %%in_ar%u, ", NAME (like->vars[like->num_results + i].type), i);
  ptx_printf (&text, ".param .u64 %%in_ar%u);\n", like->num_params);
#undef NAME
  good = !text.no_memory && ptx_add_items (module, text.text, text.size, why);
  free (text.text);
  return good;
}

/* Emit store statement S of the argument FLAGS with the bit that says what the region doesn't need.  */
static bool
emit_plain_flag (struct ptx_function *f, const struct ptx_stmt *s)
{
  uint32_t reg = declare (f, PTX_REG, PTX_U32, "%lanes_flags");
  return reg != PTX_NO_INDEX
	 && emit3 (f, "or.b32", ptx_reg (reg), s->u.insn.operands[1], ptx_int ((int32_t) GOMPX_LANES_PLAIN))
	 && emit2 (f, "st.param.u32", s->u.insn.operands[0], ptx_reg (reg));
}

static bool
emit_starter (struct lanes_work *w, struct ptx_function *f, const struct ptx_stmt *s,
	      const struct lanes_parallel *p)
{
  const struct lanes_function *root = w->regions[p->region].root;
  ptx_name lane_fn = root->clone_name != 0 ? root->clone_name : root->f->name;
  uint32_t reg = declare (f, PTX_REG, PTX_U64, "%lanes_fn");
  uint32_t arg = declare (f, PTX_PARAM, PTX_U64, "%lanes_arg");
  struct ptx_operand *more;

  if (reg == PTX_NO_INDEX || arg == PTX_NO_INDEX
      || !emit2 (f, "mov.u64", ptx_reg (reg), ptx_symbol (lane_fn))
      || !emit2 (f, "st.param.u64", ptx_address (variable (arg), 0), ptx_reg (reg)))
    return false;
  more = emit_call (f, s, lanes_starter (w, p->caller->calls[p->call].name), 1);
  if (more == NULL)
    return false;
  *more = variable (arg);
  return true;
}

/* Does S store the argument FLAGS, the last one, of a call P of LF that has lanes and needs no record?  */
static bool
stores_plain_flags (struct lanes_work *w, const struct lanes_function *lf, const struct ptx_stmt *s)
{
  if (s->kind != PTX_STMT_INSN || s->u.insn.op->opcode != PTX_OP_ST || s->u.insn.op->space != PTX_PARAM
      || s->num_operands != 2 || s->u.insn.op->num_types != 1 || s->u.insn.op->types[0] != PTX_U32
      || s->guard != PTX_NO_INDEX)
    return false;
  const struct ptx_operand *o = s->u.insn.operands;
  for (size_t i = 0; i < w->num_parallels; i++)
    {
      const struct lanes_parallel *p = &w->parallels[i];
      if (p->caller != lf || !has_lanes (w, p) || !w->regions[p->region].plain)
	continue;
      const struct ptx_operand *args
	= &lf->f->stmts[lf->calls[p->call].stmt].u.insn.operands[PTX_CALL_ARGS];
      const struct ptx_operand *last = &args->u.list[args->id - 1];
      if (o[0].kind == PTX_O_ADDRESS && o[0].base == PTX_O_VAR && o[0].u.value == 0
	  && last->kind == PTX_O_VAR && last->id == o[0].id)
	return true;
    }
  return false;
}

/* ---- carriers' frames in shared memory ---- */

/* One variable for all, as a block runs one kernel's region at a time.  */
static const char team_frame[] = "gompx_team_frame";

static bool
is_called (struct lanes_work *w, const struct lanes_function *lf)
{
  for (size_t h = 0; h < sizeof (w->hash) / sizeof (w->hash[0]); h++)
    for (const struct lanes_function *other = w->hash[h]; other != NULL; other = other->next)
      for (uint32_t i = 0; i < other->num_calls; i++)
	if (other->calls[i].kind == LANES_CALL_CODE && other->calls[i].callee == lf)
	  return true;
  return false;
}

bool
lanes_prints (const struct lanes_work *w, const struct lanes_function *lf)
{
  for (uint32_t i = 0; i < lf->num_calls; i++)
    if (lf->calls[i].name != 0
	&& (lanes_name_is (w->ptx, lf->calls[i].name, "printf") || lanes_name_is (w->ptx, lf->calls[i].name, "vprintf")))
      return true;
  return false;
}

/* Does LF move the stack?  Arrays of variable length are below its frame, and below the shared
   variable there is nothing.  */
static bool
moves_stack (const struct lanes_function *lf)
{
  for (uint32_t i = lf->frame_end + 1; i < lf->f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &lf->f->stmts[i];
      if (s->kind != PTX_STMT_INSN)
	continue;
      const struct ptx_operand *o = s->u.insn.operands;
      if (is_give_back (lf, s) && o[1].kind == PTX_O_REG && o[1].id == lf->previous_reg)
	continue;
      for (uint32_t k = 0; k < s->num_operands; k++)
	{
	  bool address = o[k].kind == PTX_O_ADDRESS && o[k].base == PTX_O_REG;
	  if ((address || o[k].kind == PTX_O_REG)
	      && (o[k].id == lf->slot_reg || (k == 0 && !address && o[k].id == lf->stack_reg)))
	    return true;
	}
    }
  return false;
}

/* Find out whose frames can be in shared memory, and declare the variable for them.  A frame of a kernel's region, which only the kernel calls, is
   there once for a block at a time; its addresses are generic ones, as those of the soft stack.  Who is not of the block has no business there: but the host
   copies from it and to it for regions that run there, and the driver's printf reads its arguments.  False: no memory.  */
static bool
share_frames (struct lanes_work *w, char why[PTX_WHY])
{
  struct ptx_module *module = w->modules[0];
  ptx_name reverse = ptx_intern (w->ptx, "GOMP_target_ext", sizeof ("GOMP_target_ext") - 1);
  ptx_name name = ptx_intern (w->ptx, team_frame, sizeof (team_frame) - 1);
  uint64_t most = 0;
  uint32_t align = 16;

  if (reverse == 0 || name == 0)
    return false;
  if (ptx_find_item (module, reverse) != NULL || ptx_find_item (module, name) != NULL)
    return true;
  for (uint32_t i = 0; i < module->num_items; i++)
    {
      struct lanes_function *lf = lanes_kernel_region (w, module->items[i]);
      if (lf == NULL || !lf->carrier || !lf->has_frame || lf->object != 0 || lf->frame_size == 0
	  || frame_below (lf) + lf->frame_size > LANES_SHARED_FRAME || is_called (w, lf) || lanes_prints (w, lf)
	  || moves_stack (lf))
	continue;
      lf->shares_frame = true;
      if (frame_below (lf) + lf->frame_size > most)
	most = frame_below (lf) + lf->frame_size;
      if (lf->frame_align > align)
	align = lf->frame_align;
    }
  if (most == 0)
    return true;
  char text[200];
  int length = snprintf (text, sizeof (text), "// BEGIN VAR DEF: %s\n.shared .align %u .b8 %s[%llu];\n", team_frame, align, team_frame,
			 (unsigned long long) most);
  return ptx_add_items (module, text, length, why);
}

/* The frame of LF, which shares_frame.  What its callees have is where it was.  */
static bool
emit_shared_frame (struct ptx_function *f, const struct lanes_function *lf)
{
  struct ptx_operand frame = ptx_reg (lf->frame_reg);
  ptx_name name = ptx_intern (f->module->ptx, team_frame, sizeof (team_frame) - 1);
  return name != 0 && emit2 (f, "mov.u64", frame, ptx_symbol (name)) && emit2 (f, "cvta.shared.u64", frame, frame)
	 && emit3 (f, "add.u64", frame, frame, ptx_int (frame_below (lf)))
	 && emit3 (f, "sub.u64", ptx_reg (lf->stack_reg), frame, ptx_int (lf->outgoing_size));
}

static bool
make_carrier (struct lanes_work *w, struct lanes_function *lf, char why[PTX_WHY])
{
  struct ptx_function *f = ptx_clone_head (lf->f->module, lf->f, lf->carrier_name);
  uint32_t call = 0;

  if (f == NULL)
    return false;
  for (uint32_t i = 0; i < lf->f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &lf->f->stmts[i];
      const struct lanes_call *c = lanes_call_at (lf, i, &call);
      const struct lanes_parallel *p = c != NULL ? parallel_of (w, lf, call) : NULL;
      bool good;
      if (lf->shares_frame && i == lf->frame_begin)
	{
	  if (!emit_shared_frame (f, lf))
	    return false;
	  i = lf->frame_end;
	  continue;
	}
      if (lf->shares_frame && s->kind == PTX_STMT_INSN && is_give_back (lf, s))
	continue;
      if (p != NULL && has_lanes (w, p))
	good = emit_starter (w, f, s, p);
      else if (c != NULL && c->kind == LANES_CALL_CODE && c->callee->carrier)
	good = emit_call (f, s, c->callee->carrier_name, 0) != NULL;
      else if (stores_plain_flags (w, lf, s))
	good = emit_plain_flag (f, s);
      else
	good = ptx_emit_copy (f, s) != NULL;
      if (!good)
	return false;
    }
  return ptx_end_body (f, why);
}

/* ---- texts ---- */

/* What object I has, so far.  */
static void
begin_text (struct lanes_work *w, size_t i)
{
  struct ptx_module *m = w->modules[i];
  if (m->sm < LEAST_SM)
    {
      m->sm = LEAST_SM;
      m->target = "sm_70";
      m->target_length = 5;
    }
  if (m->version_major < LEAST_VERSION_MAJOR
      || (m->version_major == LEAST_VERSION_MAJOR && m->version_minor < LEAST_VERSION_MINOR))
    {
      m->version_major = LEAST_VERSION_MAJOR;
      m->version_minor = LEAST_VERSION_MINOR;
    }
  ptx_print_grown (&w->texts[i], m);
}

/* ---- kernels ---- */

static bool
make_kernel (struct lanes_work *w, struct lanes_function *entry, const struct lanes_function *carrier,
	     ptx_name main, ptx_name name, char why[PTX_WHY])
{
  struct ptx_function *f = ptx_clone_head (entry->f->module, entry->f, name);
  uint32_t call = 0;

  if (f == NULL)
    return false;
  for (uint32_t i = 0; i < entry->f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &entry->f->stmts[i];
      const struct lanes_call *c = lanes_call_at (entry, i, &call);
      bool good;
      /* Other calls are of what nvptx-carry.c puts in.  */
      if (c != NULL && lanes_name_is (w->ptx, c->name, "gomp_nvptx_main"))
	good = emit_call (f, s, main, 0) != NULL;
      else if (s->kind == PTX_STMT_INSN && s->u.insn.op->opcode == PTX_OP_MOV && s->num_operands == 2
	       && s->u.insn.operands[1].kind == PTX_O_SYMBOL
	       && s->u.insn.operands[1].id == carrier->f->name)
	good = emit2 (f, "mov.u64", s->u.insn.operands[0], ptx_symbol (carrier->carrier_name));
      else
	good = ptx_emit_copy (f, s) != NULL;
      if (!good)
	return false;
    }
  return ptx_end_body (f, why);
}

/* These come behind what object 0 has, in its text.  */
static bool
make_kernels (struct lanes_work *w, struct nvptx_lanes *lanes, uint32_t num_items, char why[PTX_WHY])
{
  static const char main_text[] = GOMPX_LANES_MAIN;
  ptx_name main = ptx_intern (w->ptx, main_text, sizeof (main_text) - 1);
  ptx_name old = ptx_find_name (w->ptx, "gomp_nvptx_main", sizeof ("gomp_nvptx_main") - 1);

  bool all_warps = true;
  for (uint32_t i = 0; i < num_items; i++)
    {
      const struct lanes_function *runs = lanes_kernel_region (w, w->modules[0]->items[i]);
      all_warps &= runs == NULL || !(runs->carrier || runs->is_direct);
    }
  /* Who links the image knows by this name that there are lanes.  */
  if (!all_warps
      && (main == 0 || old == 0 || lanes_resolve (w, w->num - 1, main) == NULL
	  || !lanes_need_declaration (w->modules[0], ptx_find_function (w->modules[0], old), main)))
    {
      snprintf (why, PTX_WHY, "there is no %s", main_text);
      return false;
    }
  begin_text (w, 0);
  for (uint32_t i = 0; i < num_items; i++)
    {
      const struct ptx_item *item = w->modules[0]->items[i];
      struct lanes_function *carrier = lanes_kernel_region (w, item);
      if (carrier == NULL || !(carrier->carrier || carrier->is_direct || carrier->is_warps))
	continue;
      struct lanes_function *entry = lanes_find (w, item->u.function, 0);
      const struct ptx_name_entry *e = &w->ptx->names[entry->f->name];
      ptx_name name = ptx_internf (w->ptx, "%.*s%s", (int) e->length, e->text,
				   carrier->is_warps ? LANES_WARPS_SUFFIX : LANES_SUFFIX);
      if (name != 0 && ptx_find_item (w->modules[0], name) != NULL)
	{
	  snprintf (why, PTX_WHY, "the image has the name of a version of %.*s", (int) e->length, e->text);
	  return false;
	}
      if (name == 0
	  || !(carrier->is_direct || carrier->is_warps ? lanes_make_direct (w, entry, carrier, name, why)
	       : make_kernel (w, entry, carrier, main, name, why)))
	return false;
      /* Others have put their text there.  */
      const struct ptx_module *m = w->modules[0];
      ptx_print_item (&w->texts[0], m, m->items[m->num_items - 1]);
      lanes->num_kernels++;
      lanes->num_direct += carrier->is_direct;
      lanes->num_warps += carrier->is_warps;
    }
  return true;
}

/* ---- all of it ---- */

/* All clones have a name, and it is new.  */
static bool
name_clones (struct lanes_work *w, char why[PTX_WHY])
{
  for (size_t h = 0; h < sizeof (w->hash) / sizeof (w->hash[0]); h++)
    for (struct lanes_function *lf = w->hash[h]; lf != NULL; lf = lf->next)
      {
	const struct ptx_name_entry *e = &w->ptx->names[lf->f->name];
	if (lf->carrier)
	  {
	    lf->carrier_name
	      = ptx_internf (w->ptx, "%.*s" LANES_CARRIER_SUFFIX, (int) e->length, e->text);
	    if (lf->carrier_name == 0)
	      return false;
	  }
	for (size_t i = 0; i < w->num; i++)
	  if ((lf->clone_name != 0 && ptx_find_item (w->modules[i], lf->clone_name) != NULL && i == lf->object)
	      || (lf->carrier && ptx_find_item (w->modules[i], lf->carrier_name) != NULL)
	      || (lf->clone_name != 0 && lf->clone_name < w->num_definitions
		  && w->definitions[lf->clone_name] != NULL))
	    {
	      snprintf (why, PTX_WHY, "the image has the name of a clone of %.*s",
			(int) e->length, e->text);
	      return false;
	    }
      }
  return true;
}

static bool
clone_all (struct lanes_work *w, struct nvptx_lanes *lanes, char why[PTX_WHY])
{
  if (!share_frames (w, why))
    return false;
  /* Declarations first, as clones may call each other; those of clones before others of the same name.  */
  for (size_t h = 0; h < sizeof (w->hash) / sizeof (w->hash[0]); h++)
    for (struct lanes_function *lf = w->hash[h]; lf != NULL; lf = lf->next)
      if ((lf->clone_name != 0 && !declare_clone (lf->f, lf->clone_name))
	  || (lf->carrier && !declare_clone (lf->f, lf->carrier_name)))
	return false;
  for (size_t h = 0; h < sizeof (w->hash) / sizeof (w->hash[0]); h++)
    for (struct lanes_function *lf = w->hash[h]; lf != NULL; lf = lf->next)
      if ((lf->clone_name != 0 || lf->can_be_direct || lf->can_be_block || lf->is_inner) && !declare_callees (w, lf))
	return false;
  for (size_t i = 0; i < w->num_parallels; i++)
    if (has_lanes (w, &w->parallels[i]))
      {
	ptx_name name = w->parallels[i].caller->calls[w->parallels[i].call].name;
	if (!declare_starter (w, name, lanes_starter (w, name), why))
	  return false;
      }
  uint32_t num_items = w->modules[0]->num_items;
  for (size_t h = 0; h < sizeof (w->hash) / sizeof (w->hash[0]); h++)
    for (struct lanes_function *lf = w->hash[h]; lf != NULL; lf = lf->next)
      {
	if (lf->clone_name != 0)
	  {
	    if (lanes_make_clone (w, lf, lf->clone_name, false, why) == NULL)
	      return false;
	    lanes->num_clones++;
	  }
	if (lf->carrier && !make_carrier (w, lf, why))
	  return false;
      }
  return make_kernels (w, lanes, num_items, why);
}

static bool
print_all (struct lanes_work *w, struct nvptx_lanes *lanes)
{
  lanes->objects = calloc (w->num, sizeof (*lanes->objects));
  if (lanes->objects == NULL)
    return false;
  for (size_t i = 0; i < w->num; i++)
    {
      if (i > 0)
	begin_text (w, i);
      if (w->texts[i].no_memory || w->texts[i].text == NULL)
	return false;
      lanes->objects[i].text = w->texts[i].text;
      lanes->objects[i].size = w->texts[i].size + 1;
    }
  return true;
}

bool
lanes_rewrite (struct lanes_work *w, struct nvptx_lanes *lanes)
{
  char why[PTX_WHY] = "";

  bool found = find_carriers (w);
  if (found)
    find_direct (w);
  if (found && name_clones (w, why) && clone_all (w, lanes, why) && print_all (w, lanes))
    return true;
  snprintf (lanes->why, sizeof (lanes->why), "%s",
	    why[0] != 0 ? why : w->ptx->no_memory ? "out of memory" : "a function can't be declared");
  return false;
}
