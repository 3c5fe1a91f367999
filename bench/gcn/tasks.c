/* tasks.c -- the same of tasks, for counts.sh: tasks WHICH N.  */

#include <stdlib.h>

#define WORK __asm__ volatile ("")

int
main (int argc, char **argv)
{
  int which = argc > 1 ? atoi (argv[1]) : 0, n = argc > 2 ? atoi (argv[2]) : 1;
  switch (which)
    {
    case 0:			/* task of one thread, for all */
#pragma omp target map (to: n)
#pragma omp parallel
#pragma omp single
      for (int i = 0; i < n; i++)
	{
#pragma omp task firstprivate (i)
	  WORK;
	}
      break;
    case 1:			/* task and taskwait, in each thread */
#pragma omp target map (to: n)
#pragma omp parallel
      for (int i = 0; i < n; i++)
	{
#pragma omp task firstprivate (i)
	  WORK;
#pragma omp taskwait
	}
      break;
    case 2:			/* barrier in an image with tasks */
#pragma omp target map (to: n)
#pragma omp parallel
      for (int i = 0; i < n; i++)
	{
#pragma omp barrier
	}
      break;
    }
  return 0;
}
