/* Many more threads than processors: all there, and waiting does not eat the time that others
   need.  */
#include <omp.h>
#include <stdio.h>
#include <time.h>

/* Processor time: other programs may have most of a busy machine.  */
static double
cpu_time (void)
{
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

int
main (void)
{
  int bad = 0;
  double start = cpu_time ();
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
  double took = cpu_time () - start;
  if (bad)
    printf ("%d rounds wrong\n", bad);
  /* 300 context switches of 64 threads a round: far below a second when nobody spins.  */
  if (took > 10)
    printf ("took %.1f s of processor time\n", took), bad++;
  return bad != 0;
}
