/* Parallel regions, worksharing and critical sections inside target regions.
   TEST-MODES: host cpu gpu  */

#include <omp.h>
#include <stdio.h>

#define N 10000
static int a[N];

int
main (void)
{
  int failed = 0;

  for (int round = 0; round < 20; round++)
    {
      int threads = 0, levels = 0, sum = 0, inside = 0, outside = 1;
#pragma omp target map (tofrom: threads, levels, sum, inside, outside) map (tofrom: a)
      {
	outside = omp_in_parallel () + omp_get_level ();
#pragma omp parallel num_threads (4)
	{
#pragma omp single
	  {
	    threads = omp_get_num_threads ();
	    inside = omp_in_parallel ();
	  }
#pragma omp for schedule (dynamic, 7) reduction (+: sum)
	  for (int i = 0; i < N; i++)
	    {
	      a[i] += i;
	      sum += 1;
	    }
#pragma omp critical
	  levels += omp_get_level ();
	}
      }
      if (threads != 4 || levels != 4 || sum != N || !inside || outside != 0)
	{
	  printf ("round %d: %d threads, levels %d, sum %d, inside %d, outside %d\n", round,
		  threads, levels, sum, inside, outside);
	  failed = 1;
	}
    }
  for (int i = 0; i < N; i++)
    if (a[i] != 20 * i)
      {
	printf ("a[%d] is %d, not %d\n", i, a[i], 20 * i);
	return 1;
      }
  return failed;
}
