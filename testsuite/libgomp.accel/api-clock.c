/* The clock: it moves, for all threads alike, in steps of what omp_get_wtick says.  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  double tick = omp_get_wtick (), first = omp_get_wtime (), last = first;
  int wrong = !(tick > 0 && tick < 1e-2) + !(first >= 0 && first < 1000);
  for (int i = 0; i < 100000; i++)
    {
      double now = omp_get_wtime ();
      wrong += now < last;
      last = now;
    }
  wrong += !(last > first);
  /* What one thread has read is before what another reads after it.  */
  double times[9] = { last };
#pragma omp parallel num_threads (8) reduction (+: wrong)
  for (int i = 1; i < 9; i++)
    {
      if (i - 1 == omp_get_thread_num ())
	{
	  times[i] = omp_get_wtime ();
	  wrong += times[i] < times[i - 1];
	}
#pragma omp barrier
    }
  if (wrong)
    printf ("%d wrong: tick %g, first %g, last %g\n", wrong, tick, first, last);
  return wrong != 0;
}
