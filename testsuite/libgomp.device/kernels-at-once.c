/* Regions that run at the same time, of different shapes, with tasks, locks and loops in them, do not disturb each
   other: each has its own state.  (A critical construct is for the threads of one contention group, so
   what regions share is updated atomically.)
   TEST-MODES: host cpu gpu  */
#include "aux-check.h"

#define REGIONS 24
static int sums[REGIONS], tasks[REGIONS], all[1];

int
main (void)
{
#pragma omp target data map (tofrom: sums, tasks, all)
  {
    for (int r = 0; r < REGIONS; r++)
      {
	if (r % 3 == 0)
#pragma omp target nowait firstprivate (r)
	  {
	    int n = 0;
#pragma omp parallel for num_threads (1 + r) schedule (dynamic) reduction (+: n)
	    for (int i = 0; i < 200; i++)
	      n += i;
#pragma omp atomic
	    all[0]++;
	    sums[r] = n;
	    tasks[r] = 10;
	  }
	else if (r % 3 == 1)
#pragma omp target nowait firstprivate (r)
	  {
	    int n = 0;
#pragma omp parallel num_threads (4)
#pragma omp single
	    {
	      for (int i = 0; i < 10; i++)
#pragma omp task shared (n)
#pragma omp atomic
		n++;
	    }
#pragma omp atomic
	    all[0]++;
	    tasks[r] = n;
	    sums[r] = 19900;
	  }
	else
#pragma omp target teams distribute parallel for nowait num_teams (1 + r * 3) firstprivate (r)
	  for (int i = 0; i < 200; i++)
	    {
#pragma omp atomic
	      sums[r] += i;
	      if (i % 20 == 0)
		{
#pragma omp critical
		  tasks[r]++;
#pragma omp atomic
		  all[0]++;
		}
	    }
      }
#pragma omp taskwait
  }
  for (int r = 0; r < REGIONS; r++)
    {
      CHECK_EQUAL (sums[r], 19900);
      CHECK_EQUAL (tasks[r], 10);
    }
  CHECK_EQUAL (all[0], REGIONS / 3 * 12);
  return failures != 0;
}
