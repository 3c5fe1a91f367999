/* Threads of the program are cancelled at any moment, in their own part of a region, while they
   wait for the others, or between regions: they end, and no lock stays taken.  Helpers of those
   that were outside of a region end, too.
   TEST-SKIP-SANITIZER: address what a region has whose thread was cancelled in it is not freed
   TEST-SKIP-SANITIZER: thread helpers of such a region use its stack, which the next thread gets  */

#define _GNU_SOURCE 1
#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 30, TEAM = 3 };

static int
threads_of_process (void)
{
  int n = -2;
  DIR *dir = opendir ("/proc/self/task");
  if (dir == NULL)
    return -1;
  while (readdir (dir) != NULL)
    n++;
  closedir (dir);
  return n;
}

static void *
regions (void *arg)
{
  int also_inside = *(int *) arg;
  for (;;)
    {
#pragma omp parallel num_threads(TEAM)
      {
	for (volatile int i = 0; i < 1000; i++)
	  ;
	if (also_inside || omp_get_thread_num () != 0)
	  usleep (10);
      }
      pthread_testcancel ();
    }
  return arg;
}

/* Answers how many threads there are afterwards.  */
static int
cancel (int also_inside)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      pthread_t thread;
      void *result;
      struct timespec end;
      int n = 0;
      if (pthread_create (&thread, NULL, regions, &also_inside) != 0)
	exit (77);
      usleep (1000 + 77 * i);
      pthread_cancel (thread);
      clock_gettime (CLOCK_REALTIME, &end);
      end.tv_sec += 100;
      if (pthread_timedjoin_np (thread, &result, &end) != 0)
	{
	  printf ("thread %d does not end\n", i);
	  exit (1);
	}
#pragma omp parallel num_threads(TEAM)
#pragma omp critical
      n++;
      if (result != PTHREAD_CANCELED || n != TEAM)
	{
	  printf ("thread %d: result %p, afterwards a team of %d\n", i, result, n);
	  exit (1);
	}
    }
  return threads_of_process ();
}

int
main (void)
{
  alarm (240);
  int few = cancel (0), more = cancel (0);
  /* Helpers of a thread that has ended end some time later; some are kept for the next one.  */
  for (int i = 0; i < 200 && threads_of_process () > few; i++)
    usleep (10000);
  if (threads_of_process () > few && more > few + TEAM)
    {
      printf ("%d threads after some, %d after twice as many\n", few, more);
      return 1;
    }
  cancel (1);
  return 0;
}
