/* GOMP_TRACE_LIMIT: what does not fit is counted, the first events are there.
   TEST-MODES: cpu
   TEST-ENV: GOMP_TRACE_LIMIT=50
   TEST-OUTPUT: the trace in [^ ]*trace.json is not complete: [0-9]+ events did not fit  */

#include "aux-trace.h"

int
main (int argc, char **argv)
{
  int x = 0;
  if (!traced_run (argc, argv, "trace.json", "trace.json"))
    {
      for (int i = 0; i < 100; i++)
	{
#pragma omp target map (tofrom: x)
	  x++;
	}
      return x != 100;
    }
  int n = 0;
  for (int i = 0; i < num_events; i++)
    n += events[i].ph == 'X';
  if (traced_status != 0 || n != 50 || trace_dropped < 500
      || count_events ("setup", "open the device", NULL) != 1)
    {
      printf ("status %#x, %d slices, %.0f dropped\n", traced_status, n, trace_dropped);
      return 1;
    }
  return 0;
}
