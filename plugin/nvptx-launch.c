/* nvptx-launch.c -- starting kernels: their shape, arguments, and what they need.

   Shape.  A team is a block of 32 lanes by as many warps as it has threads; a grid is a line of
   teams.  Neither is a promise: the device library in the image runs the logical teams of the region
   on those that exist, and threads are what a parallel region finds.  What the program leaves open
   is chosen by what the kernel's code does (nvptx-code.h):
     - it starts no parallel region: one thread a team, and SERIAL_TEAMS for each multiprocessor
       where the program names no number;
     - no teams construct: one team, with as many threads as the kernel can have;
     - a number of teams: so many threads a team that all of them are resident at the same time, but
       no less than FEW_WARPS;
     - neither: teams as large as they can be where a multiprocessor still holds as many threads as it can
       with any: with few registers (nvptx-link.c) two teams of 24.  If that is one team, and the lanes of a warp repeat each other's work (no simd),
       and the region runs for a long time, PLAIN_TEAMS of a little less, one after the other: on an
       H100 loops over memory were quicker like this by a third, but with GCC's device library each
       team costs some microseconds.  The second and third launch tell how long it runs; from the
       fourth on the shape stays.
   With our device library (nvptx-subst.c) teams are cheap, and a block runs as many of them as there are.
   Then the grid is what is resident, of the smallest teams that fill a multiprocessor, and where the program names no number
   nvptx-tune.c finds out how many teams are best; the launch word tells the library (device-abi.h), as it does that a
   kernel makes no tasks.

   A number of teams that the program asks for is not changed, unless their soft stacks would take
   too much memory.

   How many teams are resident is asked of the driver, once for each kernel and number of threads.

   Arguments: the address of the region's table, where the soft stacks are, how large each is; and what travels
   with the launch (nvptx-ride.c), for which a kernel may be held back until its construct's event is
   recorded.  The driver copies them.

   Locks: launches->lock, from the choice of the shape until everything is ready; not during the
   launch itself, which can wait for room in the stream.

   Called by the core through the ops table.  */

#include "nvptx-launch.h"
#include "nvptx-code.h"
#include "nvptx-lanes-image.h"
#include "nvptx-race.h"
#include "nvptx-ride.h"
#include "nvptx-tune.h"
#include "clock.h"
#include "device-abi.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
  LANES = 32,
  FEW_WARPS = 8,
  SERIAL_TEAMS = 8,		/* for each multiprocessor */
  PLAIN_TEAMS = 2,
  PLAIN_LOGICAL = 4,		/* teams for each block, or so, with our library */
  TIMED_FROM = 2,		/* launches: in the first one the driver loads code */
  TIMED_TO = 3,
  POOL_BYTES = 8192,		/* low-latency memory of a team */
  PLAIN_SHARED = 48 << 10	/* what a kernel gets without being asked for more */
};

/* What is known of a kernel: nvptx_kernel's shape.  Protected by launches->lock.  */
struct known
{
  unsigned max_warps;
  unsigned pool_bytes;
  unsigned fullest;		/* 0: not known yet */
  unsigned launches;		/* of those for which it matters how long they take, up to TIMED_TO */
  unsigned long_launches;	/* of those that were timed */
  /* Teams of so many warps that a multiprocessor holds at a time, plus 1; 0: not asked yet.  */
  unsigned short resident[NVPTX_MAX_WARPS + 1];
  unsigned told_teams, told_warps;	/* in the last line of GOMP_INFO */
  struct nvptx_tune tune;
};

#define LONG_NS 5000000		/* a region that runs for a long time */

static pthread_once_t settings_once = PTHREAD_ONCE_INIT;
static unsigned pool_bytes;

static void
read_settings (void)
{
  const char *text = nvptx_core->getenv ("GOMP_NVPTX_LOWLAT_POOL", false);
  pool_bytes = POOL_BYTES;
  if (text == NULL)
    return;
  char *end;
  unsigned long n = *text >= '0' && *text <= '9' ? strtoul (text, &end, 10) : 0;
  if (*text >= '0' && *text <= '9' && *end == '\0' && n <= 1 << 20)
    pool_bytes = n & -16ul;
  else
    nvptx_core->debug (0, "GOMP_NVPTX_LOWLAT_POOL is `%s', not a number of bytes: ignored", text);
}

gomp_status_t
nvptx_launch_open (struct gomp_plugin_device *dev)
{
  pthread_once (&settings_once, read_settings);
  struct nvptx_launches *launches = calloc (1, sizeof (*launches));
  if (launches == NULL)
    {
      nvptx_core->set_error ("out of host memory");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  gomp_status_t status = nvptx_stacks_open (dev, &launches->stacks);
  if (status == GOMP_OK && (launches->timers = nvptx_timers_new ()) == NULL)
    {
      nvptx_stacks_close (dev, launches->stacks);
      nvptx_core->set_error ("out of host memory");
      status = GOMP_OUT_OF_HOST_MEMORY;
    }
  if (status != GOMP_OK)
    {
      free (launches);
      return status;
    }
  pthread_mutex_init (&launches->lock, NULL);
  dev->launches = launches;
  return GOMP_OK;
}

void
nvptx_launch_close (struct gomp_plugin_device *dev, bool exiting)
{
  struct nvptx_launches *launches = dev->launches;
  if (launches == NULL || exiting)
    return;
  dev->launches = NULL;
  nvptx_stacks_close (dev, launches->stacks);
  nvptx_flights_close (launches->flights);
  nvptx_timers_free (launches->timers, nvptx_is_lost (dev));
  pthread_mutex_destroy (&launches->lock);
  free (launches);
}

void
nvptx_launch_forget (struct gomp_plugin_device *dev, struct gomp_plugin_image *image)
{
  struct nvptx_launches *launches = dev->launches;
  if (launches == NULL)
    return;			/* closed: nothing refers to kernels */
  pthread_mutex_lock (&launches->lock);
  for (size_t i = 0; i < image->num_kernels; i++)
    for (struct nvptx_kernel *k = &image->kernels[i]; k != NULL; k = nvptx_kernel_lanes (k))
      if (k->shape != NULL)
	nvptx_timers_forget (launches->timers, &((struct known *) k->shape)->tune);
  pthread_mutex_unlock (&launches->lock);
}

/* ---- shapes ---- */

static unsigned
min (unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* The race of KERNEL's two versions, NULL if it has one or they are not measured.  */
static struct nvptx_race *
race_of (const struct nvptx_kernel *kernel)
{
  const struct nvptx_kernel *lanes = nvptx_kernel_lanes (kernel);
  return lanes != NULL ? lanes->race : kernel->race;
}

/* What KERNEL is like.  NULL with a status.  */
static struct known *
look_at (struct gomp_plugin_device *dev, struct nvptx_kernel *kernel, gomp_status_t *status)
{
  const struct nvptx_facts *facts = dev->facts;
  struct known *known = calloc (1, sizeof (*known));

  if (known == NULL)
    {
      nvptx_core->set_error ("out of host memory");
      *status = GOMP_OUT_OF_HOST_MEMORY;
      return NULL;
    }
  known->max_warps = min (kernel->max_threads / LANES, NVPTX_MAX_WARPS);
  if (known->max_warps == 0)
    known->max_warps = 1;
  if (kernel->image->lowlat_pool)
    {
      unsigned most = facts->shared_per_block_optin > 0 ? facts->shared_per_block_optin
							: facts->shared_per_block;
      unsigned fixed = kernel->shared_bytes;
      known->pool_bytes = fixed < most ? min (pool_bytes, (most - fixed) & -16u) : 0;
      if (fixed + known->pool_bytes > PLAIN_SHARED)
	{
	  *status = NVPTX_CALL (dev, cuFuncSetAttribute,
				(kernel->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
				 known->pool_bytes),
				"giving %s %u bytes of low-latency memory", kernel->name,
				known->pool_bytes);
	  if (*status != GOMP_OK)
	    {
	      free (known);
	      return NULL;
	    }
	}
    }
  known->tune.race = race_of (kernel);
  known->tune.lanes = kernel->race != NULL;
  kernel->shape = known;
  return known;
}

gomp_status_t
nvptx_launch_expect (struct gomp_plugin_device *dev, struct nvptx_kernel *kernel)
{
  gomp_status_t status = GOMP_OK;
  pthread_mutex_lock (&dev->launches->lock);
  if (kernel->shape == NULL)
    look_at (dev, kernel, &status);
  pthread_mutex_unlock (&dev->launches->lock);
  return status;
}

/* How many teams of so many warps a multiprocessor holds; at least 1.  */
static unsigned
resident (struct gomp_plugin_device *dev, const struct nvptx_kernel *kernel, struct known *known,
	  unsigned warps)
{
  if (known->resident[warps] == 0)
    {
      int n = 0;
      gomp_status_t status
	= nvptx_check_quiet (dev, nvptx_cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor
				    (&n, kernel->function, warps * LANES, known->pool_bytes));
      known->resident[warps] = 1 + (status == GOMP_OK && n > 0 ? n : 1);
    }
  return known->resident[warps] - 1;
}

/* The number of threads of a team with which a multiprocessor holds most threads, or nearly; the
   greatest one of those.  */
static unsigned
fullest (struct gomp_plugin_device *dev, const struct nvptx_kernel *kernel, struct known *known)
{
  if (known->fullest == 0)
    {
      unsigned best = 0, few = min (FEW_WARPS, known->max_warps);
      for (unsigned warps = known->max_warps; warps >= few; warps--)
	{
	  unsigned all = warps * resident (dev, kernel, known, warps);
	  best = all > best ? all : best;
	}
      unsigned warps = known->max_warps;
      while (warps * resident (dev, kernel, known, warps) * 10 < best * 9)
	warps--;
      known->fullest = warps;
    }
  return known->fullest;
}

/* The least number of threads of a team, but at least FEW_WARPS, with which a multiprocessor holds
   nearly as many as it can.  */
static unsigned
smallest (struct gomp_plugin_device *dev, const struct nvptx_kernel *kernel, struct known *known)
{
  unsigned most = known->max_warps, few = min (FEW_WARPS, most), best = 0, warps;
  for (warps = few; warps <= most; warps *= 2)
    {
      unsigned all = warps * resident (dev, kernel, known, warps);
      best = all > best ? all : best;
    }
  for (warps = few; warps * resident (dev, kernel, known, warps) * 10 < best * 9; warps *= 2)
    ;
  return warps;
}

/* The number of teams that the program, or the user, asks for; 0: any.  */
static unsigned
asked_teams (const struct gomp_launch *launch)
{
  int wanted = nvptx_tune_setting ();
  return (unsigned) (launch->num_teams > 0 ? launch->num_teams : launch->num_teams == -2 ? 1
		     : launch->num_teams == 0 && wanted > 0 ? wanted : 0);
}

/* With our device library: blocks are what is resident, and teams share them.  */
static void
choose_ours (struct gomp_plugin_device *dev, const struct nvptx_kernel *kernel, struct known *known,
	     const struct gomp_launch *launch, struct nvptx_queue *q, struct nvptx_shape *shape,
	     struct nvptx_timer **timer)
{
  unsigned units = dev->facts->multiprocessors > 0 ? dev->facts->multiprocessors : 1;
  bool limited = launch->thread_limit > 0;
  unsigned each = kernel->lanes ? LANES : 1;
  unsigned most = known->max_warps;
  if (limited)
    most = min ((launch->thread_limit - 1) / each + 1, most);
  unsigned warps = most;
  unsigned teams = asked_teams (launch);
  bool learns = false;		/* how many teams are best */
  /* Without thread_limit num_threads tells how many threads a team needs.  */
  unsigned needed = kernel->lanes ? min (nvptx_code_warps (kernel->code), most) : 0;

  if ((kernel->code & NVPTX_CODE_THREADS) == 0)
    {
      warps = 1;
      if (teams == 0)
	teams = units * min (SERIAL_TEAMS, resident (dev, kernel, known, 1));
    }
  else if (teams > units && !limited)
    {
      unsigned few = min (FEW_WARPS, most), share = (teams - 1) / units + 1;
      if (few < needed)
	few = needed;
      while (warps > few && resident (dev, kernel, known, warps) < share)
	warps--;
    }
  else if (teams == 0)
    {
      bool in_order = (kernel->code & NVPTX_CODE_ORDER) != 0, locks = (kernel->code & NVPTX_CODE_LOCK) != 0;
      /* Few teams, so they are large, unless their threads queue up with those of all others.  */
      if (!limited)
	warps = in_order && !locks ? fullest (dev, kernel, known) : smallest (dev, kernel, known);
      if (warps < needed)
	warps = needed;
      unsigned blocks = units * resident (dev, kernel, known, warps);
      struct nvptx_choice plain = { 1, warps };
      /* Where threads and teams queue up at their end, for a lock or to add in order, as few as fill the GPU.  */
      unsigned enough = in_order || locks ? units * 2 / 3 : PLAIN_LOGICAL * blocks * 3 / 4;
      while (plain.teams < enough)
	plain.teams *= 2;
      if (nvptx_tune_setting () < 0 && launch->num_teams == 0)
	{
	  learns = true;
	  plain = nvptx_tune_choose (dev, dev->launches->timers, &known->tune, kernel, plain,
				     known->max_warps, limited, blocks * warps, q, timer);
	}
      teams = plain.teams;
      warps = plain.warps;
    }
  if (__builtin_expect (known->tune.race != NULL, 0) && !learns
      && (asked_teams (launch) != 0 || limited || launch->num_teams != 0
	  || (kernel->code & NVPTX_CODE_THREADS) == 0))
    *timer = nvptx_tune_watch (dev, dev->launches->timers, &known->tune, kernel, q);
  if (launch->num_teams == 0)
    shape->logical = teams;
  else if (kernel->lanes && limited && (unsigned) launch->thread_limit < warps * LANES
	   && (kernel->code & NVPTX_CODE_ORDER) == 0)
    shape->limit = launch->thread_limit;
  shape->warps = warps;
  shape->teams = min (teams, units * resident (dev, kernel, known, warps));
}

/* With the compiler's device library: it makes a team on each block.  */
static void
choose_theirs (struct gomp_plugin_device *dev, const struct nvptx_kernel *kernel, struct known *known,
	const struct gomp_launch *launch, struct nvptx_shape *shape)
{
  unsigned units = dev->facts->multiprocessors > 0 ? dev->facts->multiprocessors : 1;
  bool limited = launch->thread_limit > 0;
  unsigned most = limited ? min (launch->thread_limit, known->max_warps) : known->max_warps;
  unsigned teams = asked_teams (launch);
  unsigned warps = most;

  if ((kernel->code & NVPTX_CODE_THREADS) == 0)
    {
      warps = 1;
      if (teams == 0)
	teams = units * min (SERIAL_TEAMS, resident (dev, kernel, known, 1));
    }
  else if (teams > units && !limited)
    {
      /* They share a multiprocessor, and its threads.  */
      unsigned few = min (FEW_WARPS, most), share = (teams - 1) / units + 1;
      while (warps > few && resident (dev, kernel, known, warps) < share)
	warps--;
    }
  else if (teams == 0)
    {
      if (!limited)
	warps = fullest (dev, kernel, known);
      teams = units * resident (dev, kernel, known, warps);
      if (!limited && (kernel->code & NVPTX_CODE_SIMD) == 0 && teams == units
	  && warps > FEW_WARPS)
	{
	  if (known->launches < TIMED_TO)
	    known->launches++;
	  else if (known->long_launches == TIMED_TO - TIMED_FROM + 1)
	    {
	      warps = (warps - warps / 8) & -4u;
	      teams = units * PLAIN_TEAMS;
	    }
	}
    }

  shape->warps = warps;
  shape->teams = teams;
}

static void
choose (struct gomp_plugin_device *dev, const struct nvptx_kernel *kernel, struct known *known,
	const struct gomp_launch *launch, struct nvptx_queue *q, struct nvptx_shape *shape,
	struct nvptx_timer **timer)
{
  if (kernel->image->our_library)
    choose_ours (dev, kernel, known, launch, q, shape, timer);
  else
    choose_theirs (dev, kernel, known, launch, shape);
  shape->pool_bytes = known->pool_bytes;
  shape->stack_bytes = nvptx_stack_size ();
  shape->stack_least = !kernel->image->our_library ? 0
		       : kernel->image->our_tasks ? GOMPX_STACK_TASKS : GOMPX_STACK_PLAIN;
  if (shape->stack_bytes < shape->stack_least)
    shape->stack_bytes = shape->stack_least;
  unsigned teams = shape->teams, warps = shape->warps;
  unsigned units = dev->facts->multiprocessors > 0 ? dev->facts->multiprocessors : 1;
  uint64_t fit = nvptx_stacks_budget (dev) / (shape->warps * shape->stack_bytes);
  if (teams > fit)
    {
      /* More than one wave: what is resident is enough.  */
      unsigned wave = units * resident (dev, kernel, known, warps);
      teams = min (teams, fit > wave ? fit : wave);
    }
  if (dev->facts->max_grid_x > 0)
    teams = min (teams, dev->facts->max_grid_x);
  shape->teams = teams;
}

/* Is the library to be told that nothing of KERNEL makes tasks?  Then its barriers do not look for any.  */
static bool
makes_no_tasks (const struct nvptx_kernel *kernel)
{
  return kernel->image->knows_tasks && (kernel->code & NVPTX_CODE_TASKS) == 0;
}

/* Tell what has been chosen, if it is not what it was.  */
static void __attribute__ ((noinline, cold))
tell (struct gomp_plugin_device *dev, const struct nvptx_kernel *kernel, struct known *known,
      const struct nvptx_shape *shape)
{
  unsigned held = resident (dev, kernel, known, shape->warps);
  known->told_warps = shape->warps;
  char blocks[32] = "";
  if (shape->logical > shape->teams)
    snprintf (blocks, sizeof (blocks), " on %u blocks", shape->teams);
  unsigned teams = shape->logical > 0 ? shape->logical : shape->teams;
  known->told_teams = teams;
  nvptx_core->info (dev->core_device, "%s: %u team%s of %u threads%s, %u at a time on each of %d"
		    " multiprocessors; %d registers, %d bytes of shared memory, soft stacks of %zu KiB%s",
		    kernel->name, teams, teams == 1 ? "" : "s", shape->warps, blocks, held,
		    dev->facts->multiprocessors, kernel->registers,
		    kernel->shared_bytes + (int) shape->pool_bytes, shape->stack_bytes >> 10,
		    makes_no_tasks (kernel) ? "; it makes no tasks" : "");
}

/* ---- launches ---- */

/* What the library is told by the upper bits of the argument (device-abi.h).  DISJOINT: KERNEL's
   stores go to other memory than all else that it uses.  */
static uint64_t
launch_word (const struct nvptx_queue *q, const struct nvptx_kernel *kernel,
	     struct nvptx_shape *shape, bool disjoint)
{
  uint64_t word = makes_no_tasks (kernel) ? GOMPX_LAUNCH_NO_TASKS : 0;

  if (kernel->stores != 0)
    word = disjoint ? GOMPX_LAUNCH_DISJOINT : 0;
  if (__builtin_expect (shape->limit > 0, 0))
    return word | ((uint64_t) shape->limit << 4 | GOMPX_LAUNCH_LIMITS) << GOMPX_LAUNCH_SHIFT;
  /* A cell for each queue: its kernels run one after the other.  Should there be more queues, teams of the rest have no order.  */
  if (__builtin_expect ((kernel->code & NVPTX_CODE_ORDER) != 0, 0))
    return word | nvptx_tune_order_word (&shape->logical, q->index <= GOMPX_LAUNCH_CELLS ? q->index : 0);
  return word | (shape->logical > 0 ? nvptx_tune_word (&shape->logical) : 0);
}

static gomp_status_t
start (struct nvptx_queue *q, const struct nvptx_kernel *kernel, struct nvptx_shape *shape,
       gomp_devptr_t args, bool disjoint, struct nvptx_carry_params *params)
{
  struct nvptx_carry_params own;
  /* An address that leaves no room goes without a word, and is no worse for it.  */
  uint64_t word = GOMPX_LAUNCH_ARG (args) == args ? launch_word (q, kernel, shape, disjoint) : 0;
  if (params == NULL)
    {
      params = &own;
      own.carry.head = (struct nvptx_carry_head) { .in_size = 0 };
    }
  params->args = args | word;
  params->stacks = shape->stacks;
  params->stack_bytes = shape->stack_bytes;
  /* Drivers want the very size.  */
  size_t size = kernel->image->carries ? sizeof (*params) : NVPTX_PLAIN_PARAMS;
  void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, params, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
		    CU_LAUNCH_PARAM_END };

  nvptx_queue_begins (q);
  return NVPTX_CALL (q->base.dev, cuLaunchKernel,
		     (kernel->function, shape->teams, 1, 1, LANES, shape->warps, 1,
		      shape->pool_bytes, q->stream, NULL, extra),
		     "starting %s with %u teams of %u threads", kernel->name, shape->teams,
		     shape->warps);
}

/* Everything that KERNEL needs; the lock is held and the device entered.  */
static gomp_status_t
prepare (struct nvptx_queue *q, struct nvptx_kernel *kernel, const struct gomp_launch *launch,
	 struct nvptx_shape *shape, struct nvptx_flight **flight, struct nvptx_timer **timer)
{
  struct gomp_plugin_device *dev = q->base.dev;
  struct nvptx_launches *launches = dev->launches;
  struct known *known = kernel->shape;
  gomp_status_t status = GOMP_OK;

  if (__builtin_expect (known == NULL, 0) && (known = look_at (dev, kernel, &status)) == NULL)
    return status;
  unsigned before = known->launches;
  choose (dev, kernel, known, launch, q, shape, timer);
  if (__builtin_expect (known->launches != before, 0) && known->launches >= TIMED_FROM)
    {
      /* Relaxed: should somebody mix this with what it was before, the time is wrong.  */
      atomic_store_explicit (&q->xtimed_start, plugin_now (), memory_order_relaxed);
      atomic_store_explicit (&q->xtimed_number, nvptx_queue_next (q), memory_order_relaxed);
      /* Release: the kernel, whose shape the taker changes under the lock.  */
      atomic_store_explicit (&q->xtimed, kernel, memory_order_release);
    }
  status = nvptx_stacks_take (dev, launches->stacks, q, shape);
  if (status == GOMP_OK)
    status = nvptx_flight_begin (launches, q, kernel->image, launch, shape->teams, flight);
  if (__builtin_expect (nvptx_core->wants_info, 0) && status == GOMP_OK && *timer == NULL
      && (known->told_teams != (shape->logical > 0 ? shape->logical : shape->teams)
	  || known->told_warps != shape->warps))
    tell (dev, kernel, known, shape);
  return status;
}

/* Does LAUNCH count on threads that only lanes can be: more than a team has warps, by thread_limit or
   num_threads, or such that meet at barriers, as code does that was written for so many?  */
static bool
needs_lanes (const struct nvptx_kernel *twin, const struct gomp_launch *launch)
{
  return !twin->warps && (launch->thread_limit > NVPTX_MAX_WARPS
			  || (twin->code & (NVPTX_CODE_BARRIER | NVPTX_CODE_COUNTS)) != 0);
}

/* The version of KERNEL, or TWIN with lanes, for LAUNCH.  */
static struct nvptx_kernel *
choose_version (struct gomp_plugin_device *dev, struct nvptx_kernel *kernel, struct nvptx_kernel *twin,
		const struct gomp_launch *launch)
{
  struct nvptx_launches *launches = dev->launches;
  struct nvptx_race *race = twin->race;

  pthread_mutex_lock (&launches->lock);
  struct known *warp = kernel->shape, *lane = twin->shape;
  if (warp != NULL && warp->tune.race == NULL)
    {
      /* It was alone so far.  */
      warp->tune.race = race;
      nvptx_tune_restart (&warp->tune);
    }
  if (!race->begun)
    nvptx_race_begin (race, kernel);
  if (race->restart)
    {
      *race = (struct nvptx_race) { .begun = true, .patient = race->patient };
      if (warp != NULL)
	nvptx_tune_restart (&warp->tune);
      if (lane != NULL)
	nvptx_tune_restart (&lane->tune);
    }
  if (needs_lanes (twin, launch))
    {
      /* There is nothing to measure.  */
      race->decided = race->lanes = true;
      race->save = false;
    }
  bool waiting = false;
  if (!race->decided)
    {
      if (warp != NULL)
	waiting |= nvptx_tune_is_waiting (dev, launches->timers, &warp->tune);
      if (lane != NULL)
	waiting |= nvptx_tune_is_waiting (dev, launches->timers, &lane->tune);
    }
  bool lanes = nvptx_race_next (race, waiting, lane == NULL || lane->tune.launches == 0,
				warp == NULL || warp->tune.launches == 0);
  struct nvptx_race decided = *race;
  race->save = false;
  pthread_mutex_unlock (&launches->lock);
  if (__builtin_expect (decided.save, 0))
    nvptx_race_keep (&decided, kernel);
  return lanes ? twin : kernel;
}

/* What has been found out about KERNEL is told, and kept.  */
static void __attribute__ ((noinline, cold))
keep_choice (struct gomp_plugin_device *dev, const struct nvptx_kernel *kernel,
	     const struct nvptx_tune *learned)
{
  nvptx_core->info (dev->core_device, "%s: %u teams of %u threads are the best of %u choices: %.3f ms, and"
		    " %.3f with %u of %u", kernel->name, learned->best.teams, learned->best.warps,
		    learned->tries + 1, (double) learned->best_ns / 1e6, (double) learned->plain_ns / 1e6,
		    learned->plain.teams, learned->plain.warps);
  nvptx_choices_save (kernel->image->choices, kernel->name, learned->best, learned->best_ns);
}

/* What has been found out, if anything, is the caller's to keep; the lock is held.  */
static inline void
take_learned (struct known *known, struct nvptx_tune *learned)
{
  if (__builtin_expect (known->tune.save, 0))
    {
      *learned = known->tune;
      known->tune.save = false;
    }
}

/* What is known of KERNEL, which may be a version of another one; the lock is held.  */
static void
note_search (struct gomp_plugin_device *dev, const struct nvptx_kernel *kernel, struct nvptx_tune *learned)
{
  struct known *known = kernel->shape;
  struct nvptx_search search;

  if (known == NULL)
    return;
  /* The last launch.  */
  nvptx_tune_is_waiting (dev, dev->launches->timers, &known->tune);
  take_learned (known, learned);
  if (nvptx_tune_describe (&known->tune, &search))
    nvptx_choices_note (kernel->image->choices, kernel->name, &search);
}

void
nvptx_launch_keep (struct gomp_plugin_device *dev, struct gomp_plugin_image *image, bool exiting)
{
  struct nvptx_launches *launches = dev->launches;

  if (launches == NULL || image->choices == NULL)
    return;
  for (size_t i = 0; i < image->num_kernels; i++)
    {
      struct nvptx_kernel *kernel = &image->kernels[i], *twin = nvptx_kernel_lanes (kernel);
      struct nvptx_tune learned = { .save = false }, of_twin = { .save = false };
      struct nvptx_race race = { .save = false };
      /* A thread that has the lock while the process ends may wait for the GPU.  */
      if (!exiting)
	pthread_mutex_lock (&launches->lock);
      else if (pthread_mutex_trylock (&launches->lock) != 0)
	break;
      note_search (dev, kernel, &learned);
      if (twin != NULL)
	note_search (dev, twin, &of_twin);
      if (twin != NULL && twin->race != NULL)
	{
	  nvptx_race_note (twin->race, kernel);
	  race = *twin->race;
	  twin->race->save = false;
	}
      pthread_mutex_unlock (&launches->lock);
      if (learned.save)
	keep_choice (dev, kernel, &learned);
      if (of_twin.save)
	keep_choice (dev, twin, &of_twin);
      if (race.save)
	nvptx_race_keep (&race, kernel);
    }
  nvptx_choices_write (image->choices);
}

void
nvptx_launch_timed (struct nvptx_queue *q, uint32_t number)
{
  struct nvptx_launches *launches = q->base.dev->launches;

  /* Relaxed, here and below: see prepare.  */
  if ((int32_t) (number - atomic_load_explicit (&q->xtimed_number, memory_order_relaxed)) < 0)
    return;
  uint64_t start = atomic_load_explicit (&q->xtimed_start, memory_order_relaxed);
  /* Acquire: the kernel.  One thread gets it.  */
  struct nvptx_kernel *kernel = atomic_exchange_explicit (&q->xtimed, NULL, memory_order_acquire);
  if (kernel == NULL)
    return;
  pthread_mutex_lock (&launches->lock);
  struct known *known = kernel->shape;
  known->long_launches += plugin_now () - start >= LONG_NS;
  pthread_mutex_unlock (&launches->lock);
}

gomp_status_t
nvptx_launch (struct gomp_plugin_queue *queue, struct gomp_plugin_image *image, size_t index,
	      const struct gomp_launch *launch)
{
  struct nvptx_queue *q = nvptx_queue_of (queue);
  struct gomp_plugin_device *dev = queue->dev;
  gomp_status_t status = GOMP_NOT_FOUND;

  struct nvptx_kernel *kernel = nvptx_image_kernel (image, index, launch->nowait, &status);
  if (kernel == NULL)
    return status;
  if (!kernel->is_kernel)
    {
      nvptx_core->set_error ("%s is not a kernel", kernel->name);
      return GOMP_NOT_FOUND;
    }
  struct nvptx_scope scope;
  status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  struct nvptx_kernel *twin = nvptx_kernel_lanes (kernel);
  if (__builtin_expect (twin != NULL && nvptx_lanes_suit (twin, launch->thread_limit), 0))
    kernel = twin->race != NULL ? choose_version (dev, kernel, twin, launch) : twin;
  else if (__builtin_expect (twin != NULL, 0) && (status = nvptx_image_need_warps (kernel)) != GOMP_OK)
    {
      nvptx_leave (dev, &scope);
      return status;
    }
  struct nvptx_carry_params *params;
  status = nvptx_ride_args (q, kernel, launch, &params);
  if (status == GOMP_OK && !nvptx_ride_kernel (q, kernel, launch))
    {
      status = nvptx_ride_end (q);
      if (status == GOMP_OK)
	status = nvptx_launch_now (q, kernel, launch, params);
    }
  nvptx_leave (dev, &scope);
  return status;
}

gomp_status_t
nvptx_launch_now (struct nvptx_queue *q, struct nvptx_kernel *kernel,
		  const struct gomp_launch *launch, struct nvptx_carry_params *params)
{
  struct gomp_plugin_device *dev = q->base.dev;
  struct nvptx_launches *launches = dev->launches;
  struct nvptx_shape shape = { .teams = 0 };
  struct nvptx_flight *flight = NULL;
  struct nvptx_timer *timer = NULL;
  struct nvptx_tune learned = { .save = false };
  bool calls = kernel->image->calls_host, begun = calls && nvptx_reverse_launch_begin (dev);
  struct nvptx_calls before = { .calls_host = false };
  bool disjoint = kernel->stores != 0 && nvptx_core->args_apart (launch, kernel->stores, kernel->uses);
  pthread_mutex_lock (&launches->lock);
  gomp_status_t status = prepare (q, kernel, launch, &shape, &flight, &timer);
  struct known *known = kernel->shape;
  if (known != NULL)
    take_learned (known, &learned);
  pthread_mutex_unlock (&launches->lock);
  if (timer != NULL)
    nvptx_timer_begin (timer, q);
  if (status == GOMP_OK)
    {
      if (__builtin_expect (calls, 0))
	before = nvptx_queue_launching (q);
      status = start (q, kernel, &shape, launch->args, disjoint, params);
      if (__builtin_expect (calls && status != GOMP_OK, 0))
	nvptx_queue_not_launched (q, before);
      nvptx_flight_end (flight);
    }
  if (timer != NULL)
    nvptx_timer_end (timer, q, status == GOMP_OK);
  if (__builtin_expect (learned.save, 0))
    keep_choice (dev, kernel, &learned);
  if (status == GOMP_OK)
    nvptx_queue_launched (q, kernel);
  nvptx_reverse_launch_end (dev, begun);
  nvptx_core->debug (2, "nvptx device %u: %s on queue %u, %u teams of %u threads", dev->ordinal,
		     kernel->name, q->base.number, shape.teams, shape.warps);
  return status;
}
