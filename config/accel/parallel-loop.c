/* parallel-loop.c -- parallel regions that begin in a loop, or in a sections construct.

   The region's threads call the next function first, so the construct's descriptor is ready before they
   start.  But GCC calls GOMP_parallel_loop_static for schedule(auto), too, with threads that deal the
   iterations out themselves and never call anything: so the descriptor is free behind the region
   whether they have said that they are through with it or not.  */

#include "construct.h"

#pragma omp declare target

static void
run (void (*fn) (void *), void *data, unsigned num_threads, const struct accel_construct *c)
{
  struct accel_thread *self = accel_self ();
  unsigned n = accel_team_size (self, num_threads);
  if (n == 1)
    {
      struct accel_serial serial;
      accel_construct_fill (self, accel_serial_begin (self, &serial), c);
      accel_serial_run (self, &serial, fn, data);
    }
  else
    {
      struct accel_team *team = accel_active_begin (self, n);
      accel_construct_fill (self, team, c);
      struct accel_work *d = team->first_work;
      accel_active_run (self, fn, data);
      machine_store32 (&d->xleft, 0);
    }
}

#define PARALLEL_LOOP(name, schedule)						\
  extern void GOMP_parallel_loop_##name (void (*) (void *), void *, unsigned,	\
					 long, long, long, long, unsigned);	\
  void										\
  GOMP_parallel_loop_##name (void (*fn) (void *), void *data,			\
			     unsigned num_threads, long start, long end,	\
			     long incr, long chunk, unsigned flags)		\
  {										\
    struct accel_construct c = { schedule, start, end, incr, chunk };			\
    (void) flags;								\
    run (fn, data, num_threads, &c);						\
  }

#define PARALLEL_RUNTIME(name)							\
  extern void GOMP_parallel_loop_##name (void (*) (void *), void *, unsigned,	\
					 long, long, long, unsigned);		\
  void										\
  GOMP_parallel_loop_##name (void (*fn) (void *), void *data,			\
			     unsigned num_threads, long start, long end,	\
			     long incr, unsigned flags)				\
  {										\
    struct accel_construct c = { ACCEL_SCHED_RUNTIME, start, end, incr, 0 };		\
    (void) flags;								\
    run (fn, data, num_threads, &c);						\
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

void
GOMP_parallel_sections (void (*fn) (void *), void *data, unsigned num_threads, unsigned count,
			unsigned flags)
{
  struct accel_construct c = { ACCEL_CONSTRUCT_SECTIONS, 1, count, 1, 1 };
  (void) flags;
  run (fn, data, num_threads, &c);
}

#pragma omp end declare target
