/* forkjoin.c -- what it costs to start and end a parallel region.  */

#include <pthread.h>

#include "../bench.h"
#include "plain.h"

static double shared_sum;

static void
if_false (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp parallel if (count < 0)
      BENCH_KEEP (k);
    }
}

/* Regions inside the region of a team, which only one level makes regions of one thread.  */
static void
nested_serial (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp parallel
      BENCH_KEEP (k);
    }
}

static void
parallel_for (long count)
{
  int n = omp_get_max_threads ();
  for (long k = 0; k < count; k++)
    {
#pragma omp parallel for
      for (int i = 0; i < n; i++)
	BENCH_KEEP (i);
    }
}

static void
parallel_dynamic (long count)
{
  int n = omp_get_max_threads ();
  for (long k = 0; k < count; k++)
    {
#pragma omp parallel for schedule (dynamic)
      for (int i = 0; i < n; i++)
	BENCH_KEEP (i);
    }
}

static void
parallel_sections (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp parallel sections
      {
#pragma omp section
	BENCH_KEEP (k);
#pragma omp section
	BENCH_KEEP (k);
      }
    }
}

static void
reduction (long count)
{
  double total = 0;
  for (long k = 0; k < count; k++)
    {
      double sum = 0;
#pragma omp parallel reduction (+: sum)
      sum += 1;
      total += sum;
    }
  bench_check (total == (double) count * omp_get_max_threads (), "reduction");
}

/* More than one variable: they are combined under the runtime's lock for atomics.  */
static void
reduction_4 (long count)
{
  double a = 0, b = 0, c = 1;
  long d = 0;
  for (long k = 0; k < count; k++)
    {
#pragma omp parallel reduction (+: a, b, d) reduction (*: c)
      {
	a += 1;
	b += 2;
	c *= 1;
	d += 3;
      }
    }
  bench_check (b == 2 * a && d == 3 * (long) a && c == 1, "reduction of four variables");
  shared_sum += a;
}

static void
firstprivate (long count)
{
  char block[256] = { 0 };
  for (long k = 0; k < count; k++)
    {
#pragma omp parallel firstprivate (block)
      BENCH_KEEP (&block[0]);
    }
}

/* The team grows and shrinks: one turn is a region of 4 threads and one of 2.  */
static void
resize (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp parallel num_threads (4)
      BENCH_KEEP (k);
#pragma omp parallel num_threads (2)
      BENCH_KEEP (k);
    }
}

static int
two_levels (void)
{
  omp_set_max_active_levels (2);
  return 1;
}

static int
one_level (void)
{
  omp_set_max_active_levels (1);
  return 1;
}

static void
nested (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp parallel num_threads (2)
      {
#pragma omp parallel num_threads (2)
	BENCH_KEEP (k);
      }
    }
}

/* A thread that the runtime has not seen runs one region and ends.  */
static void *
root (void *arg)
{
  int *entered = arg;
#pragma omp parallel num_threads (2) reduction (+: entered[0])
  entered[0]++;
  return NULL;
}

/* system/pthread (system.c) is the system's part of it.  */
static void
churn (long count)
{
  for (long k = 0; k < count; k++)
    {
      pthread_t thread;
      int entered = 0;
      if (pthread_create (&thread, NULL, root, &entered) != 0)
	abort ();
      pthread_join (thread, NULL);
      bench_check (entered == 2, "a region of a new thread");
    }
}

static const struct bench_row rows[] =
{
  { "region/1", region, .threads = 1 },
  { "region/if-false", if_false, .threads = 2 },
  { "region/nested-serial", nested_serial, .threads = 2, .before = one_level },
  { "region/2", region, .threads = 2 },
  { "parallel-for/2", parallel_for, .threads = 2 },
  { "parallel-for/dynamic-2", parallel_dynamic, .threads = 2 },
  { "parallel-sections/2", parallel_sections, .threads = 2 },
  { "reduction/1", reduction, .threads = 1 },
  { "reduction/2", reduction, .threads = 2 },
  { "reduction/4-variables-2", reduction_4, .threads = 2 },
  { "firstprivate/256-bytes-2", firstprivate, .threads = 2 },
  { "resize/2-4-2", resize, .threads = 2 },
  { "nested/2x2", nested, .threads = 2, .before = two_levels },
  { "churn/root", churn, .threads = 2 },
};

BENCH_MAIN (rows)
