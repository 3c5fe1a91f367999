/* block.c -- launches: blocks on host threads, the warps of a block in turns, special registers, counts.

   Each host thread takes the next block and executes it to its end, so that blocks make progress in the
   order in which they begin and as many run at the same time as there are threads.  Blocks of one
   launch that wait for others that have not begun wait for ever, as on a GPU.

   Called by psim_launch's callers, any number at the same time.  */

#include "sim.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_THREADS = 64 };

const char *const psim_class_names[PSIM_CLASSES]
  = { "int", "float", "move", "control", "call", "global", "shared", "local", "param", "atomic", "sync" };

const char *
psim_result_name (enum psim_result result)
{
  static const char *const names[]
    = { "done", "illegal address", "misaligned address", "invalid address space", "invalid program counter",
	"trap", "stack overflow", "error that hardware does not show", "stopped", "invalid launch" };
  return (unsigned) result < sizeof (names) / sizeof (*names) ? names[result] : "unknown";
}

/* -- Special registers -- */

/* When the process started, for the GPU: %clock counts from there.  */
static uint64_t clock_start;

static uint64_t
monotonic_ns (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * UINT64_C (1000000000) + (uint64_t) now.tv_nsec;
}

static void __attribute__ ((constructor))
start_clock (void)
{
  clock_start = monotonic_ns ();
}

const char *const special_names[SPECIALS]
  = { "%tid.x", "%tid.y", "%tid.z", "%ntid.x", "%ntid.y", "%ntid.z", "%ctaid.x", "%ctaid.y", "%ctaid.z",
      "%nctaid.x", "%nctaid.y", "%nctaid.z", "%laneid", "%warpid", "%nwarpid", "%smid", "%nsmid", "%gridid",
      "%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "%clock",
      "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi",
      "%dynamic_smem_size", "%total_smem_size" };

/* What the stand-in driver says of its devices, too.  */
#define CLOCK_KHZ UINT64_C (1980000)

static uint64_t
special_value (const struct warp *w, enum special which, unsigned l)
{
  const struct block *b = w->block;
  const struct psim_launch *user = b->launch->user;
  uint32_t bit = UINT32_C (1) << l;
  struct timespec now;
  switch (which)
    {
    case SP_TID_X: case SP_TID_Y: case SP_TID_Z:
      return w->tid[which - SP_TID_X][l];
    case SP_NTID_X: case SP_NTID_Y: case SP_NTID_Z:
      return user->block[which - SP_NTID_X];
    case SP_CTAID_X: case SP_CTAID_Y: case SP_CTAID_Z:
      return b->id[which - SP_CTAID_X];
    case SP_NCTAID_X: case SP_NCTAID_Y: case SP_NCTAID_Z:
      return user->grid[which - SP_NCTAID_X];
    case SP_LANEID:
      return l;
    case SP_WARPID:
      return w->number;
    case SP_NWARPID:
      return MAX_WARPS;
    case SP_SMID:
      return b->worker % (user->nsmid != 0 ? user->nsmid : 4);
    case SP_NSMID:
      return user->nsmid != 0 ? user->nsmid : 4;
    case SP_GRIDID:
      return 1;
    case SP_LANEMASK_EQ:
      return bit;
    case SP_LANEMASK_LE:
      return bit | (bit - 1);
    case SP_LANEMASK_LT:
      return bit - 1;
    case SP_LANEMASK_GE:
      return (uint32_t) ~(bit - 1);
    case SP_LANEMASK_GT:
      return (uint32_t) ~(bit | (bit - 1));
    case SP_CLOCK: case SP_CLOCK_HI: case SP_CLOCK64:
      {
	/* Not instructions: who waits for some time by this clock would wait for minutes.  */
	uint64_t ns = monotonic_ns () - clock_start;
	uint64_t cycles = ns / 1000 * (CLOCK_KHZ / 1000) + ns % 1000 * CLOCK_KHZ / 1000000;
	return which == SP_CLOCK64 ? cycles : which == SP_CLOCK ? (uint32_t) cycles : cycles >> 32;
      }
    case SP_GLOBALTIMER: case SP_GLOBALTIMER_LO: case SP_GLOBALTIMER_HI:
      {
	clock_gettime (CLOCK_REALTIME, &now);
	uint64_t ns = (uint64_t) now.tv_sec * UINT64_C (1000000000) + (uint64_t) now.tv_nsec;
	return which == SP_GLOBALTIMER ? ns : which == SP_GLOBALTIMER_LO ? (uint32_t) ns : ns >> 32;
      }
    case SP_DYNAMIC_SMEM:
      return user->dynamic_shared;
    case SP_TOTAL_SMEM:
      return b->launch->shared_size - SHARED_START;
    case SPECIALS:
      break;
    }
  return 0;
}

/* dst = special register `kind'.  */
void
run_special (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  enum special which = (enum special) in->kind;
  if (which >= SP_CLOCK)
    {
      /* All lanes see the same time.  */
      uint64_t value = special_value (w, which, 0);
      EACH_LANE (w, l, d[l] = value);
    }
  else
    EACH_LANE (w, l, d[l] = special_value (w, which, l));
  define (w, in->dst, ALL_LANES);
}

/* -- Blocks -- */

struct worker
{
  struct launch *launch;
  struct block block;
  pthread_t thread;
  unsigned number;
  bool ready;
};

static void
block_start (struct block *b, uint64_t number)
{
  const struct launch *launch = b->launch;
  const unsigned *grid = launch->user->grid;
  b->number = number;
  b->id[0] = (unsigned) (number % grid[0]);
  b->id[1] = (unsigned) (number / grid[0] % grid[1]);
  b->id[2] = (unsigned) (number / grid[0] / grid[1]);
  memset (b->shared, 0xa5, launch->shared_size);
  memset (b->shared_shadow, 0, launch->shared_size);
  memset (b->barrier, 0, sizeof (b->barrier));
  b->random = launch->seed ^ number * 77;
  if (b->races != NULL)
    races_barrier (b);
  for (unsigned i = 0; i < b->n_warps; i++)
    warp_start (&b->warps[i], b, i);
}

static bool
block_over (const struct block *b)
{
  for (unsigned i = 0; i < b->n_warps; i++)
    if (b->warps[i].ended != ALL_LANES)
      return false;
  return true;
}

/* The launch has failed, or is to end.  */
static bool
block_stops (const struct block *b)
{
  struct launch *launch = b->launch;
  /* Relaxed: it is looked at again soon.  */
  if (atomic_load_explicit (&launch->failed, memory_order_relaxed) != PSIM_DONE)
    return true;
  if (launch->user->stop == NULL
      || atomic_load_explicit (launch->user->stop, memory_order_relaxed) == 0)
    return false;
  int none = PSIM_DONE;
  /* Relaxed: no data goes with it.  */
  atomic_compare_exchange_strong_explicit (&launch->failed, &none, PSIM_STOPPED, memory_order_relaxed,
					   memory_order_relaxed);
  return true;
}

static void
nobody_can_run (struct block *b)
{
  struct launch *launch = b->launch;
  int none = PSIM_DONE;
  /* Relaxed: the report is handed over when the thread is joined.  */
  if (atomic_compare_exchange_strong_explicit (&launch->failed, &none, PSIM_NOT_SHOWN,
					       memory_order_relaxed, memory_order_relaxed))
    launch->user->report = report_stuck (b, "nobody of the block can go on");
}

static void
block_run (struct block *b)
{
  unsigned at = 0;
  while (!block_stops (b))
    {
      bool any = false, slept = true;
      unsigned start = 0;
      if (b->launch->order == PSIM_RANDOM)
	start = (unsigned) (random_next (&b->random) % b->n_warps);
      else if (b->launch->order == PSIM_ADVERSARIAL)
	/* The last warp first; another one after each round.  */
	start = b->n_warps - 1 - at++ % b->n_warps;
      for (unsigned i = 0; i < b->n_warps; i++)
	{
	  struct warp *w = &b->warps[(start + i) % b->n_warps];
	  if (!warp_run (w))
	    continue;
	  any = true;
	  slept = slept && w->yield;
	  if (b->launch->order == PSIM_RANDOM || block_stops (b))
	    break;
	}
      if (any)
	{
	  /* All that can run wait for somebody outside of the block.  */
	  if (slept)
	    sched_yield ();
	  continue;
	}
      if (block_over (b))
	return;
      nobody_can_run (b);
      return;
    }
}

static bool
worker_ready (struct worker *k)
{
  struct launch *launch = k->launch;
  struct block *b = &k->block;
  const unsigned *size = launch->user->block;
  b->launch = launch;
  b->worker = k->number;
  b->threads = size[0] * size[1] * size[2];
  b->n_warps = (b->threads + LANES - 1) / LANES;
  b->shared = malloc (launch->shared_size + 16);
  b->shared_shadow = malloc (launch->shared_size + 16);
  b->warps = calloc (b->n_warps, sizeof (*b->warps));
  if (b->shared == NULL || b->shared_shadow == NULL || b->warps == NULL)
    return false;
  for (unsigned i = 0; i < b->n_warps; i++)
    if (!warp_new (&b->warps[i], launch->local_limit))
      return false;
  if (launch->races)
    b->races = races_new (launch->shared_size);
  return !launch->races || b->races != NULL;
}

static void
worker_end (struct worker *k)
{
  struct block *b = &k->block;
  for (unsigned i = 0; b->warps != NULL && i < b->n_warps; i++)
    warp_free (&b->warps[i], k->launch->local_limit);
  races_free (b->races);
  free (b->warps);
  free (b->shared);
  free (b->shared_shadow);
}

static void *
worker_run (void *arg)
{
  struct worker *k = arg;
  struct launch *launch = k->launch;
  while (!block_stops (&k->block))
    {
      /* Relaxed: a number, no data.  */
      uint64_t number = atomic_fetch_add_explicit (&launch->next_block, 1, memory_order_relaxed);
      if (number >= launch->blocks)
	break;
      if (launch->order == PSIM_ADVERSARIAL)
	number = launch->blocks - 1 - number;
      block_start (&k->block, number);
      block_run (&k->block);
      k->block.counts.blocks++;
    }
  return NULL;
}

static void
add_counts (struct psim_counts *sum, const struct psim_counts *more)
{
  sum->warp += more->warp;
  sum->lane += more->lane;
  for (unsigned i = 0; i < PSIM_CLASSES; i++)
    sum->by_class[i] += more->by_class[i];
  sum->blocks += more->blocks;
  sum->barriers += more->barriers;
  sum->atomics += more->atomics;
  sum->allocations += more->allocations;
  if (more->peak_local > sum->peak_local)
    sum->peak_local = more->peak_local;
}

/* -- Launches -- */

static enum psim_result
refuse (struct psim_launch *user, const char *why)
{
  size_t room = strlen (why) + 100;
  user->report = malloc (room);
  if (user->report != NULL)
    snprintf (user->report, room, "ptx-sim: invalid launch: %s\n", why);
  return PSIM_BAD_LAUNCH;
}

/* What PTX_SIM_* say.  */
static void
read_environment (struct launch *launch, unsigned *threads)
{
  const char *text = getenv ("PTX_SIM_THREADS");
  if (text != NULL && atoi (text) > 0)
    *threads = (unsigned) atoi (text);
  text = getenv ("PTX_SIM_RACES");
  if (text != NULL)
    launch->races = strcmp (text, "0") != 0;
  text = getenv ("PTX_SIM_BUDGET");
  if (text != NULL)
    launch->budget = strtoull (text, NULL, 0);
  text = getenv ("PTX_SIM_ORDER");
  if (text != NULL && strncmp (text, "random", 6) == 0)
    {
      launch->order = PSIM_RANDOM;
      launch->seed = text[6] == ':' ? strtoull (text + 7, NULL, 0) : 1;
    }
  else if (text != NULL && strcmp (text, "adversarial") == 0)
    launch->order = PSIM_ADVERSARIAL;
  else if (text != NULL && strcmp (text, "inorder") == 0)
    launch->order = PSIM_IN_ORDER;
  else if (text != NULL)
    fprintf (stderr, "ptx-sim: PTX_SIM_ORDER=%s: not inorder, random:SEED or adversarial\n", text);
}

/* How lanes that all do the same are told from those that are threads: see README.  */
static void
choose_lanes (struct launch *launch, bool environment)
{
  const char *text = environment ? getenv ("PTX_SIM_LANES") : NULL;
  launch->lanes_flag = program_shared (launch->program, "__nvptx_stacks");
  launch->lanes_mode = launch->lanes_flag != UINT32_MAX ? LANES_BY_STACK : LANES_FREE;
  if (text == NULL)
    return;
  if (strcmp (text, "lockstep") == 0)
    launch->lanes_mode = LANES_LOCK_STEP;
  else if (strcmp (text, "free") == 0)
    launch->lanes_mode = LANES_FREE;
  else if (program_shared (launch->program, text) != UINT32_MAX)
    {
      launch->lanes_flag = program_shared (launch->program, text);
      launch->lanes_mode = LANES_BY_FLAG;
    }
}

static const char *
bad_shape (const struct psim_launch *user, size_t shared)
{
  static const unsigned grid_limit[3] = { INT32_MAX, 65535, 65535 }, block_limit[3] = { 1024, 1024, 64 };
  uint64_t threads = 1;
  for (unsigned i = 0; i < 3; i++)
    {
      if (user->grid[i] == 0 || user->grid[i] > grid_limit[i])
	return "the grid is empty or too large";
      if (user->block[i] == 0 || user->block[i] > block_limit[i])
	return "the block is empty or too large";
      threads *= user->block[i];
    }
  if (threads > 1024)
    return "more than 1024 threads in a block";
  if (shared > 227 * 1024)
    return "more than 227 KiB of shared memory";
  return NULL;
}

enum psim_result
psim_launch (struct psim_launch *user)
{
  struct launch launch = { .user = user, .order = user->order, .seed = user->seed,
			   .budget = user->budget, .races = user->races };
  struct worker *workers;
  unsigned threads = user->threads, started = 0;
  enum psim_result result;

  user->report = NULL;
  memset (&user->counts, 0, sizeof (user->counts));
  launch.entry = kernel_function (user->kernel);
  launch.program = kernel_program (user->kernel);
  launch.local_limit = user->local_limit != 0 ? (user->local_limit + 4095) & ~(size_t) 4095 : 512 << 10;
  launch.call_limit = user->call_limit != 0 && user->call_limit < MAX_DEPTH ? user->call_limit
		      : MAX_DEPTH - 1;
  size_t shared = program_shared_size (launch.program) + user->dynamic_shared;
  const char *bad = bad_shape (user, shared - SHARED_START);
  if (bad != NULL)
    return refuse (user, bad);
  if (user->block[0] * user->block[1] * user->block[2] > launch.entry->max_threads)
    return refuse (user, "more threads than the kernel's .maxntid");
  launch.shared_size = (uint32_t) shared;
  if (!function_ready (launch.entry))
    return refuse (user, launch.entry->failed);
  if (user->environment)
    read_environment (&launch, &threads);
  choose_lanes (&launch, user->environment);
  if (threads == 0)
    threads = 2;
  launch.blocks = (uint64_t) user->grid[0] * user->grid[1] * user->grid[2];
  if (threads > MAX_THREADS)
    threads = MAX_THREADS;
  if (threads > launch.blocks)
    threads = (unsigned) launch.blocks;
  heap_limit (program_heap (launch.program), user->heap_limit);

  workers = calloc (threads, sizeof (*workers));
  for (unsigned i = 0; workers != NULL && i < threads; i++)
    {
      workers[i].launch = &launch;
      workers[i].number = i;
      if (!worker_ready (&workers[i]))
	{
	  worker_end (&workers[i]);
	  break;
	}
      started++;
    }
  if (started == 0)
    {
      free (workers);
      return refuse (user, "no memory for its warps");
    }
  unsigned running = 1;
  while (running < started
	 && pthread_create (&workers[running].thread, NULL, worker_run, &workers[running]) == 0)
    running++;
  worker_run (&workers[0]);
  for (unsigned i = 1; i < running; i++)
    pthread_join (workers[i].thread, NULL);
  for (unsigned i = 0; i < started; i++)
    {
      add_counts (&user->counts, &workers[i].block.counts);
      worker_end (&workers[i]);
    }
  free (workers);
  /* Relaxed: all threads are joined.  */
  result = (enum psim_result) atomic_load_explicit (&launch.failed, memory_order_relaxed);
  return result;
}
