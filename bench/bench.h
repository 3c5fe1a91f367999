/* bench.h -- measuring how long a construct takes.

   A program calls bench () for each construct, with a function that does the construct COUNT times
   in a row.  The count is raised until one run is long enough for the clock; then several runs are
   timed, and the median is printed as one line:
     NAME <tab> microseconds of one construct
   run-host.sh collects these lines.  Arguments of a program select: only names that begin with
   one of them are measured.  */

#ifndef BENCH_H
#define BENCH_H 1

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BENCH_RUNS 9
#define BENCH_SECONDS 0.004	/* of one run, at least */

static char **bench_selected;

static inline void
bench_arguments (char **argv)
{
  bench_selected = argv[1] ? argv + 1 : NULL;
}

static inline int
bench_wanted (const char *name)
{
  if (!bench_selected)
    return 1;
  for (char **s = bench_selected; *s; s++)
    if (strncmp (name, *s, strlen (*s)) == 0)
      return 1;
  return 0;
}

static inline int
bench_compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* RUN (COUNT) does the construct COUNT times; each time does it for PARTS things (iterations of
   a loop, say), and what one of them costs is told.  */
static inline void
bench_parts (const char *name, void (*run) (long count), long parts)
{
  double sample[BENCH_RUNS], begin, seconds;
  long count = 1;

  if (!bench_wanted (name))
    return;
  for (;;)
    {
      begin = omp_get_wtime ();
      run (count);
      seconds = omp_get_wtime () - begin;
      if (seconds >= BENCH_SECONDS)
	break;
      count = seconds < BENCH_SECONDS / 8 ? 8 * count : 2 * count;
    }
  for (int k = 0; k < BENCH_RUNS; k++)
    {
      begin = omp_get_wtime ();
      run (count);
      sample[k] = (omp_get_wtime () - begin) / count / parts * 1e6;
    }
  qsort (sample, BENCH_RUNS, sizeof sample[0], bench_compare);
  printf ("%s\t%.4f\n", name, sample[BENCH_RUNS / 2]);
  fflush (stdout);
}

static inline void
bench (const char *name, void (*run) (long count))
{
  bench_parts (name, run, 1);
}

/* The compiler may not see through this, nor drop or merge what comes before it.  */
#define BENCH_KEEP(x) __asm__ volatile ("" : : "g" (x) : "memory")

#endif /* BENCH_H */
