/* barrier.c -- constructs within a parallel region where threads meet, or where one goes.  */

#include "../bench.h"
#include "plain.h"
#include "place.h"

static void
single (long count)
{
  long times = 0;
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp single
      times++;
    }
  bench_check (times == count, "single");
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
    long value = 0, sum = 0;
    for (long k = 0; k < count; k++)
      {
#pragma omp single copyprivate (value)
	value = k;
	sum += value;
      }
    bench_check (sum == count * (count - 1) / 2, "copyprivate");
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

static const struct bench_row rows[] =
{
  { "barrier/1", barrier, .threads = 1 },
  { "barrier/2", barrier, .threads = 2 },
  { "barrier/near", barrier, .threads = 2, .before = place_near },
  { "barrier/far", barrier, .threads = 2, .before = place_far },
  { "single/1", single, .threads = 1 },
  { "single/2", single, .threads = 2 },
  { "single/nowait-1", single_nowait, .threads = 1 },
  { "single/nowait-2", single_nowait, .threads = 2 },
  { "single/copyprivate-1", copyprivate, .threads = 1 },
  { "single/copyprivate-2", copyprivate, .threads = 2 },
  { "masked/2", masked, .threads = 2 },
  { "sections/1", sections, .threads = 1 },
  { "sections/2", sections, .threads = 2 },
  { "api/thread-num", thread_num, .threads = 2 },
  { "api/max-threads", max_threads, .threads = 2 },
};

BENCH_MAIN (rows)
