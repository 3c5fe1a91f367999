/* gcn-stacks.c -- memory of kernels: the stacks of waves, and an arena for each team.

   Both lie in one block, stacks first.  A lane keeps the block of its last launch, which the next kernel on
   its queue uses at once, since the two do not overlap: that takes no lock and no call of the runtime.
   A lane whose block is too small gets another one: one that no lane has, one of another lane whose
   kernels have ended, or a new one.

   When memory is short, in this order: blocks that nothing uses are freed; the launch gets fewer teams
   than it might have (a grid is a resource, the library in the image runs as many teams as the
   program wants on it).  Also what would exceed a part of the device's memory, all blocks together, counts
   as short, but for a single team.

   Invariants
   1. A block is used by kernels of one queue at a time.  It is somewhere exactly once: in a lane's xblock,
      in the list, or with the thread that has taken it out.
   2. A block that is too small for its lane goes to the list when its kernels have not ended yet, and is
      found there later.

   Called by gcn-launch.c.  */

#include "gcn-launch.h"

#include <stdlib.h>

#define SMALL_STEP (UINT64_C (256) << 10)
#define STEP (UINT64_C (2) << 20)
#define ALL_PART 8		/* of the device's memory */

static uint64_t
bytes_of (const struct gcn_shape *shape)
{
  return (uint64_t) shape->groups * ((uint64_t) shape->waves * shape->stack_bytes + shape->arena_bytes);
}

/* May a kernel of Q use B now?  */
static bool
usable (const struct gcn_block *b, const struct gcn_queue *q)
{
  return b->queue == q || gcn_reached (b->queue, b->until);
}

/* With the lock, as the rest of this file: take a block of at least SIZE bytes out of the list.  */
static struct gcn_block *
from_list (struct gcn_launches *l, const struct gcn_queue *q, uint64_t size)
{
  struct gcn_block **best = NULL;
  for (struct gcn_block **p = &l->blocks; *p != NULL; p = &(*p)->next)
    if ((*p)->size >= size && usable (*p, q) && (best == NULL || (*p)->size < (*best)->size))
      best = p;
  if (best == NULL)
    return NULL;
  struct gcn_block *b = *best;
  *best = b->next;
  return b;
}

static void
to_list (struct gcn_launches *l, struct gcn_block *b)
{
  b->next = l->blocks;
  l->blocks = b;
}

/* The same from other lanes, whatever their size.  */
static struct gcn_block *
from_lanes (struct gcn_launches *l, const struct gcn_queue *q, uint64_t size)
{
  /* Acquire, here and below: what the last owner wrote.  */
  struct gcn_lane *lane = atomic_load_explicit (&l->xlanes, memory_order_acquire);
  for (; lane != NULL; lane = lane->next)
    {
      struct gcn_block *b = atomic_exchange_explicit (&lane->xblock, NULL, memory_order_acquire);
      if (b == NULL)
	continue;
      if (b->size >= size && usable (b, q))
	return b;
      /* Another thread cannot have put one there meanwhile but the queue's own; then both are kept.  */
      struct gcn_block *none = NULL;
      if (!atomic_compare_exchange_strong_explicit (&lane->xblock, &none, b, memory_order_release,
						    memory_order_relaxed))
	to_list (l, b);
    }
  return NULL;
}

/* Free what nothing uses.  */
static void
free_idle (struct gomp_plugin_device *dev, struct gcn_launches *l)
{
  for (struct gcn_block **p = &l->blocks; *p != NULL; )
    {
      struct gcn_block *b = *p;
      if (!gcn_reached (b->queue, b->until))
	{
	  p = &b->next;
	  continue;
	}
      *p = b->next;
      l->bytes -= b->size;
      gcn_device_delete (dev, b->base);
      free (b);
    }
}

/* A new block; NULL: there is no memory, or, unless ANYWAY, all blocks together would take too much.  */
static struct gcn_block *
new_block (struct gomp_plugin_device *dev, struct gcn_launches *l, uint64_t size, bool anyway,
	   gomp_status_t *status)
{
  uint64_t step = size > STEP ? STEP : SMALL_STEP;
  size = (size + step - 1) / step * step;
  *status = GOMP_OUT_OF_DEVICE_MEMORY;
  if (!anyway && l->bytes + size > dev->facts->memory / ALL_PART)
    {
      gcn_core->set_error ("stacks of kernels would take more than 1/%d of the memory of device %u",
			   ALL_PART, dev->ordinal);
      return NULL;
    }
  struct gcn_block *b = calloc (1, sizeof (*b));
  if (b == NULL)
    {
      *status = gcn_no_memory ();
      return NULL;
    }
  *status = gcn_device_new (dev, size, &b->base, "stacks of kernels");
  if (*status != GOMP_OK)
    {
      free (b);
      return NULL;
    }
  b->size = size;
  l->bytes += size;
  gcn_core->debug (2, "gcn device %u: %llu KiB for stacks, %llu KiB in all", dev->ordinal,
		   (unsigned long long) size >> 10, (unsigned long long) l->bytes >> 10);
  return b;
}

/* The lane's block, OLD, is too small for SHAPE.  */
static gomp_status_t __attribute__ ((noinline, cold))
find_block (struct gcn_lane *lane, struct gcn_shape *shape, struct gcn_block *old,
	    struct gcn_block **block)
{
  struct gomp_plugin_device *dev = lane->queue->base.dev;
  struct gcn_launches *l = dev->launches;
  const unsigned wanted = shape->groups;
  gomp_status_t status = GOMP_OK;
  struct gcn_block *b = NULL;

  pthread_mutex_lock (&l->lock);
  if (old != NULL)
    to_list (l, old);
  while ((b = from_list (l, lane->queue, bytes_of (shape))) == NULL
	 && (b = new_block (dev, l, bytes_of (shape), false, &status)) == NULL
	 && status == GOMP_OUT_OF_DEVICE_MEMORY)
    {
      /* Memory is short.  */
      free_idle (dev, l);
      bool last = shape->groups == 1;
      if ((b = from_lanes (l, lane->queue, bytes_of (shape))) != NULL
	  || (b = new_block (dev, l, bytes_of (shape), last, &status)) != NULL || last)
	break;
      shape->groups = (shape->groups + 1) / 2;
    }
  if (b != NULL && shape->groups != wanted && !l->told)
    {
      l->told = true;
      gcn_core->info (dev->core_device, "memory is short: %u teams at a time instead of %u",
		      shape->groups, wanted);
    }
  pthread_mutex_unlock (&l->lock);
  *block = b;
  return b != NULL ? GOMP_OK : status;
}

gomp_status_t
gcn_stacks_take (struct gcn_lane *lane, struct gcn_shape *shape, struct gcn_block **block)
{
  /* Acquire: what the one wrote who had it last.  */
  struct gcn_block *b = atomic_exchange_explicit (&lane->xblock, NULL, memory_order_acquire);
  if (__builtin_expect (b != NULL && b->size >= bytes_of (shape), 1))
    {
      *block = b;
      return GOMP_OK;
    }
  return find_block (lane, shape, b, block);
}

void
gcn_stacks_put (struct gcn_lane *lane, struct gcn_block *block, uint32_t number)
{
  block->queue = lane->queue;
  block->until = number;
  /* Release: the two.  */
  struct gcn_block *other = atomic_exchange_explicit (&lane->xblock, block, memory_order_acq_rel);
  if (__builtin_expect (other != NULL, 0))
    {
      struct gcn_launches *l = lane->queue->base.dev->launches;
      pthread_mutex_lock (&l->lock);
      to_list (l, other);
      pthread_mutex_unlock (&l->lock);
    }
}

void
gcn_stacks_close (struct gomp_plugin_device *dev)
{
  struct gcn_launches *l = dev->launches;
  /* Relaxed, both: nobody else uses the device.  */
  struct gcn_lane *lane = atomic_load_explicit (&l->xlanes, memory_order_relaxed);
  for (; lane != NULL; lane = lane->next)
    {
      struct gcn_block *b = atomic_load_explicit (&lane->xblock, memory_order_relaxed);
      if (b != NULL)
	to_list (l, b);
    }
  while (l->blocks != NULL)
    {
      struct gcn_block *b = l->blocks;
      l->blocks = b->next;
      if (!gcn_is_lost (dev))
	gcn_device_delete (dev, b->base);
      free (b);
    }
}
