/* Threads that sleep in a barrier, for their turn, or for a vector leave when the region or the
   loop is cancelled by one that will not come.  Regions inside are not cancelled.
   TEST-ENV: OMP_CANCELLATION=true
   TEST-ENV: OMP_WAIT_POLICY=passive  */
#include "aux-gomp.h"
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static int left, mode, inside;

static void
region (void *unused)
{
  (void) unused;
  int me = omp_get_thread_num ();
  long s, e, counts[1] = { 100 };
  bool parallel = mode < 3;

  /* Thread 0 has the first block of the loops and stays in it.  */
  bool got = true;
  if (mode % 3 == 1)
    got = GOMP_loop_ordered_static_start (0, 100, 1, 1, &s, &e);
  else if (mode % 3 == 2)
    got = GOMP_loop_doacross_static_start (1, counts, 1, &s, &e);
  if (me == 0)
    {
      usleep (20000);		/* others sleep by now; if not, that is right, too */
      GOMP_cancel (parallel ? 1 : 2, true);
      if (parallel)
	return;
    }
  else
    {
      __atomic_fetch_add (&inside, 1, __ATOMIC_RELAXED);
      if (mode == 0 && !GOMP_barrier_cancel ())
	return;
      if (got && mode % 3 == 1)
	GOMP_ordered_start ();
      else if (got && mode % 3 == 2)
	GOMP_doacross_wait (s - 1);
      __atomic_fetch_add (&left, 1, __ATOMIC_RELAXED);
      if (parallel != GOMP_cancellation_point (1))
	return;
    }
  if (GOMP_loop_end_cancel () != parallel)
    __atomic_fetch_add (&left, 1000, __ATOMIC_RELAXED);
}

int
main (void)
{
  for (mode = 0; mode < 6; mode++)
    {
      left = inside = 0;
      if (mode == 3)
	continue;		/* a cancelled loop does not end barriers */
      GOMP_parallel (region, NULL, 5, 0);
      if (left != 4 || inside != 4)
	return printf ("mode %d: %d of %d\n", mode, left, inside), 1;
    }

  /* A region inside of a cancelled one goes on to its end, and the other way round.  */
  long inner = 0, outer = 0;
  omp_set_max_active_levels (2);
#pragma omp parallel num_threads (2)
  {
#pragma omp cancel parallel if (omp_get_thread_num () == 0)
#pragma omp parallel num_threads (3)
    for (int k = 0; k < 10; k++)
      {
#pragma omp for schedule (dynamic)
	for (int i = 0; i < 10; i++)
#pragma omp atomic
	  inner++;
      }
  }
#pragma omp parallel num_threads (2)
  {
#pragma omp parallel num_threads (3)
    {
#pragma omp cancel parallel
    }
#pragma omp barrier
#pragma omp for schedule (dynamic)
    for (int i = 0; i < 10; i++)
#pragma omp atomic
      outer++;
  }
  if ((inner != 0 && inner != 100) || outer != 10)
    return printf ("inner %ld outer %ld\n", inner, outer), 1;
  return 0;
}
