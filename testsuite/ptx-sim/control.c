/* control.c -- branches, calls, the end of lanes; the functions that the driver provides.

   A call gives each executing lane a new frame behind the caller's and copies the arguments' slots; a
   return copies the results'.  Lanes that come back to the same caller stand in the same frame again.  */

#include "sim.h"

#include <stdio.h>
#include <string.h>

static void
jump (struct warp *w, const struct op *target)
{
  if (w->exec == w->active)
    {
      w->pc = target;
      /* Others stand elsewhere: whose turn is it now?  */
      if (w->active != w->runs)
	w->leave = true;
    }
  else
    warp_part (w, w->exec, target);
}

void
run_bra (struct warp *w, const struct op *in)
{
  jump (w, in->target);
}

struct targets { unsigned n; const struct op **ops; };

/* src: index; aux: targets.  */
void
run_brx (struct warp *w, const struct op *in)
{
  const struct targets *t = in->aux;
  if (!need_defined (w, in, 0, "a branch to an index"))
    return;
  const uint64_t *index = source (w, in, 0);
  uint32_t exec = w->exec, left = exec;
  while (left != 0)
    {
      unsigned first = (unsigned) __builtin_ctz (left);
      uint32_t same = 0;
      for (uint32_t rest = left; rest != 0; rest &= rest - 1)
	if ((uint32_t) index[__builtin_ctz (rest)] == (uint32_t) index[first])
	  same |= UINT32_C (1) << __builtin_ctz (rest);
      if ((uint32_t) index[first] >= t->n)
	{
	  fault (w, PSIM_NOT_SHOWN, (int) first, "brx.idx to number %u of %u targets",
		 (uint32_t) index[first], t->n);
	  return;
	}
      left &= ~same;
      w->exec = same;
      jump (w, t->ops[(uint32_t) index[first]]);
    }
  w->exec = exec;
}

/* -- Functions of the driver -- */

static uint64_t
argument (const struct warp *w, const struct call_info *info, unsigned i, unsigned l)
{
  return slot_values (w, info->arg[i].slot)[l];
}

static void
call_builtin (struct warp *w, const struct op *in, const struct call_info *info, struct function *f)
{
  (void) in;
  unsigned wanted = f->builtin == BUILTIN_VPRINTF ? 2 : f->builtin == BUILTIN_ASSERT ? 5 : 1;
  if (info->args != wanted || (f->builtin != BUILTIN_FREE && f->builtin != BUILTIN_ASSERT
			       && info->results != 1))
    {
      fault (w, PSIM_NOT_SHOWN, -1, "%s is called with %u arguments and %u results", f->name, info->args,
	     info->results);
      return;
    }
  for (unsigned i = 0; i < wanted; i++)
    {
      uint32_t bad = w->exec & ~w->fdef[info->arg[i].slot];
      if (bad == 0)
	continue;
      fault (w, PSIM_NOT_SHOWN, __builtin_ctz (bad), "argument %u of %s was never set", i + 1, f->name);
      return;
    }
  struct heap *heap = program_heap (w->block->launch->program);
  for (uint32_t rest = w->exec; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      uint64_t a = argument (w, info, 0, l), result = 0;
      char text[3][200];
      switch (f->builtin)
	{
	case BUILTIN_VPRINTF:
	  result = (uint32_t) print_format (w, l, a, argument (w, info, 1, l));
	  break;
	case BUILTIN_MALLOC:
	  result = heap_alloc (heap, a);
	  w->block->counts.allocations++;
	  break;
	case BUILTIN_FREE:
	  if (a != 0 && !heap_release (heap, a))
	    fault (w, PSIM_NOT_SHOWN, (int) l, "free (%#lx): not an allocation of the heap, or freed already",
		   (unsigned long) a);
	  break;
	default:
	  if (memory_string (w, l, a, text[0], sizeof (text[0]))
	      && memory_string (w, l, argument (w, info, 1, l), text[1], sizeof (text[1]))
	      && memory_string (w, l, argument (w, info, 3, l), text[2], sizeof (text[2])))
	    fault (w, PSIM_TRAP, (int) l, "assertion %s failed in %s, %s:%u", text[0], text[2], text[1],
		   (unsigned) argument (w, info, 2, l));
	}
      if (w->leave)
	return;
      if (info->results == 1)
	slot_values (w, info->result[0].slot)[l] = result;
    }
  if (info->results == 1)
    define (w, info->result[0].slot, ALL_LANES);
}

/* -- Calls -- */

static bool
same_shape (const struct call_info *info, const struct function *f)
{
  if (info->args != f->args || info->results != f->results)
    return false;
  for (unsigned i = 0; i < f->args; i++)
    if (info->arg[i].slots != (f->arg[i].size + 7) / 8)
      return false;
  for (unsigned i = 0; i < f->results; i++)
    if (info->result[i].slots != (f->result[i].size + 7) / 8)
      return false;
  return true;
}

/* Does lane L, which calls F, enter a function that it has not left?  */
static bool
recurses (const struct warp *w, unsigned l, const struct function *f)
{
  for (uint32_t i = w->depth[l]; i-- > 0; f = w->links[(size_t) i * LANES + l].callee)
    for (uint32_t k = i + 1; k-- > 0; )
      if (w->links[(size_t) k * LANES + l].callee == f)
	return true;
  return false;
}

/* The executing lanes enter F.  */
static void
enter (struct warp *w, const struct op *in, struct function *f)
{
  const struct call_info *info = in->aux;
  const struct launch *launch = w->block->launch;
  unsigned first = (unsigned) __builtin_ctz (w->exec);
  if (f->builtin != BUILTIN_NONE && !f->defined)
    {
      call_builtin (w, in, info, f);
      return;
    }
  if (!function_ready (f))
    {
      fault (w, PSIM_NOT_SHOWN, (int) first, "%s cannot be called: %s", f->name,
	     f->failed != NULL ? f->failed : f->defined ? "no memory" : "it is not defined");
      return;
    }
  if (!same_shape (info, f))
    {
      fault (w, PSIM_NOT_SHOWN, (int) first, "%s takes %u parameters and returns %u, and their sizes are not "
	     "those of the call's %u and %u", f->name, f->args, f->results, info->args, info->results);
      return;
    }
  /* One base for all that enter from one frame.  */
  uint32_t base = w->base[first] + info->caller_slots;
  if (base + f->slots > REG_SLOTS)
    {
      fault (w, PSIM_STACK, (int) first, "no more registers for calls; %s is %u deep", f->name,
	     w->depth[first]);
      return;
    }
  uint64_t *frame = w->reg + (size_t) base * LANES;
  uint32_t *fdef = w->def + base, exec = w->exec;
  for (uint32_t i = 0; i < f->slots; i++)
    fdef[i] &= ~exec;
  for (unsigned i = 0; i < info->args; i++)
    for (uint32_t k = 0; k < info->arg[i].slots; k++)
      {
	const uint64_t *from = slot_values (w, info->arg[i].slot + k);
	uint64_t *to = frame + (size_t) (f->arg_slots[i].slot + k) * LANES;
	EACH_LANE (w, l, to[l] = from[l]);
	fdef[f->arg_slots[i].slot + k] |= w->fdef[info->arg[i].slot + k] & exec;
      }
  for (uint32_t rest = exec; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      if (w->depth[l] + 1 >= launch->call_limit)
	{
	  fault (w, PSIM_STACK, (int) l, "calls are %u deep", w->depth[l]);
	  return;
	}
      uint32_t local = w->local[l] + f->local_bytes;
      if (local > launch->local_limit)
	{
	  fault (w, PSIM_STACK, (int) l, "%s needs %u bytes of local memory more than the limit of %lu",
		 f->name, (unsigned) (local - launch->local_limit), (unsigned long) launch->local_limit);
	  return;
	}
      /* The driver gives other threads what they need.  */
      uint32_t stack = w->stack[l] + f->stack_bytes;
      if (launch->user->stack_limit != 0 && stack > launch->user->stack_limit && recurses (w, l, f))
	{
	  fault (w, PSIM_STACK, (int) l,
		 "recursion: %s, at a depth of %u calls, needs %u bytes of the stack, which has %lu",
		 f->name, w->depth[l] + 1, stack, (unsigned long) launch->user->stack_limit);
	  return;
	}
      w->links[(size_t) w->depth[l]++ * LANES + l]
	= (struct link) { .call = in, .callee = f, .base = w->base[l], .local = w->local[l],
			  .stack = w->stack[l] };
      w->stack[l] = stack;
      if (f->local_bytes != 0)
	memset (w->local_shadow + l * launch->local_limit + w->local[l], 0, f->local_bytes);
      w->local[l] = local;
      if (local > w->local_used[l])
	w->local_used[l] = local;
      if (local > w->block->counts.peak_local)
	w->block->counts.peak_local = local;
      w->base[l] = base;
    }
  if (exec == w->active)
    {
      w->frame = frame;
      w->fdef = fdef;
      w->pc = f->ops;
      if (w->active != w->runs)
	w->leave = true;
    }
  else
    warp_part (w, exec, f->ops);
}

void
run_call (struct warp *w, const struct op *in)
{
  enter (w, in, ((const struct call_info *) in->aux)->callee);
}

void
run_call_indirect (struct warp *w, const struct op *in)
{
  if (!need_defined (w, in, 0, "a call to an address"))
    return;
  const uint64_t *address = source (w, in, 0);
  uint32_t exec = w->exec, left = exec;
  while (left != 0)
    {
      unsigned first = (unsigned) __builtin_ctz (left);
      struct function *f = program_function_at (w->block->launch->program, address[first]);
      uint32_t same = 0;
      for (uint32_t rest = left; rest != 0; rest &= rest - 1)
	if (address[__builtin_ctz (rest)] == address[first])
	  same |= UINT32_C (1) << __builtin_ctz (rest);
      if (f == NULL || f->entry)
	{
	  fault (w, PSIM_BAD_PC, (int) first, "a call to %#lx, which is no function",
		 (unsigned long) address[first]);
	  return;
	}
      left &= ~same;
      w->exec = same;
      /* Lanes that call other functions have to be parted before.  */
      if (left != 0)
	{
	  const uint64_t *frame = w->frame;
	  enter (w, in, f);
	  if (w->frame != frame)
	    return;
	  if (f->builtin != BUILTIN_NONE && !f->defined)
	    warp_part (w, same, in + 1);
	}
      else
	enter (w, in, f);
    }
  w->exec = exec;
}

void
run_ret (struct warp *w, const struct op *in)
{
  unsigned first = (unsigned) __builtin_ctz (w->exec);
  if (w->depth[first] == 0)
    {
      run_exit (w, in);
      return;
    }
  const struct function *f = in->aux;
  uint32_t exec = w->exec, left = exec;
  /* Lanes may have come from several places.  */
  while (left != 0)
    {
      first = (unsigned) __builtin_ctz (left);
      const struct link *link = &w->links[(size_t) (w->depth[first] - 1) * LANES + first];
      const struct call_info *info = link->call->aux;
      uint64_t *frame = w->reg + (size_t) link->base * LANES;
      uint32_t *fdef = w->def + link->base, same = 0;
      for (uint32_t rest = left; rest != 0; rest &= rest - 1)
	{
	  unsigned l = (unsigned) __builtin_ctz (rest);
	  const struct link *other = &w->links[(size_t) (w->depth[l] - 1) * LANES + l];
	  if (other->call == link->call && other->base == link->base)
	    same |= UINT32_C (1) << l;
	}
      w->exec = same;
      for (unsigned i = 0; i < info->results; i++)
	for (uint32_t k = 0; k < info->result[i].slots; k++)
	  {
	    const uint64_t *from = slot_values (w, f->result_slots[i].slot + k);
	    uint64_t *to = frame + (size_t) (info->result[i].slot + k) * LANES;
	    uint32_t *d = &fdef[info->result[i].slot + k];
	    EACH_LANE (w, l, to[l] = from[l]);
	    *d = (*d & ~same) | (w->fdef[f->result_slots[i].slot + k] & same);
	  }
      const struct op *back = link->call + 1;
      for (uint32_t rest = same; rest != 0; rest &= rest - 1)
	{
	  unsigned l = (unsigned) __builtin_ctz (rest);
	  const struct link *mine = &w->links[(size_t) --w->depth[l] * LANES + l];
	  w->base[l] = mine->base;
	  w->local[l] = mine->local;
	  w->stack[l] = mine->stack;
	}
      if (same == w->active)
	{
	  w->frame = frame;
	  w->fdef = fdef;
	  w->pc = back;
	  if (w->active != w->runs)
	    w->leave = true;
	}
      else
	warp_part (w, same, back);
      left &= ~same;
    }
  w->exec = exec;
}

void
run_exit (struct warp *w, const struct op *in)
{
  warp_stop (w, w->exec, LANE_ENDED, in);
}

void
run_trap (struct warp *w, const struct op *in)
{
  fault (w, PSIM_TRAP, __builtin_ctz (w->exec), in->kind == 0 ? "trap" : "the function's end is reached");
}

void
run_brkpt (struct warp *w, const struct op *in)
{
  (void) in;
  fault (w, PSIM_TRAP, __builtin_ctz (w->exec), "brkpt");
}
