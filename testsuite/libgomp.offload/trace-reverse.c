/* GOMP_TRACE and GOMP_INFO: calls of the host by the device.
   TEST-MODES: cpu
   TEST-ENV: GOMP_INFO=1
   TEST-OUTPUT: called:   the host was called 3 times$
   TEST-OUTPUT: info:   +3 .* target device.ancestor: 1. 
   MINGCC: 13  */

#include "aux-trace.h"

#pragma omp requires reverse_offload

static int calls;
#pragma omp declare target to (calls)

static int
traced (void)
{
#pragma omp target
  for (int i = 0; i < 3; i++)
    {
#pragma omp target device (ancestor: 1)
      calls++;
    }
  return calls != 3;
}

int
main (int argc, char **argv)
{
  struct trace_event *region = NULL, *call = NULL;

  if (!traced_run (argc, argv, "trace.json", "trace.json"))
    return traced ();
  if (traced_status != 0 || count_events ("reverse", NULL, &call) != 3
      || count_events ("kernel", NULL, &region) != 1)
    {
      printf ("status %#x, %d calls\n", traced_status, count_events ("reverse", NULL, NULL));
      return 1;
    }
  if (call->ts < region->ts || call->ts + call->dur > region->ts + region->dur + 0.01)
    {
      printf ("the call [%.3f + %.3f] is not in the region [%.3f + %.3f]\n", call->ts, call->dur,
	      region->ts, region->dur);
      return 1;
    }
  return 0;
}
