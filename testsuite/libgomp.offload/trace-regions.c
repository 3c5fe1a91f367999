/* GOMP_TRACE: constructs, planning, transfers, kernels and waits are in the timeline, by name, with
   sizes, and where they belong.
   TEST-MODES: cpu test gpu */

#include "aux-trace.h"

enum { N = 1000 };
static int a[N];

static void __attribute__ ((noinline))
twice (int *p)
{
#pragma omp target map (tofrom: p[0:N])
  for (int i = 0; i < N; i++)
    p[i] *= 2;
}

static int
traced (void)
{
  for (int i = 0; i < N; i++)
    a[i] = i;
  twice (a);
  twice (a);
#pragma omp target data map (a)
  {
#pragma omp target update to (a)
#pragma omp target update from (a)
  }
#pragma omp target enter data map (to: a)
#pragma omp target exit data map (delete: a)
  return a[N - 1] != 4 * (N - 1);
}

static int failures;
#define CHECK(what)							\
  do									\
    if (!(what))							\
      {									\
	printf ("not so: %s\n", #what);					\
	failures++;							\
      }									\
  while (0)

int
main (int argc, char **argv)
{
  struct trace_event *region = NULL, *kernel = NULL, *copy = NULL;

  if (!traced_run (argc, argv, "trace.json", "trace.json"))
    return traced ();
  CHECK (traced_status == 0);
  CHECK (trace_dropped == 0);
  CHECK (count_events ("construct", "target twice", &region) == 2);
  CHECK (count_events ("construct", "target data", NULL) == 2);	/* and its end */
  CHECK (count_events ("construct", "target update", NULL) == 2);
  CHECK (count_events ("construct", "target enter data", NULL) == 1);
  CHECK (count_events ("construct", "target exit data", NULL) == 1);
  CHECK (count_events ("kernel", "twice", &kernel) == 2);
  CHECK (count_events ("copy", "to the device", &copy) >= 4);
  CHECK (count_events ("copy", "to the host", NULL) == 4);
  CHECK (count_events ("wait", "wait for the device", NULL) >= 6);
  CHECK (count_events ("map", NULL, NULL) >= 8);
  CHECK (count_events ("setup", "open the device", NULL) == 1);
  CHECK (has_label ("process_name", "trace-regions"));
  CHECK (has_label ("process_name", "device 0: "));
  CHECK (has_label ("thread_name", "initial thread"));
  CHECK (has_label ("thread_name", "queue 1"));
  if (region != NULL && kernel != NULL && copy != NULL)
    {
      CHECK (strncmp (region->called, "traced", 6) == 0 || strncmp (region->called, "main", 4) == 0
	     || strncmp (region->called, "twice", 5) == 0);
      CHECK (region->items >= 1 && region->device == 0 && !region->unfinished);
      CHECK (kernel->pid != region->pid && copy->pid == kernel->pid && copy->tid == kernel->tid);
      CHECK (kernel->ts >= region->ts && kernel->ts + kernel->dur <= region->ts + region->dur + 0.01);
      /* The array and the table of arguments, in one or two copies, with what lies between.  */
      double bytes = 0;
      for (int i = 0; i < num_events; i++)
	if (events[i].ph == 'X' && strcmp (events[i].name, "to the device") == 0
	    && events[i].ts <= region->ts + region->dur)
	  bytes += events[i].bytes;
      CHECK (bytes >= N * sizeof (int) + sizeof (void *) * region->items);
      CHECK (bytes < 2 * N * sizeof (int));
    }
  return failures != 0;
}
