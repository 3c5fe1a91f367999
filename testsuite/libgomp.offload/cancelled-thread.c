/* A thread of the program is cancelled while it opens a device, reads tables or waits for a region: no
   lock stays taken, other threads use the device afterwards.
   TEST-MODES: host cpu
   TEST-ENV: GOMP_INFO=1
   TEST-TIMEOUT: 120  */

#define _GNU_SOURCE 1
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *
regions (void *arg)
{
  int x = 0;
  for (int i = 0; i < 50; i++)
    {
#pragma omp target map(tofrom: x)
      {
	usleep (200);
	x++;
      }
    }
  return arg;
}

/* In a process of its own: a thread is cancelled US microseconds after its start.  */
static int
cancel_after (unsigned us)
{
  pthread_t thread;
  void *result;
  int x = 1;
  struct timespec end;
  if (pthread_create (&thread, NULL, regions, NULL) != 0)
    return 2;
  usleep (us);
  pthread_cancel (thread);
  clock_gettime (CLOCK_REALTIME, &end);
  end.tv_sec += 60;
  if (pthread_timedjoin_np (thread, &result, &end) != 0)
    return 3;
  alarm (60);			/* a lock that stays taken */
#pragma omp target map(tofrom: x)
  x += 41;
  return x == 42 ? 0 : 4;
}

int
main (void)
{
  int failed = 0;
  for (unsigned i = 0; i < 24; i++)
    {
      int status = 0;
      unsigned us = i < 16 ? i * 300 : i * 1000;
      pid_t pid = fork ();
      if (pid == 0)
	_exit (cancel_after (us));
      if (pid < 0 || waitpid (pid, &status, 0) != pid || status != 0)
	{
	  printf ("cancelled after %u us: status %#x\n", us, status);
	  failed = 1;
	}
    }
  return failed;
}
