/* The event of a detached task is fulfilled when the thread that generated it, outside of any region, has
   ended.  Its memory may not be another's by then.  */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 50

static omp_event_handle_t events[THREADS];
static int runs;

static void *
thread (void *arg)
{
  omp_event_handle_t event;
  int x = 0;
#pragma omp task detach (event) depend (out: x)
#pragma omp atomic
  runs++;
  /* Nobody is there to run this one in the end.  */
  if ((long) arg % 3 == 0)
#pragma omp task depend (in: x)
    x = 1;
  events[(long) arg] = event;
  return NULL;
}

int
main (void)
{
  void *blocks[THREADS];
  for (long i = 0; i < THREADS; i++)
    {
      pthread_t t;
      if (pthread_create (&t, NULL, thread, (void *) i) != 0 || pthread_join (t, NULL) != 0)
	return 77;
    }
  for (int i = 0; i < THREADS; i++)
    memset (blocks[i] = malloc (1664), 0x55, 1664);
  for (int i = 0; i < THREADS; i++)
    omp_fulfill_event (events[i]);
  for (int i = 0; i < THREADS; i++)
    {
      for (int k = 0; k < 1664; k++)
	if (((char *) blocks[i])[k] != 0x55)
	  {
	    printf ("memory of another was changed\n");
	    return 1;
	  }
      free (blocks[i]);
    }
  if (runs != THREADS)
    printf ("%d tasks ran\n", runs);
  return runs != THREADS;
}
