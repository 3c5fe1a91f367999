/* warp.c -- the lanes of a warp: which of them run next, where they part and meet; faults.

   Each lane has its own program counter and calls.  The scheduler chooses a group of lanes that stand
   at the same operation with the same frame, and runs it until it has to choose anew: the group
   parts, waits or ends, jumps while other lanes stand elsewhere, comes to where others are, or its
   turn is over.

   In lock step (what code of GCC needs whose lanes all do the same) the deepest frame goes first and
   in it the first operation: so lanes that have parted come together as soon as they can.  A group
   that runs for long while others wait, or sleeps, has to give way: lanes may wait for each other in loops.
   Free lanes are independent threads, as PTX promises no more than that: any lane may run ahead of the others
   up to the next operation that waits for them.

   Called by block.c, by one thread for each block.  */

#include "sim.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A turn in warp instructions; how long parted lanes may run while others wait.  */
enum { TURN = 2000, PATIENCE = 20000 };

uint64_t
random_next (uint64_t *state)
{
  uint64_t x = *state += UINT64_C (0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C (0x94d049bb133111eb);
  return x ^ x >> 31;
}

void
fault (struct warp *w, enum psim_result result, int lane, const char *format, ...)
{
  struct launch *launch = w->block->launch;
  w->leave = true;
  int none = PSIM_DONE;
  /* Relaxed: the report is handed over under the launch's lock.  */
  if (!atomic_compare_exchange_strong_explicit (&launch->failed, &none, (int) result,
						memory_order_relaxed, memory_order_relaxed))
    return;
  char why[500];
  va_list args;
  va_start (args, format);
  vsnprintf (why, sizeof (why), format, args);
  va_end (args);
  launch->user->report = report_fault (w, lane, result, why);
}

bool
need_defined (struct warp *w, const struct op *in, unsigned i, const char *what)
{
  uint32_t bad = w->exec & ~source_def (w, in, i);
  if (__builtin_expect (bad == 0, 1))
    return true;
  fault (w, PSIM_NOT_SHOWN, __builtin_ctz (bad), "%s that was never set", what);
  return false;
}

/* -- Parting and meeting -- */

void
warp_part (struct warp *w, uint32_t mask, const struct op *pc)
{
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
    w->lane_pc[__builtin_ctz (rest)] = pc;
  w->active &= ~mask;
  w->leave = true;
}

void
warp_stop (struct warp *w, uint32_t mask, enum lane_state state, const struct op *pc)
{
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      w->lane_pc[l] = pc;
      w->state[l] = (uint8_t) state;
    }
  w->runs &= ~mask;
  w->active &= ~mask;
  w->leave = true;
  if (state == LANE_ENDED)
    {
      w->ended |= mask;
      sync_ended (w);
    }
}

void
warp_wake (struct warp *w, uint32_t mask)
{
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
    w->state[__builtin_ctz (rest)] = LANE_RUNS;
  w->runs |= mask;
  w->executed = 0;
}

/* The lanes that stand where lane L does.  */
static uint32_t
companions (const struct warp *w, unsigned l)
{
  uint32_t mask = 0;
  for (uint32_t rest = w->runs; rest != 0; rest &= rest - 1)
    {
      unsigned other = (unsigned) __builtin_ctz (rest);
      if (w->lane_pc[other] == w->lane_pc[l] && w->base[other] == w->base[l])
	mask |= UINT32_C (1) << other;
    }
  return mask;
}

bool
warp_lanes_free (const struct warp *w)
{
  const struct launch *launch = w->block->launch;
  const struct block *b = w->block;
  uint32_t at = launch->lanes_flag + (launch->lanes_mode == LANES_BY_FLAG ? 4 : 8) * (uint32_t) w->tid[1][0];
  uint64_t stack;
  uint32_t word;
  /* A word that was never set says nothing.  */
  if (launch->lanes_mode >= LANES_BY_FLAG && b->shared_shadow[at] == 0)
    return false;
  switch (launch->lanes_mode)
    {
    case LANES_LOCK_STEP:
      return false;
    case LANES_FREE:
      return true;
    case LANES_BY_FLAG:
      memcpy (&word, b->shared + at, 4);
      return word != 0;
    case LANES_BY_STACK:
      memcpy (&stack, b->shared + at, 8);
      return stack == 0;
    }
  return false;
}

/* Lock step: deepest first, then the first operation.  Where the others of that frame stand is the
   place to look again.  */
static uint32_t
choose_lock_step (struct warp *w, bool slept)
{
  unsigned best = (unsigned) __builtin_ctz (w->runs);
  for (uint32_t rest = w->runs; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      if (w->base[l] > w->base[best]
	  || (w->base[l] == w->base[best] && w->lane_pc[l] < w->lane_pc[best]))
	best = l;
    }
  uint32_t mask = companions (w, best);
  if (mask == w->runs)
    {
      w->diverged = 0;
      return mask;
    }
  if (slept || w->diverged > PATIENCE)
    {
      /* Somebody else, in turns.  */
      do
	w->turn = (w->turn + 1) % LANES;
      while ((w->runs >> w->turn & 1) == 0);
      best = w->turn;
      mask = companions (w, best);
    }
  for (uint32_t rest = w->runs & ~mask; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      if (w->base[l] == w->base[best] && w->lane_pc[l] > w->lane_pc[best]
	  && (w->meet == NULL || w->lane_pc[l] < w->meet))
	w->meet = w->lane_pc[l];
    }
  return mask;
}

static uint32_t
choose_free (struct warp *w, unsigned *budget)
{
  uint64_t chance = random_next (&w->random);
  if (w->block->launch->order == PSIM_ADVERSARIAL)
    {
      /* The same lane again, unless it has had its turn for very long.  */
      if ((w->runs >> w->turn & 1) == 0 || w->diverged > PATIENCE)
	{
	  w->diverged = 0;
	  w->turn = (unsigned) (chance % LANES);
	  while ((w->runs >> w->turn & 1) == 0)
	    w->turn = (w->turn + 1) % LANES;
	}
      *budget = TURN;
      return UINT32_C (1) << w->turn;
    }
  unsigned l = (unsigned) (chance % LANES);
  while ((w->runs >> l & 1) == 0)
    l = (l + 1) % LANES;
  *budget = 1 + (unsigned) (chance >> 8 & 63);
  uint32_t some = (uint32_t) (chance >> 32) | UINT32_C (1) << l;
  return companions (w, l) & some;
}

/* -- Running -- */

/* Executing lanes of the group for the guard of OP; 0 also after a fault.  */
static uint32_t
guarded (struct warp *w, const struct op *op)
{
  const uint64_t *p = slot_values (w, op->guard);
  uint32_t bad = w->active & ~w->fdef[op->guard];
  if (__builtin_expect (bad != 0, 0))
    {
      w->at = op;
      fault (w, PSIM_NOT_SHOWN, __builtin_ctz (bad), "a guard that was never set");
      return 0;
    }
  uint32_t mask = 0;
  if (w->active == ALL_LANES)
    for (unsigned l = 0; l < LANES; l++)
      mask |= (uint32_t) (p[l] & 1) << l;
  else
    for (uint32_t rest = w->active; rest != 0; rest &= rest - 1)
      {
	unsigned l = (unsigned) __builtin_ctz (rest);
	mask |= (uint32_t) (p[l] & 1) << l;
      }
  return ((op->flags & OP_NEGATED_GUARD) != 0 ? ~mask : mask) & w->active;
}

static unsigned
run_group (struct warp *w, unsigned budget)
{
  struct psim_counts *counts = &w->block->counts;
  unsigned done = 0;
  const struct op *op = w->pc;
  w->leave = false;
  for (;;)
    {
      uint32_t exec = w->active;
      done++;
      if (op->guard != NO_SLOT && (exec = guarded (w, op)) == 0)
	w->pc = ++op;
      else
	{
	  unsigned lanes = (unsigned) __builtin_popcount (exec);
	  counts->lane += lanes;
	  counts->by_class[op->cls] += lanes;
	  w->exec = exec;
	  w->at = op;
	  w->pc = op + 1;
	  op->run (w, op);
	  op = w->pc;
	}
      if (w->leave || op == w->meet || done >= budget)
	break;
    }
  counts->warp += done;
  for (uint32_t rest = w->active; rest != 0; rest &= rest - 1)
    w->lane_pc[__builtin_ctz (rest)] = w->pc;
  return done;
}

bool
warp_run (struct warp *w)
{
  struct launch *launch = w->block->launch;
  unsigned left = TURN;
  if (launch->order == PSIM_RANDOM)
    left = 1 + (unsigned) (random_next (&w->random) % 400);
  else if (launch->order == PSIM_ADVERSARIAL)
    left = 5 * TURN;
  bool slept = w->yield;
  w->yield = false;
  if (w->runs == 0)
    return false;
  while (w->runs != 0 && left > 0 && !w->yield)
    {
      unsigned budget = left;
      w->meet = NULL;
      if (launch->order != PSIM_IN_ORDER && warp_lanes_free (w))
	w->active = choose_free (w, &budget);
      else
	{
	  /* So that a change to free lanes is noticed soon.  */
	  if (launch->lanes_mode >= LANES_BY_FLAG && launch->order != PSIM_IN_ORDER && budget > 50)
	    budget = 50;
	  w->active = choose_lock_step (w, slept);
	}
      slept = false;
      if (budget > left)
	budget = left;
      unsigned first = (unsigned) __builtin_ctz (w->active);
      w->pc = w->lane_pc[first];
      w->frame = w->reg + (size_t) w->base[first] * LANES;
      w->fdef = w->def + w->base[first];
      bool parted = w->active != w->runs;
      unsigned done = run_group (w, budget);
      if (parted)
	w->diverged += done;
      left -= done < left ? done : left;
      w->executed += done;
      /* Relaxed: the launch ends soon enough.  */
      if (atomic_load_explicit (&launch->failed, memory_order_relaxed) != PSIM_DONE)
	return true;
    }
  if (launch->budget != 0 && w->executed > launch->budget)
    fault (w, PSIM_NOT_SHOWN, -1, "the warp has executed %lu instructions without coming to a barrier "
	   "or its end", (unsigned long) w->executed);
  return true;
}

/* -- Making them -- */

static void *
reserve (size_t size)
{
  void *p = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

static size_t
reg_bytes (void)
{
  return (size_t) REG_SLOTS * LANES * sizeof (uint64_t);
}

bool
warp_new (struct warp *w, size_t local_limit)
{
  w->reg = reserve (reg_bytes ());
  w->def = reserve (REG_SLOTS * sizeof (uint32_t));
  w->links = reserve (sizeof (struct link) * LANES * MAX_DEPTH);
  w->local_memory = reserve (local_limit * LANES);
  w->local_shadow = reserve (local_limit * LANES);
  return w->reg != NULL && w->def != NULL && w->links != NULL && w->local_memory != NULL
	 && w->local_shadow != NULL;
}

void
warp_free (struct warp *w, size_t local_limit)
{
  if (w->reg != NULL)
    munmap (w->reg, reg_bytes ());
  if (w->def != NULL)
    munmap (w->def, REG_SLOTS * sizeof (uint32_t));
  if (w->links != NULL)
    munmap (w->links, sizeof (struct link) * LANES * MAX_DEPTH);
  if (w->local_memory != NULL)
    munmap (w->local_memory, local_limit * LANES);
  if (w->local_shadow != NULL)
    munmap (w->local_shadow, local_limit * LANES);
}

/* A parameter of the kernel into the slots from SLOT on, of all lanes.  */
static void
put_parameter (struct warp *w, const char *from, size_t size, uint32_t slot)
{
  for (size_t at = 0; at < size; at += 8, slot++)
    {
      uint64_t value = 0;
      memcpy (&value, from + at, size - at < 8 ? size - at : 8);
      for (unsigned l = 0; l < LANES; l++)
	w->reg[(size_t) slot * LANES + l] = value;
      w->def[slot] = ALL_LANES;
    }
}

void
warp_start (struct warp *w, struct block *block, unsigned number)
{
  const unsigned *size = block->launch->user->block;
  const struct function *entry = block->launch->entry;
  w->block = block;
  w->number = number;
  w->born = w->ended = 0;
  for (unsigned l = 0; l < LANES; l++)
    {
      unsigned thread = number * LANES + l;
      w->lane_id[l] = l;
      w->tid[0][l] = thread % size[0];
      w->tid[1][l] = thread / size[0] % size[1];
      w->tid[2][l] = thread / size[0] / size[1];
      w->base[l] = w->depth[l] = 0;
      /* Nothing is at 0.  */
      w->local[l] = 16 + entry->local_bytes;
      w->stack[l] = entry->stack_bytes;
      w->lane_pc[l] = entry->ops;
      w->state[l] = thread < block->threads ? LANE_RUNS : LANE_ENDED;
      if (thread < block->threads)
	w->born |= UINT32_C (1) << l;
      /* What the lanes of the block before had in local memory is gone.  */
      size_t used = w->local_used[l];
      memset (w->local_shadow + l * block->launch->local_limit, 0, used);
      w->local_used[l] = w->local[l];
    }
  memset (w->def, 0, entry->slots * sizeof (uint32_t));
  for (unsigned i = 0; i < entry->args; i++)
    put_parameter (w, (const char *) block->launch->user->params + entry->arg[i].offset,
		   entry->arg[i].size, entry->arg_slots[i].slot);
  w->runs = w->born;
  w->ended = ~w->born;
  w->diverged = 0;
  w->executed = 0;
  w->yield = false;
  w->turn = number % LANES;
  w->generation = w->heap_generation = 0;
  memset (w->range, 0, sizeof (w->range));
  w->random = block->launch->seed * 1000003 + block->number * 64 + number;
}
