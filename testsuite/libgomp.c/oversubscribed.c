/* Many more threads than processors: all there, and waiting does not eat the time that others
   need.  */
#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int bad = 0;
  double start = omp_get_wtime ();
  for (int round = 0; round < 20; round++)
    {
      int n = 0, barriers = 0;
      long sum = 0;
#pragma omp parallel num_threads (64) reduction (+: n, sum, barriers)
      {
	n++;
	for (int k = 0; k < 10; k++)
	  {
#pragma omp barrier
	    barriers++;
	  }
#pragma omp for schedule (dynamic)
	for (int i = 0; i < 256; i++)
	  sum += i;
#pragma omp for ordered schedule (static, 1)
	for (int i = 0; i < 64; i++)
	  {
#pragma omp ordered
	    sum++;
	  }
      }
      bad += n != 64 || sum != 256 * 255 / 2 + 64 || barriers != 640;
    }
  double took = omp_get_wtime () - start;
  if (bad)
    printf ("%d rounds wrong\n", bad);
  /* 300 context switches of 64 threads a round: far below a second when nobody spins.  */
  if (took > 60)
    printf ("took %.1f s\n", took), bad++;
  return bad != 0;
}
