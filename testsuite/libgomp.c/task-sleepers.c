/* Threads that sleep - in a barrier, at the end of the region, in taskwait - are woken for tasks
   that appear later: the thread that creates these waits, without helping, until another one
   has run them.
   TEST-ENV: OMP_WAIT_POLICY=passive
   TEST-TIMEOUT: 60 */
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void
wait_for (int *flag, int value, const char *what)
{
  double end = omp_get_wtime () + 40;
  for (;;)
    {
      int seen;
#pragma omp atomic read seq_cst
      seen = *flag;
      if (seen == value)
	return;
      if (omp_get_wtime () > end)
	{
	  printf ("%s: nobody runs the task\n", what);
	  exit (1);
	}
      sched_yield ();
    }
}

/* Likely the others sleep by then; if not, the test proves less.  */
static void
let_sleep (void)
{
  nanosleep (&(struct timespec) { .tv_nsec = 2000000 }, NULL);
}

int
main (void)
{
  for (int round = 0; round < 15; round++)
    {
      int ran = 0;
#pragma omp parallel num_threads (3) shared (ran)
      {
	/* The others are at the end of the region.  */
	if (omp_get_thread_num () == round % 3)
	  {
	    for (int i = 1; i <= 3; i++)
	      {
		let_sleep ();
#pragma omp task shared (ran)
		{
#pragma omp atomic seq_cst
		  ran++;
		}
		wait_for (&ran, i, "end of region");
	      }
	  }
      }
#pragma omp parallel num_threads (3) shared (ran)
      {
	/* In a barrier.  */
	if (omp_get_thread_num () == round % 3)
	  for (int i = 4; i <= 6; i++)
	    {
	      let_sleep ();
#pragma omp task shared (ran)
	      {
#pragma omp atomic seq_cst
		ran++;
	      }
	      wait_for (&ran, i, "barrier");
	    }
#pragma omp barrier
      }
      /* A taskwait, which may help: its child creates tasks and does not run them.  */
      int started = 0;
#pragma omp parallel num_threads (2) shared (ran, started)
#pragma omp single
      {
#pragma omp task shared (ran, started)
	{
#pragma omp atomic write seq_cst
	  started = 1;
	  for (int i = 7; i <= 8; i++)
	    {
	      let_sleep ();
#pragma omp task shared (ran)
	      {
#pragma omp atomic seq_cst
		ran++;
	      }
	      wait_for (&ran, i, "taskwait");
	    }
	}
	wait_for (&started, 1, "start");
#pragma omp taskwait
      }
      if (ran != 8)
	return 1;
    }
  return 0;
}
