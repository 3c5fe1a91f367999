/* Cancellation is off unless the user's environment asks for it: nothing is cut short.
   TEST-MODES: host cpu gpu  */
#include "aux-check.h"

int
main (void)
{
  int on = 1, ran = 0, behind = 0, tasks = 0, threads = 0;
#pragma omp target map (tofrom: on, ran, behind, tasks, threads)
  {
    on = omp_get_cancellation ();
#pragma omp parallel num_threads (4)
    {
#pragma omp for
      for (int i = 0; i < 100; i++)
	{
#pragma omp cancel for
#pragma omp atomic
	  ran++;
	}
#pragma omp single
#pragma omp taskgroup
      for (int i = 0; i < 10; i++)
#pragma omp task shared (tasks)
	{
#pragma omp cancel taskgroup
#pragma omp atomic
	  tasks++;
	}
#pragma omp atomic
      threads++;
#pragma omp cancel parallel
#pragma omp barrier
#pragma omp atomic
      behind++;
    }
  }
  CHECK_EQUAL (on, 0);
  CHECK_EQUAL (ran, 100);
  CHECK_EQUAL (tasks, 10);
  CHECK_EQUAL (behind, threads);
  return failures != 0;
}
