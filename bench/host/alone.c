/* alone.c -- what one thread does by itself: teams on the host, cancellation, ordered regions, aligned
   memory, and the routines for device memory where the device is the host.

   "off" in a name: OMP_CANCELLATION is unset, so that points and cancellations do nothing; the other rows of
   cancellation are measured in a process with OMP_CANCELLATION=true.  */

#include "../bench.h"
#include "plain.h"

#include <stdint.h>

#define SIZE 256		/* bytes of a block, and of a copy */
#define ALIGNMENT 64
#define ORDERED 512		/* iterations of an ordered loop */
#define TASKS 16		/* in a group that is cancelled */

/* ---- teams ---- */

static void
teams (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp teams num_teams (2)
      BENCH_KEEP (k);
    }
}

static void
teams_distribute (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp teams distribute num_teams (2)
      for (int i = 0; i < 2; i++)
	BENCH_KEEP (i);
    }
}

static void
teams_parallel (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp teams distribute parallel for num_teams (2)
      for (int i = 0; i < 2; i++)
	BENCH_KEEP (i);
    }
}

/* ---- cancellation ---- */

/* One task, which cancels its group.  */
static void
cancel_group (long count)
{
  long reached = 0;
  for (long k = 0; k < count; k++)
    {
#pragma omp taskgroup
      {
#pragma omp task shared (reached)
	{
#pragma omp cancel taskgroup
	  reached++;
	}
      }
    }
  bench_check (reached == 0 || !omp_get_cancellation (), "cancel taskgroup");
}

static void
cancel_taskgroup (long count)
{
#pragma omp parallel
  cancel_group (count);
}

/* The tasks behind the first are discarded.  */
static void
cancel_tasks (long count)
{
  long reached = 0;
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp taskgroup
      for (int i = 0; i < TASKS; i++)
	{
#pragma omp task shared (reached)
	  {
	    reached++;
#pragma omp cancel taskgroup
	    reached++;
	  }
	}
    }
  bench_check (reached == count || !omp_get_cancellation (), "cancel taskgroup, tasks");
}

static void
cancel_for (long count)
{
  long reached = 0;
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp for
      for (int i = 0; i < 2; i++)
	{
#pragma omp cancel for
	  reached++;
	}
    }
  bench_check (reached == 0 || !omp_get_cancellation (), "cancel for");
}

static void
cancel_parallel (long count)
{
  long reached = 0;
  for (long k = 0; k < count; k++)
    {
#pragma omp parallel
      {
#pragma omp cancel parallel
	reached++;
      }
    }
  bench_check (reached == 0 || !omp_get_cancellation (), "cancel parallel");
}

/* GCC drops points of constructs that nothing in the same function cancels, hence the cancel directives.  */
static int never;

static void
point_parallel (long count)
{
  long reached = 0;
#pragma omp parallel
  {
#pragma omp cancel parallel if (never)
    for (long k = 0; k < count; k++)
      {
#pragma omp cancellation point parallel
	reached++;
      }
  }
  bench_check (reached == count, "cancellation point parallel");
}

static void
point_for (long count)
{
  long reached = 0;
#pragma omp parallel
#pragma omp for
  for (long k = 0; k < count; k++)
    {
#pragma omp cancellation point for
      reached++;
      if (never)
	{
#pragma omp cancel for
	}
    }
  bench_check (reached == count, "cancellation point for");
}

static void
point_group (long count)
{
  long reached = 0;
#pragma omp taskgroup
  {
#pragma omp task shared (reached)
    for (long k = 0; k < count; k++)
      {
#pragma omp cancellation point taskgroup
	reached++;
      }
  }
  bench_check (reached == count, "cancellation point taskgroup");
}

static void
point_taskgroup (long count)
{
#pragma omp parallel
  point_group (count);
}

static void
cancel_never (long count)
{
  long reached = 0;
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp cancel parallel if (never)
      reached++;
    }
  bench_check (reached == count, "cancel parallel if");
}

static void
cancellable_barrier (long count)
{
#pragma omp parallel
  {
    for (long k = 0; k < count; k++)
      {
#pragma omp barrier
      }
#pragma omp cancel parallel if (never)
  }
}

/* ---- ordered ---- */

ORDERED_LOOP (ordered_static, "omp for ordered schedule (static)")
ORDERED_LOOP (ordered_static_1, "omp for ordered schedule (static, 1)")
ORDERED_LOOP (ordered_dynamic, "omp for ordered schedule (dynamic, 1)")
ORDERED_LOOP (ordered_guided, "omp for ordered schedule (guided)")

/* ---- memory ---- */

static omp_allocator_handle_t allocator;

static int
aligned_allocator (void)
{
  omp_alloctrait_t traits[] = { { omp_atk_alignment, ALIGNMENT } };
  allocator = omp_init_allocator (omp_default_mem_space, 1, traits);
  return allocator != omp_null_allocator;
}

static int
pool_allocator (void)
{
  omp_alloctrait_t traits[] = { { omp_atk_alignment, ALIGNMENT }, { omp_atk_pool_size, 1 << 20 } };
  allocator = omp_init_allocator (omp_default_mem_space, 2, traits);
  return allocator != omp_null_allocator;
}

static void
check_aligned (const void *block)
{
  bench_check ((uintptr_t) block % ALIGNMENT == 0 && block != NULL, "alignment");
}

static void
alloc (long count)
{
  for (long k = 0; k < count; k++)
    {
      void *block = omp_alloc (SIZE, allocator);
      check_aligned (block);
      omp_free (block, allocator);
    }
}

static void
aligned_alloc_default (long count)
{
  for (long k = 0; k < count; k++)
    {
      void *block = omp_aligned_alloc (ALIGNMENT, SIZE, omp_default_mem_alloc);
      check_aligned (block);
      omp_free (block, omp_default_mem_alloc);
    }
}

static void
aligned_calloc_default (long count)
{
  for (long k = 0; k < count; k++)
    {
      void *block = omp_aligned_calloc (ALIGNMENT, 1, SIZE, omp_default_mem_alloc);
      check_aligned (block);
      omp_free (block, omp_default_mem_alloc);
    }
}

/* Of a size that grows: each block is another one.  */
static void
realloc_aligned (long count)
{
  void *block = omp_alloc (SIZE, allocator);
  for (long k = 0; k < count; k++)
    {
      block = omp_realloc (block, SIZE << (k & 1), allocator, allocator);
      check_aligned (block);
    }
  omp_free (block, allocator);
}

/* ---- device memory that is the host's ---- */

static char from[SIZE], to[SIZE];
static int host;

static int
initial_device (void)
{
  host = omp_get_initial_device ();
  from[SIZE - 1] = 1;
  return 1;
}

static void
target_memcpy (long count)
{
  for (long k = 0; k < count; k++)
    {
      omp_target_memcpy (to, from, SIZE, 0, 0, host, host);
      BENCH_KEEP (to);
    }
  bench_check (to[SIZE - 1] == 1, "omp_target_memcpy");
}

static void
target_memcpy_rect (long count)
{
  const size_t volume[] = { 8, 16 }, offset[] = { 0, 0 }, whole[] = { 16, 16 };
  for (long k = 0; k < count; k++)
    {
      omp_target_memcpy_rect (to, from, 1, 2, volume, offset, offset, whole, whole, host, host);
      BENCH_KEEP (to);
    }
}

static void
target_is_present (long count)
{
  long present = 0;
  for (long k = 0; k < count; k++)
    present += omp_target_is_present (to, host) != 0;
  bench_check (present == count, "omp_target_is_present");
}

static void
target_alloc (long count)
{
  for (long k = 0; k < count; k++)
    {
      void *block = omp_target_alloc (SIZE, host);
      BENCH_KEEP (block);
      omp_target_free (block, host);
    }
}

static const struct bench_row rows[] =
{
  { "teams/2", teams, .threads = 1 },
  { "teams/distribute-2", teams_distribute, .threads = 1 },
  { "teams/parallel-for-2", teams_parallel, .threads = 1 },
  { "teams/parallel-for-2x2", teams_parallel, .threads = 2 },
  { "cancel/taskgroup", cancel_taskgroup, .threads = 1, .cancellation = 1 },
  { "cancel/taskgroup-off", cancel_taskgroup, .threads = 1 },
  { "cancel/serial-taskgroup", cancel_group, .threads = 1, .cancellation = 1 },
  { "cancel/serial-taskgroup-off", cancel_group, .threads = 1 },
  { "cancel/taskgroup-16", cancel_tasks, .threads = 1, .parts = TASKS, .cancellation = 1 },
  { "cancel/taskgroup-16-off", cancel_tasks, .threads = 1, .parts = TASKS },
  { "cancel/for", cancel_for, .threads = 1, .cancellation = 1 },
  { "cancel/parallel", cancel_parallel, .threads = 1, .cancellation = 1 },
  { "cancel/if-false", cancel_never, .threads = 1, .cancellation = 1 },
  { "cancel/if-false-off", cancel_never, .threads = 1 },
  { "cancel/point-parallel", point_parallel, .threads = 1, .cancellation = 1 },
  { "cancel/point-parallel-off", point_parallel, .threads = 1 },
  { "cancel/point-for", point_for, .threads = 1, .cancellation = 1 },
  { "cancel/point-for-off", point_for, .threads = 1 },
  { "cancel/point-taskgroup", point_taskgroup, .threads = 1, .cancellation = 1 },
  { "cancel/point-taskgroup-off", point_taskgroup, .threads = 1 },
  { "cancel/point-serial-taskgroup", point_group, .threads = 1, .cancellation = 1 },
  { "cancel/point-serial-taskgroup-off", point_group, .threads = 1 },
  { "cancel/barrier", cancellable_barrier, .threads = 1, .cancellation = 1 },
  { "cancel/barrier-off", cancellable_barrier, .threads = 1 },
  { "ordered/static", ordered_static, .threads = 1, .parts = ORDERED },
  { "ordered/static,1", ordered_static_1, .threads = 1, .parts = ORDERED },
  { "ordered/dynamic,1", ordered_dynamic, .threads = 1, .parts = ORDERED },
  { "ordered/guided", ordered_guided, .threads = 1, .parts = ORDERED },
  { "memory/alloc-trait", alloc, .threads = 1, .before = aligned_allocator },
  { "memory/alloc-pool", alloc, .threads = 1, .before = pool_allocator },
  { "memory/aligned_alloc", aligned_alloc_default, .threads = 1 },
  { "memory/aligned_calloc", aligned_calloc_default, .threads = 1 },
  { "memory/realloc-trait", realloc_aligned, .threads = 1, .before = aligned_allocator },
  { "device/memcpy", target_memcpy, .threads = 1, .before = initial_device },
  { "device/memcpy_rect", target_memcpy_rect, .threads = 1, .before = initial_device },
  { "device/is_present", target_is_present, .threads = 1, .before = initial_device },
  { "device/alloc", target_alloc, .threads = 1, .before = initial_device },
};

BENCH_MAIN (rows)
