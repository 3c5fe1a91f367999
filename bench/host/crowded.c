/* crowded.c -- more threads than processors.

   "many": 8 threads on 2 processors, four times the processors on others.  "same-cpu": a team of
   two whose threads the program has bound to one processor after the start, so that the runtime
   took them for two with a processor each.  "one-cpu": the process may use only one, and the runtime
   can know that.  The tasks of a crowd are in tasks.c.  */

#include "../bench.h"
#include "plain.h"
#include "place.h"

static long counter;

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
dynamic (long count)
{
  int n = 4 * omp_get_max_threads ();
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp for schedule (dynamic)
      for (int i = 0; i < n; i++)
	BENCH_KEEP (i);
    }
}

static void
critical (long count)
{
  counter = 0;
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp critical
      counter++;
    }
  bench_check (counter == count * omp_get_max_threads (), "updates were lost");
}

static void
ordered (long count)
{
  int n = omp_get_max_threads ();
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp for ordered schedule (static, 1)
      for (int i = 0; i < n; i++)
	{
#pragma omp ordered
	  BENCH_KEEP (i);
	}
    }
}

static const struct bench_row rows[] =
{
  { "many/region", region, .threads = BENCH_TOO_MANY },
  { "many/barrier", barrier, .threads = BENCH_TOO_MANY },
  { "many/single", single, .threads = BENCH_TOO_MANY },
  { "many/loop-dynamic", dynamic, .threads = BENCH_TOO_MANY },
  { "many/loop-ordered", ordered, .threads = BENCH_TOO_MANY },
  { "many/critical", critical, .threads = BENCH_TOO_MANY },
  { "same-cpu/region", region, .threads = 2, .before = place_same },
  { "same-cpu/barrier", barrier, .threads = 2, .before = place_same },
  { "one-cpu/region", region, .threads = 2, .one_cpu = 1 },
  { "one-cpu/barrier", barrier, .threads = 2, .one_cpu = 1 },
};

BENCH_MAIN (rows)
