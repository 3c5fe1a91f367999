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

int
main (int argc, char **argv)
{
  int kernels = 0;
  double longest = 0;
  struct trace_event *first = NULL;

  if (!traced_run (argc, argv, "trace.json", "trace.json"))
    return region ();
  CHECK (traced_status == 0);
  for (int i = 0; i < num_events; i++)
    {
      const struct trace_event *e = &events[i];
      if (e->ph == 'X' && strcmp (e->cat, "kernel") == 0)
	{
	  kernels++;
	  CHECK (e->dur > 0);
	  if (e->dur > longest)
	    longest = e->dur;
	}
    }
  CHECK (kernels == ROUNDS);
  /* Microseconds.  On a busy machine one that began before its launch returned may look shorter, and
     any of them longer.  */
  CHECK (longest >= 3900);
  CHECK (count_events ("construct", "target region", &first) == ROUNDS);
  double end = 0;
  for (int i = 0; i < num_events; i++)
    if (events[i].ph == 'X' && strcmp (events[i].cat, "kernel") == 0)
      {
	int inside = 0;
	CHECK (events[i].ts >= end);
	end = events[i].ts + events[i].dur;
	for (int j = 0; j < num_events; j++)
	  if (events[j].ph == 'X' && strcmp (events[j].cat, "construct") == 0
	      && events[i].ts >= events[j].ts - 100 && end <= events[j].ts + events[j].dur + 100)
	    inside++;
	CHECK (inside == 1);
      }
  return 0;
}
