/* Hundreds of threads that wait for each other in loops of a program that may cancel: who sleeps looks now
   and then whether the loop is cancelled, which must not keep the processors from the one that
   all wait for.
   TEST-ENV: OMP_CANCELLATION=true
   TEST-TIMEOUT: 60
   TEST-SKIP-SANITIZER: thread is too slow for so many threads  */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 400

int
main (void)
{
  int bad = 0;
  if (!omp_get_cancellation ())
    return 1;
  for (int round = 0; round < 2; round++)
    {
      static int v[2 * THREADS + 1];
      int order = 0;
#pragma omp parallel num_threads (THREADS)
      {
#pragma omp for ordered schedule (dynamic)
	for (int i = 0; i < 2 * THREADS; i++)
#pragma omp ordered
	  order += i == order;
#pragma omp for ordered (1) schedule (static, 1)
	for (int i = 1; i <= 2 * THREADS; i++)
	  {
#pragma omp ordered depend (sink: i - 1)
	    v[i] = v[i - 1] + 1;
#pragma omp ordered depend (source)
	  }
	if (omp_get_thread_num () == THREADS / 2)
	  {
#pragma omp cancel parallel
	  }
#pragma omp barrier
#pragma omp atomic
	bad++;			/* nobody comes here: the barrier is cancelled */
      }
      if (order != 2 * THREADS || v[2 * THREADS] != 2 * THREADS)
	printf ("%d turns, %d steps\n", order, v[2 * THREADS]), bad++;
    }
  if (bad)
    printf ("bad: %d\n", bad);
  return bad != 0;
}
