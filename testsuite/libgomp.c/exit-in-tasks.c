/* exit from tasks and loops, while other threads work, wait or end: the process ends at once with that
   status, and handlers and destructors can run regions and tasks.
   TEST-SKIP-SANITIZER: thread does not support threads in a child of a process with threads  */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "aux-fib.h"

static int
region (void)
{
  int r = 0;
#pragma omp parallel num_threads (3)
#pragma omp single
  r = fib (8);
  return r;
}

static void
handler (void)
{
  int x = 0;
#pragma omp taskgroup
#pragma omp task shared (x)
  x = region ();
  if (x != 21)
    _exit (90);
}

static void __attribute__ ((destructor))
destructor (void)
{
  handler ();
}

static void *
busy (void *arg)
{
  for (;;)
    {
      region ();
      pthread_testcancel ();
    }
  return arg;
}

static void
leave (int how)
{
  pthread_t t;
  omp_event_handle_t event __attribute__ ((unused));
  int x = 0;
  switch (how)
    {
    case 0:
#pragma omp parallel num_threads (4)
#pragma omp single
      for (int i = 0; i < 100; i++)
#pragma omp task
	if (i == 50)
	  exit (10);
	else
	  fib (5);
      break;
    case 1:
#pragma omp parallel num_threads (4)
      {
	for (int i = 0; i < 20; i++)
#pragma omp task
	  fib (4);
	if (omp_get_thread_num () == 1)
	  exit (11);
#pragma omp barrier
      }
      break;
    case 2:
      for (int i = 0; i < 3; i++)
	if (pthread_create (&t, NULL, busy, NULL) == 0)
	  pthread_detach (t);
      region ();
      exit (12);
    case 3:
#pragma omp parallel for num_threads (4) ordered schedule (static, 1)
      for (int i = 0; i < 100; i++)
#pragma omp ordered
	if (i == 31)
	  exit (13);
      break;
    case 4:
#pragma omp parallel for num_threads (4) ordered (1) schedule (dynamic)
      for (int i = 0; i < 100; i++)
	{
#pragma omp ordered depend (sink: i - 1)
	  if (i == 33)
	    exit (14);
#pragma omp ordered depend (source)
	}
      break;
    case 5:
      if (pthread_create (&t, NULL, busy, NULL) == 0)
	{
	  region ();
	  pthread_cancel (t);
	  pthread_join (t, NULL);
	}
      exit (15);
    case 6:
#pragma omp parallel num_threads (4)
#pragma omp single
#pragma omp taskloop num_tasks (20)
      for (int i = 0; i < 100; i++)
	if (i == 77)
	  exit (16);
      break;
    case 7:
      /* Never fulfilled, and one that waits for it.  */
#pragma omp task detach (event) depend (out: x)
      x = 1;
#pragma omp task depend (in: x)
      _exit (80);
      exit (17);
    }
  _exit (98);
}

int
main (void)
{
  int bad = 0;
  for (int how = 0; how < 8; how++)
    {
      fflush (stdout);
      pid_t pid = fork ();
      if (pid == 0)
	{
	  alarm (50);
	  atexit (handler);
	  omp_set_max_active_levels (2);
	  leave (how);
	}
      int status = -1;
      waitpid (pid, &status, 0);
      if (!WIFEXITED (status) || WEXITSTATUS (status) != 10 + how)
	printf ("case %d: status %x\n", how, status), bad++;
    }
  return bad != 0;
}
