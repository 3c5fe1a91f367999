/* The helpers of a thread that has ended serve the next initial thread, and that after a pause
   of all resources there are none.  */

#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROOTS 50

static pid_t helper;

static void *
root (void *arg)
{
  int sum = 0;
#pragma omp parallel num_threads (2) reduction (+: sum)
  {
    if (omp_get_thread_num () == 1)
      helper = gettid ();
    sum += omp_get_thread_num () + 1;
  }
  if (sum != 3)
    {
      printf ("a region of %s gave %d\n", (const char *) arg, sum);
      exit (1);
    }
  return NULL;
}

static void
run_root (void)
{
  pthread_t thread;
  if (pthread_create (&thread, NULL, root, "a new thread") != 0)
    abort ();
  pthread_join (thread, NULL);
}

int
main (void)
{
  run_root ();
  pid_t first = helper;
  for (int i = 0; i < ROOTS; i++)
    {
      run_root ();
      if (helper != first)
	{
	  printf ("root %d has another helper\n", i);
	  return 1;
	}
    }
  if (omp_pause_resource_all (omp_pause_hard) != 0)
    {
      printf ("no pause\n");
      return 1;
    }
  /* A thread's number may be given out again, but not while the thread is there: main's helper
     exists before the new root's.  */
  root ("main");
  pid_t mine = helper;
  run_root ();
  if (helper == mine)
    {
      printf ("a helper of two threads\n");
      return 1;
    }
  return 0;
}
