/* loop-ull.c -- entry points of loops with unsigned long long bounds; loop.h has the rules.  */

#include "loop.h"

#pragma omp declare target

#define LOOP(name, flags)						\
  extern bool GOMP_loop_ull_##name##_start (bool, accel_u64, accel_u64, accel_u64, accel_u64, \
					   accel_u64 *, accel_u64 *);	\
  bool									\
  GOMP_loop_ull_##name##_start (bool up, accel_u64 start, accel_u64 end, accel_u64 incr, \
				accel_u64 chunk, accel_u64 *istart, accel_u64 *iend) \
  {									\
    return accel_loop_start ((flags) | ACCEL_LOOP_UNSIGNED | (up ? 0 : ACCEL_LOOP_DOWN), \
			     start, end, incr, chunk,			\
			     istart, iend);				\
  }

#define LOOP_RUNTIME(name, flags)					\
  extern bool GOMP_loop_ull_##name##_start (bool, accel_u64, accel_u64, accel_u64, accel_u64 *, accel_u64 *); \
  bool									\
  GOMP_loop_ull_##name##_start (bool up, accel_u64 start, accel_u64 end, accel_u64 incr, \
				accel_u64 *istart, accel_u64 *iend)	\
  {									\
    return accel_loop_start ((ACCEL_SCHED_RUNTIME | (flags)) | ACCEL_LOOP_UNSIGNED | (up ? 0 : ACCEL_LOOP_DOWN), \
			     start, end, incr, 0,			\
			     istart, iend);				\
  }

/* TAKE: accel_loop_next where schedules are likely to be dynamic.  */
#define NEXT(name, take)						\
  extern bool GOMP_loop_ull_##name##_next (accel_u64 *, accel_u64 *);	\
  bool									\
  GOMP_loop_ull_##name##_next (accel_u64 *istart, accel_u64 *iend)	\
  {									\
    return take (istart, iend);						\
  }

static bool __attribute__ ((noinline))
next_ull (accel_u64 *istart, accel_u64 *iend)
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
NEXT (ordered_static, next_ull)
NEXT (ordered_dynamic, next_ull)
NEXT (ordered_guided, next_ull)
NEXT (ordered_runtime, next_ull)
#endif

NEXT (static, next_ull)
NEXT (guided, next_ull)
NEXT (nonmonotonic_guided, next_ull)
#ifndef MACHINE_NEAR
NEXT (dynamic, accel_loop_next)
NEXT (nonmonotonic_dynamic, accel_loop_next)
NEXT (runtime, accel_loop_next)
NEXT (nonmonotonic_runtime, accel_loop_next)
NEXT (maybe_nonmonotonic_runtime, accel_loop_next)
#endif

#pragma omp end declare target
