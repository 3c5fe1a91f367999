/* fork while other threads are in regions, tasks and allocators, or come and go: the child can use all
   of it, whatever the others were about to do.
   TEST-SKIP-SANITIZER: address the child may wait for its allocator, which another thread has locked
   TEST-SKIP-SANITIZER: thread does not support threads in a child of a process with threads  */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "aux-fib.h"

static int
work (void)
{
  int r = 0, d = 0;
  long double s = 0, q = 0;
#pragma omp parallel num_threads (3)
  {
#pragma omp single
    {
      r = fib (8);
      for (int i = 0; i < 20; i++)
	{
	  omp_event_handle_t event;
#pragma omp task depend (inout: d) shared (d)
	  d++;
#pragma omp task detach (event) depend (inout: d)
	  d++;
	  omp_fulfill_event (event);
	}
    }
#pragma omp for ordered (1) schedule (dynamic)
    for (int i = 0; i < 10; i++)
      {
#pragma omp ordered depend (sink: i - 1)
	r++;
#pragma omp ordered depend (source)
      }
#pragma omp for reduction (+: s, q)
    for (int i = 0; i < 30; i++)
      {
	s += i;
	q += i;
      }
  }
  omp_allocator_handle_t a = omp_init_allocator (omp_default_mem_space, 0, NULL);
  omp_free (omp_alloc (100, a), a);
  omp_destroy_allocator (a);
  return r == 31 && d == 40 && s == 435 && q == 435;
}

static int stop;

static int
stopped (void)
{
  return __atomic_load_n (&stop, __ATOMIC_RELAXED);
}

static void *
busy (void *arg)
{
  while (!stopped ())
    if (!work ())
      abort ();
  return arg;
}

static void *
once (void *arg)
{
  if (!work ())
    abort ();
  return arg;
}

static void *
churn (void *arg)
{
  pthread_t t;
  while (!stopped ())
    if (pthread_create (&t, NULL, once, NULL) == 0)
      pthread_join (t, NULL);
  return arg;
}

int
main (void)
{
  int bad = 0;
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    if (pthread_create (&t[i], NULL, i < 2 ? busy : churn, NULL) != 0)
      return 77;
  for (int k = 0; k < 60 && bad < 5; k++)
    {
      fflush (stdout);
      pid_t pid = fork ();
      if (pid == 0)
	{
	  alarm (50);
	  if (k % 2)
	    exit (!work ());
	  _exit (!work ());
	}
      if (k % 3 == 0)
	work ();
      int status = -1;
      if (waitpid (pid, &status, 0) != pid || status != 0)
	printf ("child %d: status %x\n", k, status), bad++;
    }
  __atomic_store_n (&stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 3; i++)
    pthread_join (t[i], NULL);
  return bad != 0;
}
