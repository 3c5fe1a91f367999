/* Threads whose processor is taken by somebody who computes, for a whole time slice at each
   sched_yield, soon stop calling it, and sleep instead: the calls are few, and grow with the time, not
   with the barriers.  Here the slice is a sleep of sched_yield's, so that it takes no other process.  */
/* TEST-OPTIONS: -rdynamic */
/* TEST-TIMEOUT: 60 */

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define BARRIERS 400
#define SLICE_US 2000
/* A slice lost keeps all threads from yielding for longer than this.  */
#define PAUSE 0.05

static atomic_long yields;

int
sched_yield (void)
{
  yields++;
  usleep (SLICE_US);
  return 0;
}

static int
once (int threads)
{
  yields = 0;
  double start = omp_get_wtime ();
#pragma omp parallel num_threads (threads)
  for (int i = 0; i < BARRIERS; i++)
    {
      if (omp_get_thread_num () == i % threads)
	usleep (100);
#pragma omp barrier
    }
  double time = omp_get_wtime () - start;
  /* Some are lost while two threads of the team share a processor.  */
  long most = threads * (20 + (long) (time / PAUSE));
  printf ("%d threads, %d barriers, %.3f s: %ld yields, at most %ld\n", threads, BARRIERS, time,
	  (long) yields, most);
  return yields > most;
}

/* Others may compute meanwhile, which takes more yields to see through; never in three runs.  */
static int
try (int threads)
{
  return once (threads) && once (threads) && once (threads);
}

int
main (void)
{
  return try (2) | try (omp_get_num_procs () + 2);
}
