/* GOMP_TRACE: deferred target tasks are in the timeline with a begin and an end of their own, what they
   enqueue is on the tracks of queues.
   TEST-MODES: cpu test gpu */

#include "aux-trace.h"

enum { TASKS = 40 };
static int a[TASKS], b[TASKS];

static int
traced (void)
{
  for (int i = 0; i < TASKS; i++)
    {
#pragma omp target map (tofrom: a[i:1]) depend (out: a[i]) nowait
      a[i] += i;
#pragma omp target map (to: a[i:1]) map (from: b[i:1]) depend (in: a[i]) nowait
      b[i] = a[i] + 1;
    }
#pragma omp taskwait
  for (int i = 0; i < TASKS; i++)
    if (b[i] != i + 1)
      return 1;
  return 0;
}

int
main (int argc, char **argv)
{
  int begins = 0, ends = 0, unfinished = 0;

  if (!traced_run (argc, argv, "trace.json", "trace.json"))
    return traced ();
  for (int i = 0; i < num_events; i++)
    {
      struct trace_event *e = &events[i];
      begins += e->ph == 'b';
      ends += e->ph == 'e';
      unfinished += e->unfinished;
      if (e->ph != 'e')
	continue;
      int k = 0;
      while (k < num_events && (events[k].ph != 'b' || events[k].id != e->id))
	k++;
      if (k == num_events || events[k].ts > e->ts || strcmp (events[k].name, e->name) != 0)
	{
	  printf ("a task ends at %.3f that never began\n", e->ts);
	  return 1;
	}
    }
  if (traced_status != 0 || begins != 2 * TASKS || ends != begins || unfinished != 0
      || count_events ("kernel", NULL, NULL) != 2 * TASKS)
    {
      printf ("status %#x, %d begins, %d ends, %d unfinished, %d kernels\n", traced_status, begins,
	      ends, unfinished, count_events ("kernel", NULL, NULL));
      return 1;
    }
  return 0;
}
