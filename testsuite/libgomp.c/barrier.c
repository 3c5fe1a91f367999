/* Nobody passes a barrier before all have come, and what they did before is seen.  */
#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int bad = 0;
  static int slot[32];
  for (int threads = 1; threads <= 16; threads *= 2)
    {
#pragma omp parallel num_threads (threads) reduction (+: bad)
      {
	int me = omp_get_thread_num ();
	for (int k = 1; k <= 300; k++)
	  {
	    slot[me] = k;
#pragma omp barrier
	    for (int i = 0; i < threads; i++)
	      bad += slot[i] != k;
#pragma omp barrier
	  }
      }
      /* The end of the region is one as well.  */
      for (int i = 0; i < threads; i++)
	bad += slot[i] != 300;
    }
#pragma omp barrier
  if (bad)
    printf ("%d wrong\n", bad);
  return bad != 0;
}
