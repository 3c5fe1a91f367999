/* region-loop.c -- lane regions that begin in a loop, or in a sections construct: parallel-loop.c for
   lanes.  The construct's descriptor is ready before the region begins, for as many threads as there are lanes.  */

#include "lanes-abi.h"
#include "region.h"
#include "construct.h"

#pragma omp declare target

static void
run (struct accel_thread *self, unsigned n, unsigned flags, void (*lane_fn) (void *), void *data,
     const struct accel_construct *c)
{
  struct accel_team *team = gompx_lanes_begin (self, n, flags, lane_fn);
  unsigned warps = team->num_threads;

  team->num_threads = n;	/* who comes to the construct */
  accel_construct_fill (self, team, c);
  team->num_threads = warps;
  struct accel_work *d = team->first_work;
  accel_active_run (self, gompx_lanes_run, data);
  machine_store32 (&d->xleft, 0);	/* as in parallel-loop.c */
}

#define PARALLEL_LOOP(name, schedule)						\
  extern void GOMP_parallel_loop_##name (void (*) (void *), void *, unsigned,	\
					 long, long, long, long, unsigned);	\
  extern void gompx_lanes_GOMP_parallel_loop_##name (void (*) (void *), void *, unsigned, \
						     long, long, long, long, unsigned, \
						     void (*) (void *));	\
  void										\
  gompx_lanes_GOMP_parallel_loop_##name (void (*fn) (void *), void *data,	\
					 unsigned num_threads, long start, long end, \
					 long incr, long chunk, unsigned flags, \
					 void (*lane_fn) (void *))		\
  {										\
    struct accel_thread *self = accel_self ();					\
    unsigned n = gompx_lanes_size (self, num_threads);				\
    struct accel_construct c = { schedule, start, end, incr, chunk };			\
    if (n == 1)									\
      GOMP_parallel_loop_##name (fn, data, 1, start, end, incr, chunk, 0);	\
    else									\
      run (self, n, flags, lane_fn, data, &c);					\
  }

#define PARALLEL_RUNTIME(name)							\
  extern void GOMP_parallel_loop_##name (void (*) (void *), void *, unsigned,	\
					 long, long, long, unsigned);		\
  extern void gompx_lanes_GOMP_parallel_loop_##name (void (*) (void *), void *, unsigned, \
						     long, long, long, unsigned, \
						     void (*) (void *));	\
  void										\
  gompx_lanes_GOMP_parallel_loop_##name (void (*fn) (void *), void *data,	\
					 unsigned num_threads, long start, long end, \
					 long incr, unsigned flags,		\
					 void (*lane_fn) (void *))		\
  {										\
    struct accel_thread *self = accel_self ();					\
    unsigned n = gompx_lanes_size (self, num_threads);				\
    struct accel_construct c = { ACCEL_SCHED_RUNTIME, start, end, incr, 0 };		\
    if (n == 1)									\
      GOMP_parallel_loop_##name (fn, data, 1, start, end, incr, 0);		\
    else									\
      run (self, n, flags, lane_fn, data, &c);					\
  }

PARALLEL_LOOP (static, ACCEL_SCHED_STATIC)
PARALLEL_LOOP (dynamic, ACCEL_SCHED_DYNAMIC)
PARALLEL_LOOP (guided, ACCEL_SCHED_GUIDED)
PARALLEL_LOOP (nonmonotonic_dynamic, ACCEL_SCHED_DYNAMIC)
PARALLEL_LOOP (nonmonotonic_guided, ACCEL_SCHED_GUIDED)
PARALLEL_RUNTIME (runtime)
PARALLEL_RUNTIME (nonmonotonic_runtime)
PARALLEL_RUNTIME (maybe_nonmonotonic_runtime)

extern void GOMP_parallel_sections (void (*) (void *), void *, unsigned, unsigned, unsigned);
extern void gompx_lanes_GOMP_parallel_sections (void (*) (void *), void *, unsigned, unsigned,
						unsigned, void (*) (void *));

void
gompx_lanes_GOMP_parallel_sections (void (*fn) (void *), void *data, unsigned num_threads,
				    unsigned count, unsigned flags, void (*lane_fn) (void *))
{
  struct accel_thread *self = accel_self ();
  unsigned n = gompx_lanes_size (self, num_threads);
  struct accel_construct c = { ACCEL_CONSTRUCT_SECTIONS, 1, count, 1, 1 };
  if (n == 1)
    GOMP_parallel_sections (fn, data, 1, count, 0);
  else
    run (self, n, flags, lane_fn, data, &c);
}

#pragma omp end declare target
