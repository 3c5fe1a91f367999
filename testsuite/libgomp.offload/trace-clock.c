/* GOMP_TRACE on the cpu device: operations have the device's own times, in order on each queue, and
   a region lies in the span of its construct and after its launch.
   TEST-MODES: cpu  */

#include "aux-trace.h"

static int x;

static int
traced (void)
{
  for (int i = 0; i < 200; i++)
    {
#pragma omp target map (tofrom: x)
      x++;
    }
  return x != 200;
}

int
main (int argc, char **argv)
{
  int kernels = 0, failures = 0;
  double last = -1, arrow = -1;

  if (!traced_run (argc, argv, "trace.json", "trace.json"))
    return traced ();
  for (int i = 0; i < num_events; i++)
    {
      struct trace_event *e = &events[i];
      if (e->ph == 's')
	arrow = e->ts;
      if (e->ph == 'f' && (arrow < 0 || e->ts < arrow))
	{
	  printf ("a region begins at %.3f, launched at %.3f\n", e->ts, arrow);
	  failures++;
	}
      if (e->ph != 'X' || (strcmp (e->cat, "kernel") != 0 && strcmp (e->cat, "copy") != 0))
	continue;
      kernels += strcmp (e->cat, "kernel") == 0;
      if (strcmp (e->clock, "device") != 0 || e->unfinished)
	{
	  printf ("%s at %.3f: clock %s%s\n", e->name, e->ts, e->clock,
		  e->unfinished ? ", unfinished" : "");
	  failures++;
	}
      if (e->ts < last)
	{
	  printf ("%s at %.3f comes before the one at %.3f\n", e->name, e->ts, last);
	  failures++;
	}
      last = e->ts;
    }
  if (kernels != 200 || traced_status != 0)
    {
      printf ("%d regions, status %#x\n", kernels, traced_status);
      failures++;
    }
  return failures != 0;
}
