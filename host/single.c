/* single.c -- single regions.

   Plain ones need no instance: the team counts those that some thread has taken, each thread
   those that it met.  All that a thread has met are taken, so the two numbers are equal
   only for the thread that comes to a construct first.

   With copyprivate there is an instance (work.h); the thread that appends it executes the
   region.  */

#include "host/abi.h"
#include "host/ompt.h"
#include "host/team.h"
#include "host/work.h"

/* Does the calling thread execute the region?  */
static inline bool
take_single (struct gomp_thread *thr)
{
  if (thr->nthreads_minus_1 == 0)
    return true;
  uint64_t met = thr->singles++;
  if (met < thr->singles_seen)
    return false;		/* others are far ahead: no need to look */
  struct gomp_thread_pool *pool = gomp_team_pool (thr->team);
  uint64_t taken = met;
  /* Of many threads most come later, and can read the line at the same time.  With two, who comes first would
     get it twice.  Acquire: as below.  */
  if (thr->nthreads_minus_1 > 1 && (taken = gomp_load_acquire (&pool->xsingles)) != met)
    {
      thr->singles_seen = taken;
      return false;
    }
  /* Only the number counts; passing data is the business of barriers.  Acquire all the
     same: what was done before in an earlier single by the one who took it.  */
  bool mine = gomp_cas_acquire (&pool->xsingles, &taken, met + 1);
  thr->singles_seen = mine ? met + 1 : taken;
  /* A thread that has lost leaves the line to the winner for a moment: that one then takes more of them in a row, and this one
     need not look for as many.  */
  if (!mine)
    gomp_cpu_relax ();
  return mine;
}

static bool __attribute__ ((cold, noinline))
take_reported (struct gomp_thread *thr, const void *codeptr)
{
  bool mine = take_single (thr);
  gomp_ompt_single (thr, mine, codeptr);
  return mine;
}

GOMP_EXPORT bool GOMP_SHORT
GOMP_single_start (void)
{
  struct gomp_thread *thr = gomp_self ();
  if (gomp_ompt_on ())
    return take_reported (thr, __builtin_return_address (0));
  return take_single (thr);
}

/* With copyprivate.  The compiler adds a barrier after the copies, so the data stays in place
   until all have it.  */
static inline bool
take_single_copy (struct gomp_thread *thr)
{
  if (thr->nthreads_minus_1 == 0)
    return true;
  if (gomp_work_meet (thr) == NULL)
    {
      struct gomp_work_share *ws = gomp_work_new (thr);
      ws->kind = GOMP_WORK_NONE;
      ws->ordered = false;
      gomp_store_relaxed (&ws->xcopied, 0);	/* published with the instance */
      return gomp_work_append (thr, ws);
    }
  return false;
}

static inline void *
wait_for_copy (struct gomp_thread *thr)
{
  /* Acquire: copy_data and what it points to.  */
  gomp_word_wait (&thr->ws->xcopied, 0, thr->team->spins);
  return thr->ws->copy_data;
}

static void * __attribute__ ((cold, noinline))
copy_reported (struct gomp_thread *thr, const void *codeptr)
{
  bool mine = take_single_copy (thr);
  gomp_ompt_work_begin (thr, mine ? ompt_work_single_executor : ompt_work_single_other, 1,
			codeptr);
  if (mine)
    return NULL;
  void *data = wait_for_copy (thr);
  gomp_ompt_work_end (thr, codeptr);
  return data;
}

GOMP_EXPORT void *
GOMP_single_copy_start (void)
{
  struct gomp_thread *thr = gomp_self ();
  if (gomp_ompt_on ())
    return copy_reported (thr, __builtin_return_address (0));
  return take_single_copy (thr) ? NULL : wait_for_copy (thr);
}

GOMP_EXPORT void
GOMP_single_copy_end (void *data)
{
  struct gomp_thread *thr = gomp_self ();
  if (gomp_ompt_on ())
    gomp_ompt_work_end (thr, __builtin_return_address (0));
  if (thr->nthreads_minus_1 == 0)
    return;
  thr->ws->copy_data = data;
  /* Release: copy_data and what it points to.  */
  gomp_word_post (&thr->ws->xcopied, 2);
}
