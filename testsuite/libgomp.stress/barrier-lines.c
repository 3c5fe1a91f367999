/* Barriers, and the ends of regions, of teams with a processor for each thread, as the library believes: threads
   write that they have come into lines of their own (host/gather.c).  There are fewer, so threads come in
   any order, and who waits sleeps soon, thread 0 and the others.
   TEST-ENV: FAKE_CPUS=64
   TEST-ENV: GOMP_SPINCOUNT=10000 */
#include "../libgomp.c/aux-fake-machine.h"

#include <omp.h>
#include <time.h>

#define MOST 32
#define ROUNDS 6
#define TASKS 8

static struct { _Atomic (long) at; char line[120]; } place[MOST];
static _Atomic (int) bad, done;

static void
nap (int ms)
{
  struct timespec t = { 0, ms * 1000000L };
  nanosleep (&t, NULL);
}

/* In two of three rounds a thread naps before the barrier, thread 0 or another one; the others are asleep then.  */
static void
barriers (int n)
{
#pragma omp parallel num_threads (n)
  {
    int me = omp_get_thread_num ();
    for (long k = 1; k <= ROUNDS; k++)
      {
	if (k % 3 != 0 && me == (k % 3 == 1 ? 0 : (k * 7 + n) % n))
	  nap (3);
	place[me].at = k;
#pragma omp barrier
	for (int i = 0; i < n; i++)
	  if (place[i].at != k)
	    bad++;
#pragma omp barrier
      }
    if (me == n - 1)
      nap (3);			/* thread 0 sleeps at the end */
    place[me].at = 0;
  }
  for (int i = 0; i < n; i++)
    if (place[i].at != 0)
      bad++;
}

/* Thread 0 and the others wait for a barrier while there are tasks, or before there are any.  */
static void
tasks (int n)
{
#pragma omp parallel num_threads (n)
  for (int k = 1; k <= ROUNDS; k++)
    {
      int me = omp_get_thread_num ();
      if (me == k % n || me == 0)
	{
	  if (k % 2)
	    nap (3);		/* all others are asleep */
	  for (int i = 0; i < TASKS; i++)
#pragma omp task
	    {
	      if (i == 0 && k % 3 == 0)
		nap (2);
	      done++;
	    }
	}
#pragma omp barrier
      int makers = k % n == 0 ? 1 : 2;
      if (me == n - 1)
	{
	  if (done != makers * TASKS)
	    bad++;
	  done = 0;
	}
#pragma omp barrier
    }
  /* At the end of a region.  */
#pragma omp parallel num_threads (n)
  if (omp_get_thread_num () == n - 1)
    {
      nap (3);
      for (int i = 0; i < TASKS; i++)
#pragma omp task
	{
	  nap (1);
	  done++;
	}
    }
  if (done != TASKS)
    bad++;
  done = 0;
}

int
main (void)
{
  omp_set_dynamic (0);
  if (omp_get_num_procs () != 64)
    {
      printf ("%d processors\n", omp_get_num_procs ());
      return 1;
    }
  for (int n = 2; n <= MOST; n += n < 5 ? 1 : n < 16 ? 3 : 8)
    {
      barriers (n);
      tasks (n);
      barriers (MOST + 2 - n);	/* threads that miss regions, and come again */
    }
  if (bad)
    printf ("%d times wrong\n", bad);
  return bad != 0;
}
