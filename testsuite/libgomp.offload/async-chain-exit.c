/* Chains of target tasks and tasks of the host that nobody has waited for are complete when their
   thread has ended, and at the end of the process: each link becomes ready at the moment when
   nothing else is under way.
   TEST-MODES: host cpu test gpu
   TEST-OUTPUT: ^chain 10 of 10$ */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 10, LINKS = 10 };
static int counts[THREADS], last;

static void
handler (void)
{
  printf ("chain %d of %d\n", last, LINKS);
}

static void
chain (int *count)
{
  for (int i = 0; i < LINKS; i++)
    if (i % 3 == 1)
      {
	#pragma omp task depend(inout: *count)
	++*count;
      }
    else
      {
	#pragma omp target map(tofrom: count[0:1]) nowait depend(inout: *count)
	++*count;
      }
}

static void *
thread (void *arg)
{
  chain (arg);
  return NULL;
}

int
main (void)
{
  atexit (handler);
  for (int round = 0; round < ROUNDS; round++)
    {
      pthread_t threads[THREADS];
      for (int i = 0; i < THREADS; i++)
	{
	  counts[i] = 0;
	  if (pthread_create (&threads[i], NULL, thread, &counts[i]) != 0)
	    return 77;
	}
      for (int i = 0; i < THREADS; i++)
	{
	  pthread_join (threads[i], NULL);
	  if (counts[i] != LINKS)
	    {
	      printf ("round %d: thread %d has made %d of %d steps\n", round, i, counts[i], LINKS);
	      return 1;
	    }
	}
    }
  chain (&last);
  return 0;
}
