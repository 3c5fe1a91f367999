/* scale.c -- how costs grow with the number of threads, up to 256: doc/scaling.md.

   On a machine with fewer processors it shows whether the structures are linear: a barrier of N
   threads on P processors needs N / P switches on each of them, so that the time for each thread
   ("parts") stays as it is as N grows, and anything quadratic would show.  Not among the programs
   that run-host.sh takes by itself: "run-host.sh -p scale".  */

#include "../bench.h"
#include "plain.h"

/* One thread creates 1000 tasks, the others come for them.  */
#define TASKS 1000

static void
steal (long count)
{
  long done = 0;
#pragma omp parallel reduction (+: done)
  for (long k = 0; k < count; k++)
    {
#pragma omp single
      for (int i = 0; i < TASKS; i++)
	{
#pragma omp task
	  for (int j = 0; j < 1000; j++)
	    BENCH_KEEP (j);
	}
      done++;
    }
  bench_check (done == count * omp_get_max_threads (), "tasks");
}

/* 1000 tasks in 10 chains.  */
static void
depend (long count)
{
  long value[10][16] = { { 0 } };
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    {
      for (int i = 0; i < TASKS; i++)
	{
	  long *p = value[i % 10];
#pragma omp task depend (inout: p[0])
	  p[0]++;
	}
#pragma omp taskwait
    }
  bench_check (value[9][0] == count * TASKS / 10, "chains");
}

#define ROWS(n)								\
  { "scale/region-" #n, region, .threads = n, .parts = n },		\
  { "scale/barrier-" #n, barrier, .threads = n, .parts = n },		\
  { "scale/steal-" #n, steal, .threads = n, .parts = TASKS },		\
  { "scale/depend-" #n, depend, .threads = n, .parts = TASKS }

static const struct bench_row rows[] =
{
  ROWS (2), ROWS (4), ROWS (8), ROWS (16), ROWS (32), ROWS (64), ROWS (128), ROWS (256)
};

BENCH_MAIN (rows)
