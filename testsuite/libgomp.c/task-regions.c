/* Tasks start regions, which have tasks of their own; foreign threads have teams with tasks.  */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include "aux-fib.h"

static int count;

static void
inner (int threads)
{
#pragma omp parallel num_threads (threads)
  {
#pragma omp task
#pragma omp atomic
    count++;
#pragma omp barrier
#pragma omp single nowait
    for (int i = 0; i < 5; i++)
#pragma omp task
#pragma omp atomic
      count++;
  }
}

static void *
foreign (void *arg)
{
  int r = 0;
#pragma omp parallel num_threads (3)
#pragma omp single
  r = fib (10);
  *(int *) arg = r;
  return NULL;
}

int
main (void)
{
  omp_set_max_active_levels (3);
  for (int round = 0; round < 10; round++)
    {
      count = 0;
#pragma omp parallel num_threads (3)
      {
#pragma omp single nowait
	for (int i = 0; i < 6; i++)
#pragma omp task
	  {
	    inner (2);
	    inner (1);
	  }
	inner (2);
      }
      if (count != 6 * 13 + 3 * 7)
	{
	  printf ("%d tasks, not %d\n", count, 6 * 13 + 3 * 7);
	  return 1;
	}

      pthread_t thread[3];
      int result[3];
      for (int i = 0; i < 3; i++)
	pthread_create (&thread[i], NULL, foreign, &result[i]);
      for (int i = 0; i < 3; i++)
	{
	  pthread_join (thread[i], NULL);
	  if (result[i] != 55)
	    return 1;
	}
    }
  return 0;
}
