/* loop_ull.c -- entry points of loops with unsigned long long bounds; see loop.c.  */

#include "host/abi.h"
#include "host/ompt.h"
#include "host/team.h"
#include "host/work.h"

_Static_assert (sizeof (gomp_ull) == sizeof (uint64_t), "blocks are stored through uint64_t");

static inline bool __attribute__ ((always_inline))
start_loop (unsigned sched, bool ordered, bool up, gomp_ull start, gomp_ull end, gomp_ull incr,
	    gomp_ull chunk, gomp_ull *istart, gomp_ull *iend)
{
  struct gomp_thread *thr = gomp_self ();
  struct gomp_loop loop = gomp_loop_of_ulls (up, start, end, incr, sched, chunk);
  loop.ordered = ordered;
  gomp_loop_enter (thr, &loop);
  return gomp_iter_next (thr, (uint64_t *) istart, (uint64_t *) iend);
}

#define LOOP(name, sched, ordered)						\
  GOMP_EXPORT bool								\
  GOMP_loop_ull_##name##_start (bool up, gomp_ull start, gomp_ull end,		\
				gomp_ull incr, gomp_ull chunk,			\
				gomp_ull *istart, gomp_ull *iend)		\
  {										\
    return start_loop (sched, ordered, up, start, end, incr, chunk, istart,	\
		       iend);							\
  }										\
  LOOP_NEXT (name)

#define LOOP_RUNTIME(name, sched, ordered)					\
  GOMP_EXPORT bool								\
  GOMP_loop_ull_##name##_start (bool up, gomp_ull start, gomp_ull end,		\
				gomp_ull incr, gomp_ull *istart,		\
				gomp_ull *iend)					\
  {										\
    return start_loop (sched, ordered, up, start, end, incr, 0, istart, iend);	\
  }										\
  LOOP_NEXT (name)

/* All of them are the same.  The compiler would make them jump to one.  */
#define LOOP_NEXT(name)								\
  GOMP_EXPORT bool GOMP_NO_ICF							\
  GOMP_loop_ull_##name##_next (gomp_ull *istart, gomp_ull *iend)		\
  {										\
    return gomp_iter_next_inline (&gomp_tls, (uint64_t *) istart,		\
				  (uint64_t *) iend);				\
  }

LOOP (static, GOMP_SCHED_STATIC, false)
LOOP (dynamic, GOMP_SCHED_DYNAMIC | GOMP_SCHED_MONOTONIC, false)
LOOP (guided, GOMP_SCHED_GUIDED | GOMP_SCHED_MONOTONIC, false)
LOOP (nonmonotonic_dynamic, GOMP_SCHED_DYNAMIC, false)
LOOP (nonmonotonic_guided, GOMP_SCHED_GUIDED, false)
LOOP (ordered_static, GOMP_SCHED_STATIC, true)
LOOP (ordered_dynamic, GOMP_SCHED_DYNAMIC, true)
LOOP (ordered_guided, GOMP_SCHED_GUIDED, true)
LOOP_RUNTIME (runtime, GOMP_SCHED_RUNTIME | GOMP_SCHED_MONOTONIC, false)
LOOP_RUNTIME (nonmonotonic_runtime, GOMP_SCHED_RUNTIME, false)
LOOP_RUNTIME (maybe_nonmonotonic_runtime, GOMP_SCHED_RUNTIME, false)
LOOP_RUNTIME (ordered_runtime, GOMP_SCHED_RUNTIME, true)

static inline bool __attribute__ ((always_inline))
start_general (bool ordered, bool up, gomp_ull start, gomp_ull end, gomp_ull incr, long sched,
	       gomp_ull chunk, gomp_ull *istart, gomp_ull *iend, uintptr_t *reductions,
	       void **mem)
{
  struct gomp_thread *thr = gomp_self ();
  struct gomp_loop loop
    = gomp_loop_of_ulls (up, start, end, incr, gomp_decode_sched (sched), chunk);
  loop.ordered = ordered;
  gomp_loop_enter_general (thr, &loop, istart == NULL, reductions, mem);
  if (gomp_ompt_on ())
    gomp_ompt_loop_begin (thr, &loop, __builtin_return_address (0));
  if (istart == NULL)
    return true;
  return gomp_iter_next (thr, (uint64_t *) istart, (uint64_t *) iend);
}

GOMP_EXPORT bool
GOMP_loop_ull_start (bool up, gomp_ull start, gomp_ull end, gomp_ull incr, long sched,
		     gomp_ull chunk, gomp_ull *istart, gomp_ull *iend, uintptr_t *reductions,
		     void **mem)
{
  return start_general (false, up, start, end, incr, sched, chunk, istart, iend, reductions, mem);
}

GOMP_EXPORT bool
GOMP_loop_ull_ordered_start (bool up, gomp_ull start, gomp_ull end, gomp_ull incr, long sched,
			     gomp_ull chunk, gomp_ull *istart, gomp_ull *iend,
			     uintptr_t *reductions, void **mem)
{
  return start_general (true, up, start, end, incr, sched, chunk, istart, iend, reductions, mem);
}
