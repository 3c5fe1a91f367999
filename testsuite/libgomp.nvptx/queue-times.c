/* GOMP_TRACE has the times of kernels as the device knows them: how long each one ran, and neither before
   its construct nor after it.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda -I@srcdir@/libgomp.offload
   TEST-ENV: FAKE_CUDA_DELAY_US=kernel:4000  */

#define _GNU_SOURCE 1
#include "aux-image.h"
#include "aux-launch.h"
#include "aux-trace.h"

enum { ROUNDS = 5 };

static int __attribute__ ((noinline))
region (void)
{
  int x = 0;
  for (int i = 0; i < ROUNDS; i++)
#pragma omp target map(tofrom: x)
    x++;
  return x != ROUNDS;
}

/* Whether the times are right.  They are in a run that nothing disturbs: on a busy machine, a kernel that
   began before its launch returned looks shorter, and the host does not know the device's time well when
   it was not run while it asked for it.  */
static bool
exact (void)
{
  double longest = 0, end = 0;

  for (int i = 0; i < num_events; i++)
    if (events[i].ph == 'X' && strcmp (events[i].cat, "kernel") == 0)
      {
	int inside = 0;
	if (events[i].ts < end)
	  return printf ("a kernel begins at %.3f, before %.3f\n", events[i].ts, end), false;
	end = events[i].ts + events[i].dur;
	if (events[i].dur > longest)
	  longest = events[i].dur;
	/* Microseconds.  */
	for (int j = 0; j < num_events; j++)
	  inside += events[j].ph == 'X' && strcmp (events[j].cat, "construct") == 0
		    && events[i].ts >= events[j].ts - 100 && end <= events[j].ts + events[j].dur + 100;
	if (inside != 1)
	  return printf ("the kernel from %.3f to %.3f is in %d constructs\n", events[i].ts, end, inside), false;
      }
  if (longest < 3900)
    return printf ("no kernel is longer than %.3f\n", longest), false;
  return true;
}

int
main (int argc, char **argv)
{
  for (int tries = 1; tries <= 10; tries++)
    {
      int kernels = 0;
      struct trace_event *first = NULL;

      if (!traced_run (argc, argv, "trace.json", "trace.json"))
	return region ();
      CHECK (traced_status == 0);
      for (int i = 0; i < num_events; i++)
	kernels += events[i].ph == 'X' && strcmp (events[i].cat, "kernel") == 0;
      CHECK (kernels == ROUNDS);
      CHECK (count_events ("construct", "target region", &first) == ROUNDS);
      if (exact ())
	return 0;
    }
  return 1;
}
