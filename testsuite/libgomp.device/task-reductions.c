/* Reductions in which tasks take part: of a taskgroup, a taskloop, a parallel region, a loop, and tasks of
   tasks; two numbers of different type each.
   TEST-MODES: host cpu gpu
   TEST-OPTIONS: -foffload-options=nvptx-none=-latomic  */
#include "aux-check.h"

#pragma omp declare target
static long total;
static double pieces;

static void
grow (int depth)
{
#pragma omp task in_reduction (+: total, pieces)
  {
    total += depth;
    pieces += 0.5;
    if (depth > 0)
      {
	grow (depth - 1);
	grow (depth - 1);
      }
  }
}
#pragma omp end declare target

int
main (void)
{
  for (int threads = 1; threads <= 8; threads += 7)
    {
      long group = 0, loop = 0, region = 0, shared = 0;
      double halves = 0, parts = 0;
#pragma omp target map (tofrom: group, loop, region, shared, halves, parts)
      {
	total = 0;
	pieces = 0;
#pragma omp parallel num_threads (threads)
#pragma omp single
	{
#pragma omp taskgroup task_reduction (+: total, pieces)
	  grow (5);
#pragma omp taskloop reduction (+: loop, halves) grainsize (4)
	  for (int i = 0; i < 100; i++)
	    {
	      loop += i;
	      halves += 0.5;
	    }
	}
	group = total;
	parts = pieces;
#pragma omp parallel num_threads (threads) reduction (task, +: region)
#pragma omp single
	for (int i = 0; i < 30; i++)
#pragma omp task in_reduction (+: region)
	  region += i;
#pragma omp parallel num_threads (threads)
#pragma omp for reduction (task, +: shared) schedule (dynamic)
	for (int i = 0; i < 20; i++)
#pragma omp task in_reduction (+: shared)
	  shared += i;
      }
      CHECK_EQUAL (group, 57);
      CHECK_EQUAL (parts * 2, 63);
      CHECK_EQUAL (loop, 4950);
      CHECK_EQUAL (halves * 2, 100);
      CHECK_EQUAL (region, 435);
      CHECK_EQUAL (shared, 190);
    }
  return failures != 0;
}
