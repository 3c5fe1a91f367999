/* GOMP_TRACE: each thread has its track, threads that have ended, too; a child of fork leaves its
   parent's file alone; so does what the program does after it was written.
   TEST-MODES: cpu test gpu */

#include "aux-trace.h"

#include <pthread.h>

enum { THREADS = 6, REGIONS = 30 };

static void *
work (void *arg)
{
  int x = 0;
  (void) arg;
  for (int i = 0; i < REGIONS; i++)
    {
#pragma omp target map (tofrom: x)
      x++;
    }
  return x == REGIONS ? NULL : &work;
}

static int
traced (void)
{
  pthread_t threads[THREADS];
  void *wrong = NULL;
  int status;

  for (int i = 0; i < THREADS; i++)
    if (pthread_create (&threads[i], NULL, work, NULL) != 0)
      return 1;
  for (int i = 0; i < THREADS; i++)
    {
      void *result;
      pthread_join (threads[i], &result);
      wrong = wrong != NULL ? wrong : result;
    }
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    {
#pragma omp target if (0)
      ;
      exit (0);
    }
  if (child < 0 || waitpid (child, &status, 0) != child || status != 0)
    return 1;
  return wrong != NULL;
}

int
main (int argc, char **argv)
{
  double tracks[THREADS];
  int n = 0, regions = 0;

  if (!traced_run (argc, argv, "trace.json", "trace.json"))
    return traced ();
  for (int i = 0; i < num_events; i++)
    if (events[i].ph == 'X' && strcmp (events[i].cat, "construct") == 0)
      {
	int k = 0;
	regions++;
	while (k < n && tracks[k] != events[i].tid)
	  k++;
	if (k == n && n < THREADS)
	  tracks[n++] = events[i].tid;
      }
  if (traced_status != 0 || n != THREADS || regions != THREADS * REGIONS
      || count_events ("kernel", NULL, NULL) != regions)
    {
      printf ("status %#x, %d regions in %d threads, %d kernels\n", traced_status, regions, n,
	      count_events ("kernel", NULL, NULL));
      return 1;
    }
  return 0;
}
