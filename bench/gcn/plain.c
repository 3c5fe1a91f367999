/* plain.c -- constructs in a region, for counts.sh: plain WHICH N.  Without tasks, which would change the
   barriers.  */

#include <stdlib.h>

#define WORK __asm__ volatile ("")

int
main (int argc, char **argv)
{
  int which = argc > 1 ? atoi (argv[1]) : 0, n = argc > 2 ? atoi (argv[2]) : 1;
  switch (which)
    {
    case 0:			/* barrier of all threads */
#pragma omp target parallel map (to: n)
      for (int i = 0; i < n; i++)
	{
#pragma omp barrier
	}
      break;
    case 1:			/* barrier of some */
#pragma omp target parallel map (to: n) num_threads (5) thread_limit (8)
      for (int i = 0; i < n; i++)
	{
#pragma omp barrier
	}
      break;
    case 2:			/* parallel region */
#pragma omp target map (to: n)
      for (int i = 0; i < n; i++)
	{
#pragma omp parallel
	  WORK;
	}
      break;
    case 3:			/* iteration of a dynamic loop */
#pragma omp target parallel map (to: n)
      {
#pragma omp for schedule (dynamic)
	for (int i = 0; i < n; i++)
	  WORK;
      }
      break;
    case 4:			/* critical, by each thread */
#pragma omp target parallel map (to: n)
      for (int i = 0; i < n; i++)
	{
#pragma omp critical
	  WORK;
	}
      break;
    case 5:			/* single nowait */
#pragma omp target parallel map (to: n)
      for (int i = 0; i < n; i++)
	{
#pragma omp single nowait
	  WORK;
	}
      break;
    }
  return 0;
}
