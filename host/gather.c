/* gather.c -- who comes to barriers and to the end of a region, in teams of more than two threads.  Two count
   (team.h), at barriers in the phase's word (bar.h).

   By lines.  Each thread writes into a line of its own that it has come, and thread 0 reads these
   lines, which go over at the same time: 16 threads that change one word, one after the other, take
   twice as long.  At a barrier thread 0 then moves the phase on.  It may sleep; bit 0 of the
   barrier's xarrived says so, and who comes last wakes it.  What threads write is different each
   time, so nothing is taken back.

   By counting, in xarrived, where threads soon sleep or are more than processors: who comes
   last goes on and releases the others, so nobody waits for thread 0's turn to run, and as
   going to sleep and counting change the same word, thread 0 need not interrupt the others to see that
   none has come (gomp_fence_heavy).  In large teams threads gather in groups first, and the last of
   each group counts for all of it, so that a line is not changed by hundreds of threads one after
   the other.  */

#include "config/linux/fence.h"
#include "config/linux/futex.h"
#include "host/task.h"
#include "host/team.h"

/* ---- By lines ---- */

static bool
all_have_written (struct gomp_slot **slots, unsigned n, uint64_t arrival)
{
  for (unsigned i = 1; i < n; i++)
    /* Acquire: what the thread did.  */
    if (gomp_load_acquire (&slots[i]->xarrived) != arrival)
      return false;
  return true;
}

/* The calling helper's arrival completes all, or the one of another: wake thread 0.  It may go on
   meanwhile, so only what stays: the array of slots, or an older one of the pool.  */
void
gomp_team_wake_master (void)
{
  struct gomp_slot **slots = gomp_tls.slot->tasks.siblings;
  gomp_word_wake (&slots[0]->pool->bar.xarrived);
  gomp_task_wake_slot (slots[0]);
}

static void __attribute__ ((cold, noinline))
wake_if_all (unsigned n, uint64_t arrival)
{
  gomp_fence_full ();		/* of several who come last one sees all others */
  if (all_have_written (gomp_tls.slot->tasks.siblings, n, arrival))
    gomp_team_wake_master ();
}

static inline void
write_arrival (struct gomp_slot *slot, unsigned n, uint64_t arrival)
{
  gomp_word_t *sleeper = &slot->pool->bar.xarrived;
  /* Release: thread 0 sees what this one did.  */
  gomp_store_release (&slot->xarrived, arrival);
  gomp_fence_light ();		/* goes with the heavy one of whoever sets the bit */
  /* Relaxed: the fence orders it.  */
  if (gomp_unlikely (gomp_load_relaxed (sleeper) != 0))
    wake_if_all (n, arrival);
}

/* Sleep until all have come, or there are tasks: false.  */
static bool __attribute__ ((cold, noinline))
sleep_by_lines (struct gomp_thread_pool *pool, uint64_t arrival)
{
  gomp_barrier_t *bar = &pool->bar;
  gomp_or_acq_rel (&bar->xarrived, GOMP_WORD_SLEEPERS);
  gomp_fence_heavy ();
  while (!all_have_written (pool->slots, pool->team.nthreads, arrival))
    {
      /* Relaxed: whoever sets it takes the bit away afterwards, so that nobody sleeps here.  */
      if (gomp_barrier_tasks (gomp_load_relaxed (&bar->xphase)))
	return false;
      gomp_sleep_on (&bar->xarrived, GOMP_WORD_SLEEPERS);
    }
  /* Relaxed: a late helper that sees it makes a call too many.  */
  gomp_store_relaxed (&bar->xarrived, 0);
  return true;
}

static inline bool
gather_lines (struct gomp_thread_pool *pool, uint64_t arrival)
{
  struct gomp_slot **slots = pool->slots;
  unsigned n = pool->team.nthreads, i = 1;
  for (uint64_t turn = 0; ; turn++)
    {
      /* Acquire: what the helpers did.  */
      while (gomp_load_acquire (&slots[i]->xarrived) == arrival)
	if (++i == n)
	  return true;
      /* Relaxed: a hint.  */
      if (gomp_unlikely (gomp_barrier_tasks (gomp_load_relaxed (&pool->bar.xphase))))
	return false;
      if (!gomp_spin (turn, pool->team.spins))
	return sleep_by_lines (pool, arrival);
    }
}

/* ---- By counting ---- */

/* The thread of SLOT comes to a barrier of N threads, or, as ALL is false, of the N - 1
   helpers.  Answers for how many it is to report, 0: another one of its group will.  */
static unsigned __attribute__ ((noinline))
gather_group (struct gomp_slot *slot, unsigned n, bool all)
{
  unsigned first = slot->num - slot->num % GOMP_BAR_GROUP;
  unsigned size = n - first < GOMP_BAR_GROUP ? n - first : GOMP_BAR_GROUP;
  if (first == 0 && !all)
    size--;			/* the master waits elsewhere */
  struct gomp_slot *head = slot->pool->slots[first];
  /* Release what this thread did; the last one of the group acquires what all of it did.  */
  if (gomp_add_acq_rel (&head->xgathered, 1) != size - 1)
    return 0;
  gomp_store_relaxed (&head->xgathered, 0);	/* released by counting for the group */
  return size;
}

static inline unsigned
weight (struct gomp_slot *slot, unsigned n, bool all)
{
  return gomp_likely (n <= GOMP_BAR_FLAT) ? 1 : gather_group (slot, n, all);
}

static bool
all_counted (gomp_barrier_t *bar, unsigned n)
{
  /* Acquire: what the helpers did.  */
  return (gomp_load_acquire (&bar->xarrived) & ~GOMP_WORD_SLEEPERS) == 2 * (n - 1);
}

bool
gomp_team_sleep_by_count (struct gomp_thread_pool *pool, unsigned n)
{
  gomp_barrier_t *bar = &pool->bar;
  const uint32_t all = 2 * (n - 1);
  /* Acquire: what the helpers did, or the bit of xphase.  Only the helper that completes the count
     wakes, and who sets that bit, which takes the sleeper away.  */
  uint32_t seen = gomp_or_acq_rel (&bar->xarrived, GOMP_WORD_SLEEPERS) | GOMP_WORD_SLEEPERS;

  while (seen != (all | GOMP_WORD_SLEEPERS))
    {
      /* Relaxed: whoever sets it looks at xarrived afterwards.  */
      if (gomp_barrier_tasks (gomp_load_relaxed (&bar->xphase)))
	return false;
      gomp_sleep_on (&bar->xarrived, seen);
      seen = gomp_load_acquire (&bar->xarrived);
    }
  return true;
}

/* ---- Both ---- */

bool
gomp_team_gathered (struct gomp_thread_pool *pool, uint64_t arrival, bool asleep)
{
  gomp_barrier_t *bar = &pool->bar;
  unsigned n = pool->team.nthreads;
  for (;;)
    {
      if (pool->team.by_lines ? all_have_written (pool->slots, n, arrival) : all_counted (bar, n))
	return true;
      if (!asleep)
	return false;
      asleep = false;
      gomp_or_acq_rel (&bar->xarrived, GOMP_WORD_SLEEPERS);	/* orders it against those who count ... */
      if (pool->team.by_lines)
	gomp_fence_heavy ();	/* ... and this against those who write */
    }
}

bool
gomp_team_gather_many (struct gomp_thread_pool *pool)
{
  if (!pool->team.by_lines)
    return gomp_team_gather_count (pool, pool->team.nthreads);
  /* Relaxed: all have come.  gomp_task_gather takes the bit away.  */
  return gather_lines (pool, gomp_arrival (pool->slots[0], GOMP_REGION_END))
	 && !gomp_unlikely (gomp_barrier_tasks (gomp_load_relaxed (&pool->bar.xphase)));
}

void
gomp_team_arrive_many (struct gomp_thread *thr)
{
  struct gomp_slot *slot = thr->slot;
  struct gomp_thread_pool *pool = slot->pool;
  unsigned n = thr->nthreads_minus_1 + 1;
  if (pool->team.by_lines)
    write_arrival (slot, n, gomp_arrival (slot, GOMP_REGION_END));
  else
    {
      unsigned w = weight (slot, n, false);
      if (w != 0)
	gomp_team_count_arrival (pool, n, w);
    }
}

void
gomp_team_barrier_many (struct gomp_thread *thr)
{
  struct gomp_slot *slot = thr->slot;
  struct gomp_thread_pool *pool = slot->pool;
  gomp_barrier_t *bar = &pool->bar;
  unsigned n = thr->nthreads_minus_1 + 1;
  /* Relaxed: the phase does not change before this thread has arrived.  */
  uint32_t phase = gomp_barrier_phase (gomp_load_relaxed (&bar->xphase));
  bool last;
  if (pool->team.by_lines)
    {
      uint64_t arrival = gomp_arrival (slot, phase);
      last = slot->num == 0;
      if (!last)
	write_arrival (slot, n, arrival);
      else if (gomp_unlikely (!gather_lines (pool, arrival)))
	{
	  gomp_task_help_gather (thr, arrival);
	  gomp_store_relaxed (&bar->xarrived, 0);	/* released with the phase */
	}
    }
  else
    {
      unsigned w = weight (slot, n, true);
      /* Release what these threads did; the last one acquires what all did.  */
      last = w != 0 && gomp_add_acq_rel (&bar->xarrived, 2 * w) == 2 * (n - w);
      if (last)
	gomp_store_relaxed (&bar->xarrived, 0);	/* as above */
    }
  if (last)
    {
      if (gomp_unlikely (gomp_barrier_release (bar, phase)))
	gomp_task_wake_all (pool);
    }
  else if (gomp_unlikely (!gomp_barrier_wait (bar, phase, thr->team->spins)))
    gomp_task_help_barrier (thr, phase);
}
