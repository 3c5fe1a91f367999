/* forkjoin.c -- what it costs to start and end a parallel region.  */

#include "../bench.h"

static double shared_sum;

static void
parallel (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp parallel
      BENCH_KEEP (k);
    }
}

static void
parallel_one (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp parallel num_threads (1)
      BENCH_KEEP (k);
    }
}

static void
parallel_if_false (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp parallel if (count < 0)
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
reduction (long count)
{
  for (long k = 0; k < count; k++)
    {
      double sum = 0;
#pragma omp parallel reduction (+: sum)
      sum += 1;
      shared_sum += sum;
    }
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

/* Teams of different sizes in turn: threads have to come and go.  */
static void
changing_size (long count)
{
  int most = omp_get_max_threads ();
  for (long k = 0; k < count; k++)
    {
#pragma omp parallel num_threads (k & 1 && most > 1 ? most - 1 : most)
      BENCH_KEEP (k);
    }
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

int
main (int argc, char **argv)
{
  (void) argc;
  bench_arguments (argv);
  omp_set_max_active_levels (1);
  bench ("parallel", parallel);
  bench ("parallel/1-thread", parallel_one);
  bench ("parallel/if-false", parallel_if_false);
  bench ("parallel/for", parallel_for);
  bench ("parallel/for-dynamic", parallel_dynamic);
  bench ("parallel/reduction", reduction);
  bench ("parallel/firstprivate-256", firstprivate);
  bench ("parallel/changing-size", changing_size);
  bench ("parallel/nested-serial", nested);
  omp_set_max_active_levels (2);
  bench ("parallel/nested-2x2", nested);
  return shared_sum < 0;
}
