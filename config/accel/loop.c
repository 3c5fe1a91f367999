/* loop.c -- entry points of loops with signed long bounds, and the ends of all loops.  loop.h has the
   rules.  */

#include "loop.h"

#pragma omp declare target

#define LOOP(name, flags)						\
  extern bool GOMP_loop_##name##_start (long, long, long, long,		\
					   long *, long *);		\
  bool									\
  GOMP_loop_##name##_start (long start, long end, long incr,		\
				long chunk, long *istart, long *iend)	\
  {									\
    return accel_loop_start ((flags),					\
			     start, end, incr, chunk,			\
			     (accel_u64 *) istart, (accel_u64 *) iend);	\
  }

#define LOOP_RUNTIME(name, flags)					\
  extern bool GOMP_loop_##name##_start (long, long, long, long *, long *); \
  bool									\
  GOMP_loop_##name##_start (long start, long end, long incr,		\
				long *istart, long *iend)		\
  {									\
    return accel_loop_start ((ACCEL_SCHED_RUNTIME | (flags)),		\
			     start, end, incr, 0,			\
			     (accel_u64 *) istart, (accel_u64 *) iend);	\
  }

/* TAKE: accel_loop_next where schedules are likely to be dynamic.  */
#define NEXT(name, take)						\
  extern bool GOMP_loop_##name##_next (long *, long *);			\
  bool									\
  GOMP_loop_##name##_next (long *istart, long *iend)			\
  {									\
    return take ((accel_u64 *) istart, (accel_u64 *) iend);		\
  }

static bool __attribute__ ((noinline))
next_long (accel_u64 *istart, accel_u64 *iend)
{
  return accel_loop_next_long (accel_self (), istart, iend);
}

LOOP (static, ACCEL_SCHED_STATIC)
LOOP (dynamic, ACCEL_SCHED_DYNAMIC)
LOOP (guided, ACCEL_SCHED_GUIDED)
LOOP (nonmonotonic_dynamic, ACCEL_SCHED_DYNAMIC)
LOOP (nonmonotonic_guided, ACCEL_SCHED_GUIDED)
LOOP_RUNTIME (runtime, 0)
LOOP_RUNTIME (nonmonotonic_runtime, 0)
LOOP_RUNTIME (maybe_nonmonotonic_runtime, 0)

#ifndef MACHINE_EACH_LANE
LOOP (ordered_static, ACCEL_SCHED_STATIC | ACCEL_LOOP_ORDERED)
LOOP (ordered_dynamic, ACCEL_SCHED_DYNAMIC | ACCEL_LOOP_ORDERED)
LOOP (ordered_guided, ACCEL_SCHED_GUIDED | ACCEL_LOOP_ORDERED)
LOOP_RUNTIME (ordered_runtime, ACCEL_LOOP_ORDERED)
NEXT (ordered_static, next_long)
NEXT (ordered_dynamic, next_long)
NEXT (ordered_guided, next_long)
NEXT (ordered_runtime, next_long)
#endif

NEXT (static, next_long)
NEXT (guided, next_long)
NEXT (nonmonotonic_guided, next_long)
#ifndef MACHINE_NEAR
NEXT (dynamic, accel_loop_next)
NEXT (nonmonotonic_dynamic, accel_loop_next)
NEXT (runtime, accel_loop_next)
NEXT (nonmonotonic_runtime, accel_loop_next)
NEXT (maybe_nonmonotonic_runtime, accel_loop_next)
#endif

extern void GOMP_loop_end (void);
extern void GOMP_loop_end_nowait (void);
extern bool GOMP_loop_end_cancel (void);

void
GOMP_loop_end (void)
{
  struct accel_thread *self = accel_self ();
  accel_work_leave (self);
  accel_barrier (self);
}

void
GOMP_loop_end_nowait (void)
{
  accel_work_leave (accel_self ());
}

bool
GOMP_loop_end_cancel (void)
{
  struct accel_thread *self = accel_self ();
  accel_work_leave (self);
  return accel_barrier_cancel (self);
}

#pragma omp end declare target
