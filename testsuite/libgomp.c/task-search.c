/* A thread that waits in a tied task finds a descendant of it behind another task in a queue, without going to sleep.
   TEST-ENV: OMP_MAX_TASK_PRIORITY=1 OMP_WAIT_POLICY=active

   Thread 1 waits for X, which thread 0 runs.  Thread 0's queue has a task that thread 1 may not run, and behind it X's child; X lasts
   until that has run, or for ten seconds.  */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>

static _Atomic (int) v_runs, x_made, x_runs, other, child_by = -1;

static int
wait_for (_Atomic (int) *what, int value)
{
  double end = omp_get_wtime () + 10;
  while (*what == value && omp_get_wtime () < end)
    ;
  return *what != value;
}

static int
search (void)
{
  int good = 1, by_x = -1;

  v_runs = x_made = x_runs = other = 0;
  child_by = -1;
  #pragma omp parallel num_threads(2)
  #pragma omp masked
  {
    #pragma omp task shared (good, by_x)
    {
      v_runs = 1;
      /* With a priority: who looks in his own queue looks for it first.  */
      #pragma omp task priority(1) shared (good, by_x)
      {
	by_x = omp_get_thread_num ();
	#pragma omp task
	child_by = omp_get_thread_num ();
	x_runs = 1;
	good &= wait_for (&child_by, -1);
      }
      x_made = 1;
      good &= wait_for (&x_runs, 0);
      #pragma omp taskwait
    }
    /* Thread 1 has nothing else to do.  */
    good &= wait_for (&v_runs, 0) && wait_for (&x_made, 0);
    #pragma omp task
    other++;
    #pragma omp taskwait
  }
  if (!good || by_x != 0 || child_by != 1 || other != 1)
    {
      printf ("X by thread %d, its child by %d, %d others%s\n", by_x, child_by, other, good ? "" : "; something never came");
      return 1;
    }
  return 0;
}

int
main (void)
{
  for (int i = 0; i < 20; i++)
    if (search ())
      return 1;
  return 0;
}
