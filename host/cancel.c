/* cancel.c -- cancellation of regions, worksharing constructs and taskgroups; barriers in
   programs that may cancel.

   parallel	The team is marked.  Threads that wait in a barrier are let go, later ones do not wait:
		one that has cancelled the region does not come to its barriers any more.
		All meet at the region's end.  Tasks that have not started are discarded.
   for, sections  The team notes the number of the instance that the thread met last, plus one.
		(Static loops have no instance of their own; all threads in one have met the same
		instances.)  Only cancellation points look.  The next barrier takes it back.
   taskgroup	The group is marked, and its tasks that have not started are discarded.

   A discarded task is complete without its body having run, where it would have started.

   Barriers.  Where OMP_CANCELLATION is true, threads that come to a barrier are counted in
   the pool's xcancel_arrived: in a cancelled region some have been counted and left, and
   the count of bar.h must be right at the region's end.  What they wait for is the same, the phase
   of the team's barrier.  Cancelling the region moves it on.

   The end of a cancelled region.  Threads have met different numbers of constructs: some
   instances were started by some threads only.  The next region begins behind the last instance of the
   chain, so that all are free again (work.h); the count of single constructs begins at
   zero.

   Waits inside of loops (ordered regions, doacross sinks) end when the loop or the region is
   cancelled, since the thread that they wait for may have left.  OpenMP does not allow cancelling a
   loop with an ordered clause; this is for regions, and for programs that do it all the same.

   Invariants
   1. xcancelled of a team is set before the phase moves, and only taken back by the master when
      all threads have gathered.  Who reads the moved phase sees it.
   2. A thread reads the phase and then xcancelled before it is counted: it cannot wait for a
      phase that nobody will move.
   3. With OMP_CANCELLATION, bar.xarrived counts only the helpers that are through with the region.  */

#include "host/abi.h"
#include "host/cancel.h"
#include "host/ompt.h"
#include "config/linux/futex.h"

/* Who sleeps in a loop looks whether it is cancelled: soon the first time, then more rarely, so that
   many sleepers do not keep the processors from those that they wait for.  */
#define FIRST_NAP_NS 2000000
#define LAST_NAP_NS 128000000

enum
{
  CANCEL_PARALLEL = 1,
  CANCEL_LOOP = 2,
  CANCEL_SECTIONS = 4,
  CANCEL_TASKGROUP = 8
};

static void __attribute__ ((cold))
cancel_parallel (struct gomp_thread *thr)
{
  struct gomp_team *team = thr->team;

  /* Outside of any region there is nothing to leave.  */
  if (thr->level == 0)
    return;
  /* Release: what this thread did before; acquire: nothing.  */
  if (gomp_swap_acq_rel (&team->xcancelled, true) || thr->slot == NULL)
    return;
  struct gomp_thread_pool *pool = gomp_team_pool (team);
  if (gomp_barrier_skip (&pool->bar))
    gomp_task_wake_all (pool);
}

static void __attribute__ ((cold))
cancel_workshare (struct gomp_thread *thr)
{
  /* Release: as above.  */
  if (thr->level > 0)
    gomp_store_release (&thr->team->xcancelled_ws, thr->ws->number + 1);
}

static inline void
cancel_taskgroup (const struct gomp_thread *thr)
{
  struct gomp_taskgroup *group = thr->task->group;
  while (group != NULL && group->implicit)
    group = group->outer;
  /* Release: as above.  */
  if (group != NULL)
    gomp_store_release (&group->xcancelled, true);
}

static void __attribute__ ((cold, noreturn))
unknown (int which)
{
  gomp_fatal ("cancellation of an unknown construct (%d)", which);
}

/* Is WHICH cancelled?  Not gomp_self: a thread that the library has not seen has nothing that could be
   cancelled.  */
static inline bool
is_cancelled (int which)
{
  const struct gomp_thread *thr = &gomp_tls;
  switch (which)
    {
    case CANCEL_PARALLEL:
      return gomp_cancelled_parallel (thr);
    case CANCEL_LOOP:
    case CANCEL_SECTIONS:
      return gomp_cancelled_workshare (thr);
    case CANCEL_TASKGROUP:
      return thr->task != NULL && gomp_cancelled_new_task (thr);
    default:
      unknown (which);
    }
}

/* WHICH as tools know it.  */
static int
reported_kind (int which)
{
  return which == CANCEL_PARALLEL ? ompt_cancel_parallel
	 : which == CANCEL_LOOP ? ompt_cancel_loop
	 : which == CANCEL_SECTIONS ? ompt_cancel_sections : ompt_cancel_taskgroup;
}

/* The answer of a point where something is cancelled, perhaps not WHICH.  A tool is told that it was
   seen.  */
static bool __attribute__ ((noinline))
look (int which, const void *codeptr)
{
  if (!is_cancelled (which))
    return false;
  if (gomp_ompt_on ())
    gomp_ompt_cancel (gomp_self (), reported_kind (which) | ompt_cancel_detected, codeptr);
  return true;
}

/* A point, where cancellation is on.  Mostly nothing is cancelled: said here without a frame, with few
   branches, none of them taken, which is what a point in a short loop costs.  A number that is no
   construct's is found out where something is cancelled, or if it is larger than those.  */
static inline bool __attribute__ ((always_inline))
point (int which)
{
  const struct gomp_thread *thr = &gomp_tls;
  const struct gomp_team *team = thr->team;
  if (gomp_likely (which <= CANCEL_SECTIONS))
    {
      if (gomp_unlikely (team == NULL))
	return false;
      /* Acquire, both: what the thread that cancelled did before.  */
      if (gomp_unlikely ((gomp_load_acquire (&team->xcancelled_ws)
			  | gomp_load_acquire (&team->xcancelled)) != 0))
	return look (which, __builtin_return_address (0));
      return false;
    }
  if (gomp_likely (which == CANCEL_TASKGROUP)
      && (gomp_unlikely (team == NULL) || gomp_likely (!gomp_cancelled_new_task (thr))))
    return false;
  return look (which, __builtin_return_address (0));
}

GOMP_EXPORT bool GOMP_SHORT
GOMP_cancellation_point (int which)
{
  if (gomp_likely (gomp_global_icvs.cancellation))
    return point (which);
  return false;
}

/* With a true if clause, where cancellation is on.  */
static bool __attribute__ ((noinline))
cancel (int which, const void *codeptr)
{
  struct gomp_thread *thr = gomp_self ();
  if (gomp_ompt_on ())
    gomp_ompt_cancel (thr, reported_kind (which) | ompt_cancel_activated, codeptr);
  switch (which)
    {
    case CANCEL_PARALLEL:
      cancel_parallel (thr);
      break;
    case CANCEL_LOOP:
    case CANCEL_SECTIONS:
      cancel_workshare (thr);
      break;
    case CANCEL_TASKGROUP:
      cancel_taskgroup (thr);
      break;
    default:
      unknown (which);
    }
  return true;
}

GOMP_EXPORT bool
GOMP_cancel (int which, bool do_cancel)
{
  if (!gomp_likely (gomp_global_icvs.cancellation))
    return false;
  if (do_cancel)
    {
      /* Here, since there is so little to do.  */
      if (gomp_likely (which == CANCEL_TASKGROUP && gomp_tls.task != NULL) && !gomp_ompt_on ())
	{
	  cancel_taskgroup (&gomp_tls);
	  return true;
	}
      return cancel (which, __builtin_return_address (0));
    }
  return point (which);
}

/* ---- Barriers ---- */

/* The calling thread has come to a barrier with all tasks done; false: the region is
   cancelled.  */
static bool
wait_for_team (struct gomp_thread *thr)
{
  struct gomp_team *team = thr->team;
  struct gomp_thread_pool *pool = gomp_team_pool (team);
  gomp_barrier_t *bar = &pool->bar;
  unsigned n = thr->nthreads_minus_1 + 1;

  /* Acquire: invariant 2.  */
  uint32_t phase = gomp_barrier_phase (gomp_load_acquire (&bar->xphase));
  if (gomp_load_acquire (&team->xcancelled))
    return false;
  /* Release what this thread did; the last one acquires what all did.  */
  if (gomp_add_acq_rel (&pool->xcancel_arrived, 1) == n - 1)
    {
      /* Relaxed, both: released with the phase.  */
      gomp_store_relaxed (&pool->xcancel_arrived, 0);
      gomp_store_relaxed (&team->xcancelled_ws, 0);
      if (gomp_barrier_release (bar, phase))
	gomp_task_wake_all (pool);
    }
  else if (!gomp_barrier_wait (bar, phase, team->spins))
    gomp_task_help_barrier (thr, phase);
  /* Acquire: with the phase, invariant 1.  */
  return !gomp_load_acquire (&team->xcancelled);
}

void
gomp_cancel_barrier (struct gomp_thread *thr)
{
  if (thr->team == NULL || gomp_cancelled_parallel (thr))
    return;
  if (gomp_task_has_children (thr->task))
    gomp_task_finish_children (thr);
  if (thr->nthreads_minus_1 == 0)
    gomp_store_relaxed (&thr->team->xcancelled_ws, 0);	/* not shared */
  else if (wait_for_team (thr))
    thr->slot->ws_passed = thr->slot->ws_number;
}

GOMP_EXPORT bool
GOMP_barrier_cancel (void)
{
  if (gomp_ompt_on ())
    gomp_ompt_barrier (ompt_sync_region_barrier, GOMP_OMPT_CALL);
  else
    gomp_team_barrier (&gomp_tls);
  return gomp_cancelled_parallel (&gomp_tls);
}

GOMP_EXPORT bool
GOMP_loop_end_cancel (void)
{
  gomp_end_workshare ();
  return gomp_cancelled_parallel (&gomp_tls);
}

GOMP_EXPORT bool
GOMP_sections_end_cancel (void)
{
  gomp_end_workshare ();
  return gomp_cancelled_parallel (&gomp_tls);
}

/* ---- The end of a region ---- */

void
gomp_cancel_end_region (struct gomp_thread_pool *pool)
{
  struct gomp_team *team = &pool->team;

  /* Relaxed, all: the helpers have gathered, and the next fork releases it.  */
  gomp_store_relaxed (&team->xcancelled_ws, 0);
  if (!gomp_load_relaxed (&team->xcancelled))
    return;
  gomp_store_relaxed (&team->xcancelled, false);
  gomp_store_relaxed (&pool->xcancel_arrived, 0);
  gomp_store_relaxed (&pool->xsingles, 0);
  /* Acquire: the number, from who appended it; the gathering has ordered it, too.  */
  struct gomp_work_share *next;
  while ((next = gomp_load_acquire (&pool->last_ws->xnext)) != NULL)
    pool->last_ws = next;
  pool->slots[0]->ws_number = pool->last_ws->number;
}

/* ---- Waits in loops ---- */

bool
gomp_cancel_sleep (struct gomp_thread *thr, gomp_word_t *word, uint32_t value, uint32_t bits)
{
  if (gomp_likely (!gomp_cancel_on ()))
    {
      gomp_futex_wait_bits (word, value, bits);
      return true;
    }
  long nap = FIRST_NAP_NS;
  do
    {
      if (gomp_cancelled_wait (thr))
	return false;
      gomp_futex_wait_bits_ns (word, value, bits, nap);
      if (nap < LAST_NAP_NS)
	nap *= 2;
    }
  /* Relaxed: the caller looks again.  */
  while (gomp_load_relaxed (word) == value);
  return true;
}
