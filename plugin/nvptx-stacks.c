/* nvptx-stacks.c -- soft stacks of kernels.

   Compiled code keeps what it would have on the stack in global memory: each launch gives it an area
   with a piece for every warp of the grid.  Areas are blocks in a list.  A queue keeps the block of
   its last launch, which the next kernel on it may use at once, since the two do not overlap.
   Another queue may take it when the event behind that kernel has been reached, which its word
   tells (nvptx-queue.h): nothing is ever given back explicitly.

   When memory is short, in this order: idle blocks that are too small are freed; the kernel waits, on the
   device, for the end of another queue's; it gets fewer teams than it might have (a grid is a
   resource, the library in the image runs as many teams as the program wants on it); smaller
   stacks.  Also what would exceed a part of the device's memory, all blocks together, counts as
   short.

   Invariant: a block is used by kernels of one queue at a time.

   Everything is protected by the lock of nvptx-launch.h.  Called by nvptx-launch.c.  */

#include "nvptx-launch.h"

#include <stdlib.h>
#include <strings.h>

#define DEFAULT_STACK_SIZE ((size_t) 128 << 10)
#define MIN_STACK_SIZE ((size_t) 1 << 10)
#define SHORT_STACK_SIZE ((size_t) 8 << 10)	/* the least that a shortage makes of it */
#define MAX_STACK_SIZE ((size_t) 1 << 30)
#define SMALL_STEP ((size_t) 256 << 10)
#define STEP ((size_t) 2 << 20)
/* Parts of the device's memory.  */
#define ALL_PART 8
#define ONE_PART 32

struct block
{
  struct block *next;
  CUdeviceptr base;
  size_t size;
  struct nvptx_queue *owner;	/* whose kernels use it; NULL: nobody's yet */
  uint32_t until;		/* event of the owner behind the last one */
};

struct nvptx_stacks
{
  struct block *blocks;
  uint64_t bytes;		/* of all of them */
  bool told;			/* of a shortage */
};

static pthread_once_t size_once = PTHREAD_ONCE_INIT;
static size_t stack_size;

static void
read_size (void)
{
  const char *text = nvptx_core->getenv ("GOMP_NVPTX_STACK_SIZE", false);
  stack_size = DEFAULT_STACK_SIZE;
  if (text == NULL)
    return;
  static const struct { const char *unit; unsigned shift; } units[]
    = { { "", 10 }, { "b", 0 }, { "k", 10 }, { "m", 20 }, { "g", 30 } };
  char *end;
  unsigned long long n = *text >= '0' && *text <= '9' ? strtoull (text, &end, 10) : 0;
  for (size_t i = 0; n > 0 && i < sizeof (units) / sizeof (units[0]); i++)
    if (strcasecmp (end, units[i].unit) == 0 && n <= MAX_STACK_SIZE >> units[i].shift
	&& n << units[i].shift >= MIN_STACK_SIZE)
      {
	stack_size = (n << units[i].shift) & -MIN_STACK_SIZE;
	return;
      }
  nvptx_core->debug (0, "GOMP_NVPTX_STACK_SIZE is `%s', not a size from 1K to 1G: ignored", text);
}

size_t
nvptx_stack_size (void)
{
  pthread_once (&size_once, read_size);
  return stack_size;
}

uint64_t
nvptx_stacks_budget (const struct gomp_plugin_device *dev)
{
  return dev->facts->memory / ONE_PART;
}

gomp_status_t
nvptx_stacks_open (struct gomp_plugin_device *dev, struct nvptx_stacks **stacks)
{
  (void) dev;
  *stacks = calloc (1, sizeof (**stacks));
  if (*stacks == NULL)
    {
      nvptx_core->set_error ("out of host memory");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  return GOMP_OK;
}

static void
free_block (struct gomp_plugin_device *dev, struct nvptx_stacks *stacks, struct block **link)
{
  struct block *b = *link;
  *link = b->next;
  stacks->bytes -= b->size;
  if (!nvptx_is_lost (dev))
    nvptx_check_quiet (dev, nvptx_cuda.cuMemFree_v2 (b->base));
  free (b);
}

void
nvptx_stacks_close (struct gomp_plugin_device *dev, struct nvptx_stacks *stacks)
{
  if (stacks == NULL)
    return;
  while (stacks->blocks != NULL)
    free_block (dev, stacks, &stacks->blocks);
  free (stacks);
}

/* May a kernel that Q gets now use B?  */
static bool
usable (const struct block *b, const struct nvptx_queue *q)
{
  return b->owner == NULL || b->owner == q || nvptx_reached (b->owner, b->until);
}

static struct block *
find (struct nvptx_stacks *stacks, const struct nvptx_queue *q, size_t size)
{
  struct block *best = NULL;
  for (struct block *b = stacks->blocks; b != NULL; b = b->next)
    if (b->size >= size && usable (b, q))
      {
	if (b->owner == q)
	  return b;
	if (best == NULL || b->size < best->size)
	  best = b;
      }
  return best;
}

/* A new block; NULL: there is no memory, or, unless ANYWAY, all blocks together would take too much.
   No error is set.  */
static struct block *
new_block (struct gomp_plugin_device *dev, struct nvptx_stacks *stacks, size_t size, bool anyway,
	   gomp_status_t *status)
{
  size_t step = size > STEP ? STEP : SMALL_STEP;
  size = (size + step - 1) / step * step;
  if (!anyway && stacks->bytes + size > dev->facts->memory / ALL_PART)
    return NULL;
  struct block *b = calloc (1, sizeof (*b));
  if (b == NULL)
    {
      *status = GOMP_OUT_OF_HOST_MEMORY;
      return NULL;
    }
  *status = nvptx_check_quiet (dev, nvptx_cuda.cuMemAlloc_v2 (&b->base, size));
  if (*status != GOMP_OK)
    {
      free (b);
      return NULL;
    }
  b->size = size;
  b->next = stacks->blocks;
  stacks->blocks = b;
  stacks->bytes += size;
  nvptx_core->debug (2, "nvptx device %u: %zu KiB of soft stacks, %llu KiB in all", dev->ordinal,
		     size >> 10, (unsigned long long) stacks->bytes >> 10);
  return b;
}

/* Free the blocks that nothing uses.  */
static void
free_idle (struct gomp_plugin_device *dev, struct nvptx_stacks *stacks)
{
  for (struct block **link = &stacks->blocks; *link != NULL; )
    if ((*link)->owner == NULL || nvptx_reached ((*link)->owner, (*link)->until))
      free_block (dev, stacks, link);
    else
      link = &(*link)->next;
}

/* A block of SIZE bytes that a kernel uses whose end has been marked: let Q wait for it.  */
static struct block *
take_over (struct nvptx_stacks *stacks, struct nvptx_queue *q, size_t size, gomp_status_t *status)
{
  for (struct block *b = stacks->blocks; b != NULL; b = b->next)
    if (b->size >= size
	/* Relaxed: once the mark is enqueued it stays so.  */
	&& (int32_t) (atomic_load_explicit (&b->owner->xnext, memory_order_relaxed) - b->until) >= 0)
      {
	*status = nvptx_stream_follow (q, b->owner);
	return b;
      }
  return NULL;
}

static inline size_t
bytes_of (const struct nvptx_shape *shape)
{
  return (size_t) shape->teams * shape->warps * shape->stack_bytes;
}

/* There is no block for SHAPE, and no memory for one.  */
static struct block * __attribute__ ((noinline, cold))
make_do (struct gomp_plugin_device *dev, struct nvptx_stacks *stacks, struct nvptx_queue *q,
	 struct nvptx_shape *shape, gomp_status_t *status)
{
  const struct nvptx_shape wanted = *shape;
  size_t least = shape->stack_least > SHORT_STACK_SIZE ? shape->stack_least : SHORT_STACK_SIZE;
  struct block *b;

  *status = GOMP_OK;
  free_idle (dev, stacks);
  if ((b = new_block (dev, stacks, bytes_of (shape), false, status)) == NULL)
    b = take_over (stacks, q, bytes_of (shape), status);
  while (b == NULL && *status != GOMP_DEVICE_LOST)
    {
      /* One team cannot do with less, unless there is really nothing.  */
      bool last = shape->teams == 1;
      if (!last)
	shape->teams = (shape->teams + 1) / 2;
      else if (shape->stack_bytes >= 2 * least && *status != GOMP_OK)
	shape->stack_bytes /= 2;
      if ((b = find (stacks, q, bytes_of (shape))) == NULL)
	b = new_block (dev, stacks, bytes_of (shape), last, status);
      if (b == NULL && last && shape->stack_bytes < 2 * least)
	break;
    }
  if (b == NULL)
    {
      if (*status == GOMP_DEVICE_LOST)
	nvptx_alive (dev);
      else
	{
	  nvptx_core->set_error ("device %u has no memory for soft stacks of %u warps, %zu KiB each",
				 dev->ordinal, wanted.warps, wanted.stack_bytes >> 10);
	  *status = GOMP_OUT_OF_DEVICE_MEMORY;
	}
    }
  else if (*status != GOMP_DEVICE_LOST)
    {
      *status = GOMP_OK;
      if (!stacks->told && (shape->teams != wanted.teams || shape->stack_bytes != wanted.stack_bytes))
	{
	  stacks->told = true;
	  nvptx_core->info (dev->core_device, "memory is short: soft stacks for %u teams of %u,"
			    " %zu KiB a thread instead of %zu", shape->teams, wanted.teams,
			    shape->stack_bytes >> 10, wanted.stack_bytes >> 10);
	}
    }
  return b;
}

gomp_status_t
nvptx_stacks_take (struct gomp_plugin_device *dev, struct nvptx_stacks *stacks,
		   struct nvptx_queue *q, struct nvptx_shape *shape)
{
  gomp_status_t status = GOMP_OK;
  struct block *b = find (stacks, q, bytes_of (shape));

  if (__builtin_expect (b == NULL, 0))
    {
      b = new_block (dev, stacks, bytes_of (shape), false, &status);
      if (b == NULL)
	b = make_do (dev, stacks, q, shape, &status);
      if (status != GOMP_OK)
	return status;
    }
  b->owner = q;
  b->until = nvptx_queue_next (q);
  shape->stacks = b->base;
  return GOMP_OK;
}
