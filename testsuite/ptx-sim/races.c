/* races.c -- plain accesses of two lanes to the same byte of shared memory without a barrier between.

   For each byte: who stored it last and who loaded it (one lane, or several), in which interval between
   barriers of the block, and, for lanes of one warp, in which interval between their warp barriers.
   Atomic, volatile and other strong accesses are left out.  Stores by several lanes of one group at the
   same time are no race here if code of GCC runs in lock step: there all lanes store the same.

   One for each block that runs; used by its thread only.  */

#include "sim.h"

#include <stdlib.h>
#include <string.h>

struct last
{
  uint32_t interval;		/* of the block; 0: never */
  uint32_t warp_interval;
  uint16_t thread;
  const struct op *op;
};

struct races
{
  uint32_t interval;
  uint32_t warp_interval[MAX_WARPS];
  size_t size;
  struct last *stored, *loaded;	/* by byte; of loads the last one */
};

struct races *
races_new (size_t shared_size)
{
  struct races *r = calloc (1, sizeof (*r));
  if (r == NULL)
    return NULL;
  r->size = shared_size;
  r->stored = calloc (shared_size + 1, sizeof (*r->stored));
  r->loaded = calloc (shared_size + 1, sizeof (*r->loaded));
  if (r->stored == NULL || r->loaded == NULL)
    {
      races_free (r);
      return NULL;
    }
  r->interval = 1;
  return r;
}

void
races_free (struct races *r)
{
  if (r == NULL)
    return;
  free (r->stored);
  free (r->loaded);
  free (r);
}

void
races_barrier (struct block *b)
{
  b->races->interval++;
}

void
races_warp (struct warp *w, uint32_t mask)
{
  /* A barrier of some lanes orders only these; taken for one of all, it hides races but invents none.  */
  (void) mask;
  w->block->races->warp_interval[w->number]++;
}

/* Was OTHER, by another thread, in the same interval as what W's lane L does now?  */
static bool
unordered (const struct races *r, const struct warp *w, const struct op *in, unsigned l,
	   const struct last *other)
{
  unsigned thread = w->number * LANES + l;
  if (other->interval != r->interval || other->thread == thread)
    return false;
  if (other->thread / LANES != w->number)
    return true;
  if (other->warp_interval != r->warp_interval[w->number])
    return false;
  /* The same instruction of lanes in lock step.  */
  return other->op != in || warp_lanes_free (w);
}

void
races_access (struct warp *w, const struct op *in, unsigned l, uint64_t offset, unsigned size, bool write)
{
  struct races *r = w->block->races;
  bool lock_step = !warp_lanes_free (w);
  for (uint64_t i = offset; i < offset + size && i < r->size; i++)
    {
      const struct last *bad = unordered (r, w, in, l, &r->stored[i]) ? &r->stored[i]
			       : write && unordered (r, w, in, l, &r->loaded[i]) ? &r->loaded[i] : NULL;
      /* Lanes of one warp in lock step are ordered by their instructions.  */
      if (bad != NULL && !(lock_step && bad->thread / LANES == w->number))
	{
	  fault (w, PSIM_NOT_SHOWN, (int) l, "race: %s of byte %#lx of shared memory, which thread %u %s in the "
		 "same interval between barriers", write ? "store" : "load", (unsigned long) i, bad->thread,
		 bad == &r->stored[i] ? "stores" : "loads");
	  return;
	}
      struct last now = { .interval = r->interval, .warp_interval = r->warp_interval[w->number],
			  .thread = (uint16_t) (w->number * LANES + l), .op = in };
      if (write)
	r->stored[i] = now;
      else
	r->loaded[i] = now;
    }
}
