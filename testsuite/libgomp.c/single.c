/* single: exactly one thread each time, with and without the barrier; what it did is seen after
   the barrier; copyprivate gives everybody the value.  */
#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int bad = 0;
  for (int threads = 1; threads <= 7; threads += 3)
    {
      int done = 0, ahead = 0, value = 0;
#pragma omp parallel num_threads (threads) reduction (+: bad)
      {
	for (int k = 0; k < 500; k++)
	  {
#pragma omp single
	    done++;
	    bad += done != k + 1;
#pragma omp barrier
	  }
	for (int k = 0; k < 500; k++)
	  {
#pragma omp single nowait
	    __atomic_fetch_add (&ahead, 1, __ATOMIC_RELAXED);
	  }
	for (int k = 0; k < 200; k++)
	  {
	    int mine = -1;
	    double arr[20];
#pragma omp single copyprivate (mine, arr)
	    {
	      mine = ++value;
	      for (int i = 0; i < 20; i++)
		arr[i] = k + i;
	    }
	    bad += mine != k + 1 || arr[19] != k + 19;
	    /* Mixed with plain ones.  */
#pragma omp single nowait
	    __atomic_fetch_add (&ahead, 1, __ATOMIC_RELAXED);
	  }
      }
      if (done != 500 || ahead != 700 || value != 200)
	printf ("%d threads: %d %d %d\n", threads, done, ahead, value), bad++;
    }
  if (bad)
    printf ("%d wrong\n", bad);
  return bad != 0;
}
