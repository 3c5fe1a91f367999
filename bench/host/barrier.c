/* barrier.c -- constructs within a parallel region: where threads meet, and where only one goes.  */

#include "../bench.h"

static long counter;
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;

static void
barrier (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp barrier
    }
}

static void
single (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp single
      BENCH_KEEP (k);
    }
}

static void
single_nowait (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp single nowait
      BENCH_KEEP (k);
    }
}

static void
copyprivate (long count)
{
#pragma omp parallel
  {
    long value = 0;
    for (long k = 0; k < count; k++)
      {
#pragma omp single copyprivate (value)
	value = k;
      }
    BENCH_KEEP (value);
  }
}

static void
masked (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp masked
      BENCH_KEEP (k);
    }
}

static void
sections (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp sections
      {
#pragma omp section
	BENCH_KEEP (k);
#pragma omp section
	BENCH_KEEP (k);
      }
    }
}

static void
critical (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp critical
      counter++;
    }
}

static void
critical_named (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp critical (bench)
      counter++;
    }
}

static void
critical_alone (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp critical
      counter++;
    }
}

/* An atomic operation that the compiler leaves to the runtime: long double.  */
static void
atomic_big (long count)
{
  static long double big;
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp atomic
      big += 1;
    }
}

static void
locks (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
      omp_set_lock (&lock);
      counter++;
      omp_unset_lock (&lock);
    }
}

static void
locks_alone (long count)
{
  for (long k = 0; k < count; k++)
    {
      omp_set_lock (&lock);
      counter++;
      omp_unset_lock (&lock);
    }
}

static void
nest_locks_alone (long count)
{
  for (long k = 0; k < count; k++)
    {
      omp_set_nest_lock (&nest_lock);
      omp_set_nest_lock (&nest_lock);
      counter++;
      omp_unset_nest_lock (&nest_lock);
      omp_unset_nest_lock (&nest_lock);
    }
}

static void
thread_num (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    BENCH_KEEP (omp_get_thread_num ());
}

static void
max_threads (long count)
{
  for (long k = 0; k < count; k++)
    BENCH_KEEP (omp_get_max_threads ());
}

int
main (int argc, char **argv)
{
  (void) argc;
  bench_arguments (argv);
  omp_init_lock (&lock);
  omp_init_nest_lock (&nest_lock);
  bench ("barrier", barrier);
  bench ("single", single);
  bench ("single/nowait", single_nowait);
  bench ("single/copyprivate", copyprivate);
  bench ("masked", masked);
  bench ("sections", sections);
  bench ("critical", critical);
  bench ("critical/named", critical_named);
  bench ("critical/alone", critical_alone);
  bench ("atomic/long-double", atomic_big);
  bench ("lock", locks);
  bench ("lock/alone", locks_alone);
  bench ("lock/nested-alone", nest_locks_alone);
  bench ("omp_get_thread_num", thread_num);
  bench ("omp_get_max_threads", max_threads);
  omp_destroy_lock (&lock);
  omp_destroy_nest_lock (&nest_lock);
  return counter < 0;
}
