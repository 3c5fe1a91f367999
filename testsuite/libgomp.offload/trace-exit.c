/* GOMP_TRACE: the program ends in a fatal error while other threads go on; the region that failed
   is there, unfinished.
   TEST-MODES: cpu
   TEST-OUTPUT: is lost: worker process  */

#include "aux-trace.h"

#include <pthread.h>

static _Atomic int going;

static void *
work (void *arg)
{
  (void) arg;
  for (int x = 0; ; x++)
    {
#pragma omp target map (tofrom: x) if (0)
      ;
      going = 1;
      usleep (100);		/* not to fill the trace */
    }
  return NULL;
}

static int
traced (void)
{
  pthread_t thread;
  if (pthread_create (&thread, NULL, work, NULL) != 0)
    return 2;
  while (!going)
    usleep (100);
#pragma omp target
  abort ();
  return 0;
}

int
main (int argc, char **argv)
{
  struct trace_event *e = NULL;
  setenv ("GOMP_TRACE_LIMIT", "20k", 1);
  if (!traced_run (argc, argv, "trace.json", "trace.json"))
    return traced ();
  if (!WIFEXITED (traced_status) || WEXITSTATUS (traced_status) != 1
      || count_events ("construct", "target", &e) != 1 || !e->unfinished)
    {
      printf ("status %#x, %s\n", traced_status, e == NULL ? "no region" : "the region is finished");
      return 1;
    }
  return 0;
}
