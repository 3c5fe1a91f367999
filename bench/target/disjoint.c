/* disjoint.c -- several threads that use one device at once, each with data of its own.

   "map/4" is: 4 threads map and unmap a block of 4 KB each.  Times are for one construct of one
   thread divided by the threads, so that perfect scaling halves the figure with twice the
   threads, as long as there are processors for them, or the time is the device's:
   GOMPX_NULL_DEVICE=copy_us=50 (plugin-null.c) shows whether a thread's transfer keeps others
   waiting, on any number of processors.  */

#include "../bench.h"

#define MOST 8
#define LENGTH 1024

static int block[MOST][2 * LENGTH] __attribute__ ((aligned (4096)));

static void
map (long count)
{
#pragma omp parallel
  {
    int *mine = block[omp_get_thread_num ()];
    BENCH_KEEP (mine);
    for (long k = 0; k < count; k++)
      {
#pragma omp target enter data map (to: mine[0:LENGTH])
#pragma omp target exit data map (from: mine[0:LENGTH])
      }
  }
}

static void
region (long count)
{
#pragma omp parallel
  {
    int *mine = block[omp_get_thread_num ()];
    BENCH_KEEP (mine);
    mine[0] = 0;
    for (long k = 0; k < count; k++)
      {
#pragma omp target map (tofrom: mine[0:LENGTH])
	mine[0]++;
      }
  }
}

static void
present (long count)
{
#pragma omp parallel
  {
    int *mine = block[omp_get_thread_num ()];
    BENCH_KEEP (mine);
#pragma omp target data map (tofrom: mine[0:LENGTH])
    for (long k = 0; k < count; k++)
      {
#pragma omp target map (tofrom: mine[0:LENGTH])
	mine[0]++;
      }
  }
}

static void
update (long count)
{
#pragma omp parallel
  {
    int *mine = block[omp_get_thread_num ()];
    BENCH_KEEP (mine);
#pragma omp target data map (tofrom: mine[0:LENGTH])
    for (long k = 0; k < count; k++)
      {
#pragma omp target update to (mine[0:1])
      }
  }
}

#define THREADS(row, function)						\
  { row "/1", function, .threads = 1, .parts = 1 },			\
  { row "/2", function, .threads = 2, .parts = 2 },			\
  { row "/4", function, .threads = 4, .parts = 4 },			\
  { row "/8", function, .threads = 8, .parts = 8 }

static const struct bench_row rows[] =
{
  THREADS ("map", map),
  THREADS ("region", region),
  THREADS ("present", present),
  THREADS ("update", update),
};

BENCH_MAIN (rows)
