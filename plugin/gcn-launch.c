/* gcn-launch.c -- starting kernels: their shape, arguments, and what they need.

   Shape.  A team is a work-group and a thread of OpenMP a wave of 64 lanes; a team has at most 16 threads,
   and fewer where its kernel needs many registers.  A grid is a resource, not a promise: the device
   library runs the region's teams on the work-groups that exist.  What the program leaves open:
     - no teams construct: one team;
     - no number of teams: one for each compute unit, or GCN_NUM_TEAMS;
     - a number of teams: that many work-groups; with our library two for each compute unit at most, for it runs
       the teams on them one after the other, while GCC's makes fewer teams;
     - no number of threads: as many as a team can have, or GCN_NUM_THREADS, but 4 on gfx900, which
       has trouble with more (abi/gcn section 2.1).

   Local memory.  Kernels say how much they need, our library what it needs itself.  Programs that use
   OpenMP's allocators get more, as the pool of low-latency memory.

   Arguments: a block of 64 bytes that compiled code and both libraries know (device-abi.h).  A lane has
   them in chunks, in a ring, which it uses one after the other; a chunk is used again when the kernel of its last
   block has ended.  If it has not, there is a new chunk.

   In the steady state a launch takes no lock, makes no memory, and calls nothing but gcn_dispatch; but for
   teams regions with GCC's library (gcn-flight.c).

   Called by the core through the ops table; gcn-queue.c calls the gcn_attend functions.  */

#include "gcn-console.h"
#include "gcn-launch.h"
#include "device-abi.h"

#include <stdlib.h>
#include <string.h>

enum
{
  CHUNK_BLOCKS = 64,
  FIRST_GFX900_WAVES = 4,
  UNIT_TEAMS = 2,		/* work-groups for each compute unit, at most */
  MOST_LDS = 65536		/* of a work-group, on all of these processors */
};

/* Private memory of an item with our library, which keeps the slots of tasks on the stack: stacks of 64 KiB.  */
#define GCN_PRIVATE_OURS (65536u / GCN_LANES)

/* How long waits may sleep.  */
#define NAP_CALLS_NS 100000u
#define NAP_PRINTS_NS 1000000u
#define NAP_ELSE_NS 20000000u	/* messages of libraries; exit */

/* The argument block, as large as the runtime's alignment of it.  */
union arguments
{
  struct gompx_gcn_launch launch;
  unsigned char room[64];
};

struct gcn_chunk
{
  struct gcn_chunk *next;	/* a ring */
  union arguments *blocks;	/* [CHUNK_BLOCKS] */
  uint32_t until;		/* the last kernel that has one of them */
  bool used;
};

_Static_assert (sizeof (union arguments) == 64, "the argument block");

gomp_status_t
gcn_launch_open (struct gomp_plugin_device *dev)
{
  struct gcn_launches *l = calloc (1, sizeof (*l));
  if (l == NULL)
    return gcn_no_memory ();
  pthread_mutex_init (&l->lock, NULL);
  pthread_mutex_init (&l->flight_lock, NULL);
  dev->launches = l;
  return GOMP_OK;
}

static void
free_lane (struct gomp_plugin_device *dev, struct gcn_lane *lane)
{
  struct gcn_chunk *chunk = lane->chunk, *next;
  if (chunk != NULL)
    do
      {
	next = chunk->next;
	gcn_shared_delete (dev, chunk->blocks);
	free (chunk);
	chunk = next;
      }
    while (chunk != lane->chunk);
  lane->queue->launch = NULL;
  free (lane);
}

void
gcn_launch_close (struct gomp_plugin_device *dev, bool exiting)
{
  struct gcn_launches *l = dev->launches;
  if (l == NULL || exiting)
    return;			/* a thread may be launching */
  gcn_flight_forget (dev, NULL);
  gcn_stacks_close (dev);
  gcn_consoles_close (dev);
  /* Relaxed: nobody else uses the device.  */
  struct gcn_lane *lane = atomic_load_explicit (&l->xlanes, memory_order_relaxed);
  while (lane != NULL)
    {
      struct gcn_lane *next = lane->next;
      free_lane (dev, lane);
      lane = next;
    }
  pthread_mutex_destroy (&l->flight_lock);
  pthread_mutex_destroy (&l->lock);
  free (l);
  dev->launches = NULL;
}

/* ---- lanes ---- */

static gomp_status_t
new_chunk (struct gomp_plugin_device *dev, struct gcn_chunk **result)
{
  void *memory;
  struct gcn_chunk *chunk = calloc (1, sizeof (*chunk));
  if (chunk == NULL)
    return gcn_no_memory ();
  gomp_status_t status = gcn_shared_new (dev, CHUNK_BLOCKS * sizeof (*chunk->blocks), &memory,
					 "arguments of kernels");
  if (status != GOMP_OK)
    {
      free (chunk);
      return status;
    }
  chunk->blocks = memory;
  *result = chunk;
  return GOMP_OK;
}

/* The first launch on Q.  */
static gomp_status_t __attribute__ ((noinline, cold))
new_lane (struct gcn_queue *q)
{
  struct gomp_plugin_device *dev = q->base.dev;
  struct gcn_launches *l = dev->launches;
  struct gcn_lane *lane = calloc (1, sizeof (*lane));
  if (lane == NULL)
    return gcn_no_memory ();
  lane->queue = q;
  gomp_status_t status = new_chunk (dev, &lane->chunk);
  if (status == GOMP_OK)
    {
      lane->chunk->next = lane->chunk;
      status = gcn_console_new (dev, q, &lane->console);
    }
  if (status != GOMP_OK)
    {
      free_lane (dev, lane);
      return status;
    }
  pthread_mutex_lock (&l->lock);
  /* Release: the lane, for who goes through the list.  */
  lane->next = atomic_load_explicit (&l->xlanes, memory_order_relaxed);
  atomic_store_explicit (&l->xlanes, lane, memory_order_release);
  pthread_mutex_unlock (&l->lock);
  q->launch = lane;
  return GOMP_OK;
}

/* A block for the arguments of the kernel NUMBER.  */
static gomp_status_t
take_arguments (struct gcn_lane *lane, uint32_t number, struct gompx_gcn_launch **block)
{
  struct gcn_chunk *chunk = lane->chunk;

  if (__builtin_expect (lane->at == CHUNK_BLOCKS, 0))
    {
      if (chunk->next->used && !gcn_reached (lane->queue, chunk->next->until))
	{
	  struct gcn_chunk *more;
	  gomp_status_t status = new_chunk (lane->queue->base.dev, &more);
	  if (status != GOMP_OK)
	    return status;
	  more->next = chunk->next;
	  chunk->next = more;
	}
      lane->chunk = chunk = chunk->next;
      lane->at = 0;
    }
  chunk->used = true;
  chunk->until = number;
  *block = &chunk->blocks[lane->at++].launch;
  return GOMP_OK;
}

/* ---- shapes ---- */

static unsigned
min (unsigned a, unsigned b)
{
  return a < b ? a : b;
}

unsigned
gcn_launch_most_waves (const struct gcn_facts *facts, unsigned vgprs)
{
  static const struct { const char *begin; unsigned registers; } known[]
    = { { "gfx90a", 512 }, { "gfx90c", 256 }, { "gfx94", 512 }, { "gfx95", 512 }, { "gfx1100", 768 },
	{ "gfx1101", 768 }, { "gfx1151", 768 }, { "gfx10", 512 }, { "gfx11", 512 } };
  unsigned registers = 256, waves = GCN_MAX_WAVES;

  for (size_t i = 0; i < sizeof (known) / sizeof (known[0]); i++)
    if (strncmp (facts->name, known[i].begin, strlen (known[i].begin)) == 0)
      {
	registers = known[i].registers;
	break;
      }
  if (vgprs > 0)
    waves = 4 * (registers / ((vgprs + 3) & -4u));
  return waves == 0 ? 1 : min (waves, GCN_MAX_WAVES);
}

/* LDS of a team, of which R needs some.  */
static unsigned
choose_lds (const struct gcn_facts *facts, const struct gcn_image *image, const struct gcn_region *r,
	    unsigned groups, unsigned units)
{
  unsigned most = facts->lds_bytes > 0 ? facts->lds_bytes : MOST_LDS, fixed = r->group_bytes;

  if (image->tables.abi == 2)
    return fixed;
  if (image->our_library && fixed < GOMPX_GCN_LDS)
    fixed = GOMPX_GCN_LDS;
  if (fixed >= most)
    return fixed;
  if (gcn_settings.pool != GCN_POOL_SHARED)
    return fixed + min ((unsigned) gcn_settings.pool, most - fixed);
  if (!image->allocates)
    return fixed;
  unsigned share = (most / ((groups - 1) / units + 1)) & -256u;
  return share > fixed ? share : fixed;
}

static void
choose (const struct gcn_facts *facts, const struct gcn_image *image, const struct gcn_region *r,
	const struct gomp_launch *launch, struct gcn_shape *shape)
{
  const struct gcn_settings *s = &gcn_settings;
  unsigned units = facts->compute_units > 0 ? facts->compute_units : 1;
  unsigned most = gcn_launch_most_waves (facts, r->vgprs), waves = most;
  unsigned teams = units;

  if (launch->thread_limit > 0)
    waves = min ((unsigned) launch->thread_limit, most);
  else if (s->threads > 0)
    waves = min ((unsigned) s->threads, most);
  else if (strcmp (facts->name, "gfx900") == 0)
    waves = min (FIRST_GFX900_WAVES, most);

  if (launch->num_teams > 0)
    teams = (unsigned) launch->num_teams;
  else if (launch->num_teams == -2)
    teams = 1;
  else if (s->teams > 0)
    teams = (unsigned) s->teams;
  /* Ours runs all of them on any grid; GCC's makes fewer teams of fewer work-groups.  */
  shape->groups = image->our_library ? min (teams, UNIT_TEAMS * units) : min (teams, GCN_MOST_TEAMS);
  shape->logical = launch->num_teams == 0 && shape->groups != teams ? teams : 0;
  shape->waves = waves;

  shape->stack_bytes = 0;
  shape->arena_bytes = GOMPX_GCN_ARENA_2;
  if (image->tables.abi != 2)
    {
      shape->stack_bytes = image->our_tasks && !s->stack_said ? GOMPX_GCN_STACK_TASKS : (uint32_t) s->stack;
      shape->arena_bytes = (uint32_t) s->arena;
      if (image->our_library)
	{
	  if (shape->stack_bytes < GOMPX_GCN_STACK)
	    shape->stack_bytes = GOMPX_GCN_STACK;
	  if (shape->arena_bytes < GOMPX_GCN_ARENA)
	    shape->arena_bytes = GOMPX_GCN_ARENA;
	}
      /* Compiled code multiplies with 32 bits.  */
      while ((uint64_t) shape->groups * shape->waves * shape->stack_bytes > UINT32_MAX)
	if (shape->groups > 1)
	  shape->groups = (shape->groups + 1) / 2;
	else
	  shape->waves = (shape->waves + 1) / 2;
    }
  shape->group_bytes = choose_lds (facts, image, r, shape->groups, units);
}

/* The shape has changed, and users want to know.  */
static void __attribute__ ((noinline, cold))
tell (struct gomp_plugin_device *dev, struct gcn_region *r, const struct gcn_shape *shape)
{
  uint32_t what = shape->groups * 32 + shape->waves;
  /* Relaxed: a line too many or too few does no harm.  */
  if (atomic_exchange_explicit (&r->xtold, what, memory_order_relaxed) != what)
    gcn_core->info (dev->core_device, "%s: %u teams of %u threads on %u compute units; %u vector registers,"
		    " %u bytes of local memory, stacks of %u KiB", r->shared.name, shape->groups,
		    shape->waves, dev->facts->compute_units, r->vgprs, shape->group_bytes,
		    (shape->stack_bytes != 0 ? shape->stack_bytes : r->private_bytes * GCN_LANES) >> 10);
}

/* ---- launches ---- */

/* Everything is there: enqueue it.  */
static gomp_status_t
start (struct gcn_lane *lane, const struct gcn_image *image, struct gcn_region *r,
       const struct gcn_shape *shape, const struct gcn_block *block, struct gompx_gcn_launch *arguments,
       gomp_devptr_t args)
{
  uint64_t stacks = (uint64_t) shape->groups * shape->waves * shape->stack_bytes;
  *arguments = (struct gompx_gcn_launch) { .argument = args,
					   .word = image->our_library ? shape->logical : 0,
					   .output = (uintptr_t) lane->console->output,
					   .heap = image->heap,
					   .arena = block->base + stacks,
					   .stacks = block->base,
					   .arena_size = shape->arena_bytes,
					   .stack_size = shape->stack_bytes };
  /* Images of GCC 12 have their stacks there, and find its size in the packet.  */
  uint32_t private_size = r->private_bytes;
  if (image->our_library && private_size != 0 && private_size < GCN_PRIVATE_OURS)
    private_size = GCN_PRIVATE_OURS;
  const struct gcn_packet packet = { .kernel_object = r->object, .kernarg = arguments,
				     .groups = shape->groups, .waves = shape->waves,
				     .private_size = private_size,
				     .group_size = shape->group_bytes, .kernel = &r->shared };
  if (shape->flight == NULL)
    return gcn_dispatch (lane->queue, &packet);
  gomp_status_t status = gcn_dispatch (lane->queue, &packet);
  gomp_status_t ended = gcn_flight_end (lane->queue, shape->flight, status == GOMP_OK);
  return status == GOMP_OK ? ended : status;
}

gomp_status_t
gcn_launch (struct gomp_plugin_queue *queue, struct gomp_plugin_image *shared, size_t index,
	    const struct gomp_launch *launch)
{
  struct gcn_queue *q = gcn_queue_of (queue);
  struct gomp_plugin_device *dev = queue->dev;
  struct gcn_image *image = gcn_image_of (shared);
  struct gompx_gcn_launch *arguments = NULL;
  struct gcn_block *block = NULL;
  struct gcn_shape shape;
  gomp_status_t status = gcn_alive (dev);

  if (status != GOMP_OK)
    return status;
  struct gcn_region *r = gcn_image_region (shared, index, &status);
  if (r == NULL)
    return status;
  if (__builtin_expect (q->launch == NULL, 0) && (status = new_lane (q)) != GOMP_OK)
    return status;
  struct gcn_lane *lane = q->launch;

  choose (dev->facts, image, r, launch, &shape);
  status = gcn_stacks_take (lane, &shape, &block);
  if (status != GOMP_OK)
    return status;
  shape.flight = NULL;
  if (!image->our_library && launch->num_teams != -2)
    status = gcn_flight_begin (q, shared, launch, shape.groups, &shape.flight);
  bool calls = image->calls_host && dev->reverse != NULL;
  uint32_t number = gcn_queue_next (q);
  if (status != GOMP_OK)
    {
      gcn_stacks_put (lane, block, number - 1);
      return status;
    }
  status = take_arguments (lane, number, &arguments);
  if (status != GOMP_OK)
    {
      if (shape.flight != NULL)
	(void) gcn_flight_end (q, shape.flight, false);
      gcn_stacks_put (lane, block, number - 1);
      return status;
    }
  gcn_console_begin (lane->console, number);
  if (image->prints)
    {
      /* Release, all of these: the number, for who sees that there was one.  */
      atomic_store_explicit (&lane->xprint, number, memory_order_relaxed);
      atomic_store_explicit (&lane->xprints, true, memory_order_release);
    }
  if (calls)
    {
      atomic_store_explicit (&lane->xcall, number, memory_order_relaxed);
      atomic_store_explicit (&lane->xcalls, true, memory_order_release);
      gcn_reverse_launching (dev);
    }
  status = start (lane, image, r, &shape, block, arguments, launch->args);
  gcn_stacks_put (lane, block, status == GOMP_OK ? number : number - 1);
  if (status != GOMP_OK)
    {
      gcn_console_begin (lane->console, number - 1);
      if (calls)
	atomic_store_explicit (&lane->xcall, number - 1, memory_order_relaxed);	/* it never comes */
      return status;
    }
  if (calls)
    gcn_reverse_launched (dev);
  if (__builtin_expect (gcn_core->wants_info, 0))
    tell (dev, r, &shape);
  gcn_core->debug (2, "gcn device %u: %s on queue %u, %u teams of %u threads", dev->ordinal,
		   r->shared.name, queue->number, shape.groups, shape.waves);
  return GOMP_OK;
}

/* ---- what kernels want while they run ---- */

bool
gcn_launch_others_call (struct gomp_plugin_device *dev, const void *queue)
{
  /* Acquire, all: the lanes, and what a launch has said.  */
  struct gcn_lane *lane = atomic_load_explicit (&dev->launches->xlanes, memory_order_acquire);
  for (; lane != NULL; lane = lane->next)
    if (lane->queue != queue && atomic_load_explicit (&lane->xcalls, memory_order_acquire)
	&& !gcn_reached (lane->queue, atomic_load_explicit (&lane->xcall, memory_order_relaxed)))
      return true;
  return false;
}

bool
gcn_launch_may_call (struct gomp_plugin_device *dev)
{
  return gcn_launch_others_call (dev, NULL);
}

bool
gcn_attend (struct gomp_plugin_device *dev, struct plugin_waiter *w)
{
  bool any = false, done = gcn_reverse_serve (dev, w);

  /* Acquire, all: the consoles.  Other queues' kernels speak as well, and nobody may wait for them.  */
  struct gcn_console *c = atomic_load_explicit (&dev->launches->xconsoles, memory_order_acquire);
  for (; c != NULL; c = atomic_load_explicit (&c->xnext, memory_order_acquire))
    if (__builtin_expect (gcn_console_speaks (c), 0))
      {
	/* What is wrong is told when the kernel has ended.  */
	(void) gcn_console_look (dev, c, &any);
	done |= any;
      }
  return done;
}

uint64_t
gcn_attend_nap (struct gcn_queue *q)
{
  struct gomp_plugin_device *dev = q->base.dev;
  uint64_t nap = q->launch != NULL ? NAP_ELSE_NS : 0;

  /* Acquire, all: as above.  */
  struct gcn_lane *lane = atomic_load_explicit (&dev->launches->xlanes, memory_order_acquire);
  for (; lane != NULL; lane = lane->next)
    {
      if (atomic_load_explicit (&lane->xcalls, memory_order_acquire)
	  && !gcn_reached (lane->queue, atomic_load_explicit (&lane->xcall, memory_order_relaxed)))
	return NAP_CALLS_NS;
      if (atomic_load_explicit (&lane->xprints, memory_order_acquire)
	  && !gcn_reached (lane->queue, atomic_load_explicit (&lane->xprint, memory_order_relaxed)))
	nap = NAP_PRINTS_NS;
    }
  return nap;
}

gomp_status_t
gcn_attend_end (struct gomp_plugin_device *dev, struct gcn_queue *q)
{
  struct gcn_lane *lane = q->launch;
  return lane != NULL && __builtin_expect (gcn_console_speaks (lane->console), 0)
	 ? gcn_console_look (dev, lane->console, NULL) : GOMP_OK;
}

void
gcn_attend_lost (struct gomp_plugin_device *dev)
{
  /* A child of fork need not have the memory.  Relaxed: nothing is published with it.  */
  if (dev->launches != NULL
      && atomic_load_explicit (&dev->xlost, memory_order_relaxed) != GCN_FORKED)
    gcn_console_drain (dev);
}
