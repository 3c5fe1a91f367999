/* GOMP_TRACE: regions that the host runs are in the timeline, with the reason.
   TEST-MODES: host cpu  */

#include "aux-trace.h"

static int
traced (void)
{
  int x = 0;
#pragma omp target map (tofrom: x)
  x++;
#pragma omp target map (tofrom: x) if (target: 0)
  x++;
  return x != 2;
}

int
main (int argc, char **argv)
{
  struct trace_event *first = NULL;
  const char *mode = getenv ("TEST_MODE");
  int want = mode != NULL && strcmp (mode, "cpu") == 0 ? 1 : 2;

  if (!traced_run (argc, argv, "trace.json", "trace.json"))
    return traced ();
  int n = count_events ("fallback", "target traced", &first) + count_events ("fallback", "target main",
									     &first);
  if (traced_status != 0 || n != want || strcmp (first->why, want == 2 ? "there is no device" : "the host is its device") != 0)
    {
      printf ("status %#x, %d fallbacks, why: %s\n", traced_status, n, first ? first->why : "");
      return 1;
    }
  return 0;
}
