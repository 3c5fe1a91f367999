/* parallel.c -- the entry points that start parallel regions, plain or with the first
   worksharing construct already begun.  team.c does the work.

   With a tool (ompt.h) the regions take another way, which the first line of run_region decides,
   so that the usual way has nothing to do with tools.  */

#include "host/abi.h"
#include "host/ompt.h"
#include "host/reduction.h"
#include "host/team.h"
#include "host/work.h"

/* The region itself.  REPORTED: what a tool is told of it, or NULL; FN and DATA are then its
   gomp_ompt_run_implicit and itself.  */
static inline unsigned __attribute__ ((always_inline))
run_team (struct gomp_thread *thr, gomp_fn fn, void *data, unsigned request, unsigned max_useful,
	  unsigned flags, const struct gomp_loop *loop, uintptr_t *reductions,
	  struct gomp_ompt_region *reported)
{
  unsigned n = gomp_team_size (thr, request, max_useful);
  struct gomp_thread saved = *thr;

  if (n == 1)
    {
      struct gomp_solo *solo = gomp_solo_begin (thr, flags);
      if (reductions != NULL)
	solo->team.reductions = gomp_reduction_register_team (1, reductions);
      if (loop != NULL)
	gomp_loop_join (thr, loop);
      if (reported != NULL)
	gomp_ompt_parallel_team (reported, thr->team);
      fn (data);
      gomp_solo_end (thr, solo, &saved);
    }
  else
    {
      struct gomp_thread_pool *pool = gomp_team_prepare (thr, n, flags);
      if (reductions != NULL)
	pool->team.reductions = gomp_reduction_register_team (n, reductions);
      if (reported != NULL)
	gomp_ompt_parallel_team (reported, &pool->team);
      gomp_team_launch (thr, pool, fn, data, loop);
      fn (data);
      gomp_team_join (thr, &saved);
      if (reductions != NULL)
	pool->team.reductions = NULL;
    }
  return n;
}

/* The same as run_region with a tool that wants to hear of it; CALL: of the entry point.  */
static unsigned __attribute__ ((cold, noinline))
run_reported (gomp_fn fn, void *data, unsigned request, unsigned max_useful, unsigned flags,
	      const struct gomp_loop *loop, uintptr_t *reductions, struct gomp_ompt_call call)
{
  struct gomp_thread *thr = gomp_self ();
  struct gomp_ompt_region region;
  gomp_ompt_parallel_begin (&region, thr, fn, data, request, loop,
			    ompt_parallel_team | ompt_parallel_invoker_runtime, call);
  unsigned n = run_team (thr, gomp_ompt_run_implicit, &region, request, max_useful, flags, loop,
			 reductions, &region);
  gomp_ompt_parallel_end (&region, thr);
  return n;
}

/* A region that begins with LOOP, unless that is NULL, and has the task reductions that
   REDUCTIONS describes, unless that is NULL.  Answers the number of threads.  */
static inline unsigned __attribute__ ((always_inline))
run_region (gomp_fn fn, void *data, unsigned request, unsigned max_useful, unsigned flags,
	    const struct gomp_loop *loop, uintptr_t *reductions)
{
  if (gomp_ompt_on ())
    return run_reported (fn, data, request, max_useful, flags, loop, reductions,
			 GOMP_OMPT_CALL);
  return run_team (gomp_self (), fn, data, request, max_useful, flags, loop, reductions, NULL);
}

GOMP_EXPORT void GOMP_HOT
GOMP_parallel (gomp_fn fn, void *data, unsigned num_threads, unsigned flags)
{
  run_region (fn, data, num_threads, 0, flags, NULL, NULL);
}

/* The first word of DATA points to the description of the task reductions.  */
GOMP_EXPORT unsigned
GOMP_parallel_reductions (gomp_fn fn, void *data, unsigned num_threads, unsigned flags)
{
  return run_region (fn, data, num_threads, 0, flags, NULL, *(uintptr_t **) data);
}

/* ---- Combined with a loop or sections ---- */

static inline void __attribute__ ((always_inline))
parallel_loop (gomp_fn fn, void *data, unsigned num_threads, unsigned sched, long start, long end,
	       long incr, long chunk, unsigned flags)
{
  struct gomp_loop loop = gomp_loop_of_longs (start, end, incr, sched, chunk);
  run_region (fn, data, num_threads, 0, flags, &loop, NULL);
}

#define PARALLEL_LOOP(name, sched)						\
  GOMP_EXPORT void								\
  name (gomp_fn fn, void *data, unsigned num_threads, long start, long end,	\
	long incr, long chunk, unsigned flags)					\
  {										\
    parallel_loop (fn, data, num_threads, sched, start, end, incr, chunk, flags); \
  }

#define PARALLEL_LOOP_RUNTIME(name, sched)					\
  GOMP_EXPORT void								\
  name (gomp_fn fn, void *data, unsigned num_threads, long start, long end,	\
	long incr, unsigned flags)						\
  {										\
    parallel_loop (fn, data, num_threads, sched, start, end, incr, 0, flags);	\
  }

PARALLEL_LOOP (GOMP_parallel_loop_static, GOMP_SCHED_STATIC)
PARALLEL_LOOP (GOMP_parallel_loop_dynamic, GOMP_SCHED_DYNAMIC | GOMP_SCHED_MONOTONIC)
PARALLEL_LOOP (GOMP_parallel_loop_guided, GOMP_SCHED_GUIDED | GOMP_SCHED_MONOTONIC)
PARALLEL_LOOP (GOMP_parallel_loop_nonmonotonic_dynamic, GOMP_SCHED_DYNAMIC)
PARALLEL_LOOP (GOMP_parallel_loop_nonmonotonic_guided, GOMP_SCHED_GUIDED)
PARALLEL_LOOP_RUNTIME (GOMP_parallel_loop_runtime, GOMP_SCHED_RUNTIME | GOMP_SCHED_MONOTONIC)
PARALLEL_LOOP_RUNTIME (GOMP_parallel_loop_nonmonotonic_runtime, GOMP_SCHED_RUNTIME)
PARALLEL_LOOP_RUNTIME (GOMP_parallel_loop_maybe_nonmonotonic_runtime, GOMP_SCHED_RUNTIME)

GOMP_EXPORT void
GOMP_parallel_sections (gomp_fn fn, void *data, unsigned num_threads, unsigned count,
			unsigned flags)
{
  struct gomp_loop loop = gomp_loop_of_sections (count);
  run_region (fn, data, num_threads, count, flags, &loop, NULL);
}

/* ---- Old programs: the caller runs the region itself, between two calls ---- */

/* What is on the stack of run_region otherwise.  */
struct gomp_old_region
{
  struct gomp_solo *solo;	/* of a team of one */
  struct gomp_thread saved;
  struct gomp_ompt_region ompt;
  struct gomp_old_region *outer;
};

static inline void __attribute__ ((always_inline))
begin_region (gomp_fn fn, void *data, unsigned request, unsigned max_useful,
	      const struct gomp_loop *loop)
{
  struct gomp_thread *thr = gomp_self ();
  struct gomp_old_region *region
    = gomp_aligned_alloc (_Alignof (struct gomp_old_region), sizeof (*region));
  region->ompt.me = NULL;
  if (gomp_ompt_on ())
    gomp_ompt_parallel_begin (&region->ompt, thr, fn, data, request, loop,
			      ompt_parallel_team | ompt_parallel_invoker_program,
			      GOMP_OMPT_CALL);
  bool reported = region->ompt.me != NULL;
  unsigned n = gomp_team_size (thr, request, max_useful);

  region->saved = *thr;
  struct gomp_own *own = gomp_own ();
  region->outer = own->old_regions;
  own->old_regions = region;
  if (n == 1)
    {
      region->solo = gomp_solo_begin (thr, 0);
      if (loop != NULL)
	gomp_loop_join (thr, loop);
      gomp_ompt_parallel_team (&region->ompt, thr->team);
    }
  else
    {
      struct gomp_thread_pool *pool = gomp_team_prepare (thr, n, 0);
      gomp_ompt_parallel_team (&region->ompt, &pool->team);
      if (gomp_unlikely (reported))
	gomp_team_launch (thr, pool, gomp_ompt_run_implicit, &region->ompt, loop);
      else
	gomp_team_launch (thr, pool, fn, data, loop);
    }
  if (gomp_unlikely (reported))
    gomp_ompt_implicit_begin (&region->ompt, &region->ompt.master, thr,
			      __builtin_dwarf_cfa ());
}

GOMP_EXPORT void
GOMP_parallel_start (gomp_fn fn, void *data, unsigned num_threads)
{
  begin_region (fn, data, num_threads, 0, NULL);
}

GOMP_EXPORT void
GOMP_parallel_end (void)
{
  struct gomp_thread *thr = gomp_self ();
  struct gomp_old_region *region = gomp_own ()->old_regions;

  if (region == NULL)
    gomp_fatal ("GOMP_parallel_end without GOMP_parallel_start");
  if (gomp_unlikely (region->ompt.me != NULL))
    gomp_ompt_implicit_end (&region->ompt, &region->ompt.master, thr);
  if (thr->slot == NULL)
    gomp_solo_end (thr, region->solo, &region->saved);
  else
    gomp_team_join (thr, &region->saved);
  gomp_ompt_parallel_end (&region->ompt, thr);
  gomp_own ()->old_regions = region->outer;
  free (region);
}

#define PARALLEL_LOOP_START(name, sched)					\
  GOMP_EXPORT void								\
  name (gomp_fn fn, void *data, unsigned num_threads, long start, long end,	\
	long incr, long chunk)							\
  {										\
    struct gomp_loop loop = gomp_loop_of_longs (start, end, incr, sched, chunk); \
    begin_region (fn, data, num_threads, 0, &loop);				\
  }

PARALLEL_LOOP_START (GOMP_parallel_loop_static_start, GOMP_SCHED_STATIC)
PARALLEL_LOOP_START (GOMP_parallel_loop_dynamic_start, GOMP_SCHED_DYNAMIC | GOMP_SCHED_MONOTONIC)
PARALLEL_LOOP_START (GOMP_parallel_loop_guided_start, GOMP_SCHED_GUIDED | GOMP_SCHED_MONOTONIC)

GOMP_EXPORT void
GOMP_parallel_loop_runtime_start (gomp_fn fn, void *data, unsigned num_threads, long start,
				  long end, long incr)
{
  struct gomp_loop loop = gomp_loop_of_longs (start, end, incr,
					      GOMP_SCHED_RUNTIME | GOMP_SCHED_MONOTONIC, 0);
  begin_region (fn, data, num_threads, 0, &loop);
}

GOMP_EXPORT void
GOMP_parallel_sections_start (gomp_fn fn, void *data, unsigned num_threads, unsigned count)
{
  struct gomp_loop loop = gomp_loop_of_sections (count);
  begin_region (fn, data, num_threads, count, &loop);
}
