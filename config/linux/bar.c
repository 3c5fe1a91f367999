/* bar.c -- the slow halves of bar.h: sleeping, and spinning that takes long.

   Spinning for a thread that has no processor holds it up for a whole time slice, milliseconds.
   So who spins yields: after a few turns when the runtime has more threads than processors,
   or when the last yield of this thread took so long that another thread must have run, and
   after some microseconds in any case: alone on a processor a yield costs 0.3 us.

   Threads of one team on the same processor hand it to each other by yielding, which the
   scheduler takes for two busy threads that it had better leave where their caches are: it
   does not part them, and every barrier costs two switches.  (Measured on two idle
   processors: 4 to 9 us for whole rows of a benchmark, instead of 0.1.)  So a helper that
   keeps being switched away when it yields goes to another processor by itself, now and then,
   by taking its own out of its affinity mask for a moment, unless there are more threads than
   processors anyway.  */

#include "config/linux/bar.h"
#include "config/linux/futex.h"
#include "host/affinity.h"
#include "host/places.h"
#include "host/task.h"
#include "host/team.h"

#include <errno.h>
#include <sched.h>

/* Yield at least every so many turns.  */
#define YIELD_TURNS 128
/* A yield that takes longer has let another thread run.  */
#define SWITCH_NS 1500
/* So many of them in a row, and so long after the last move.  */
#define SWITCHES 4
#define MOVE_PAUSE_NS 10000000

static __thread struct
{
  unsigned switches;
  uint64_t next_move;		/* not before */
} spinner;

static void
leave_processor (void)
{
  int saved = errno, here = sched_getcpu ();
  if (gomp_bound_place != 0
      && CPU_COUNT_S (gomp_cpuset_size, gomp_places[gomp_bound_place - 1]) == 1)
    return;			/* there is nowhere to go */
  /* Of a bound thread: the CPUs of its place.  On the stack: a helper that allocates gets an arena of its
     own from malloc, which takes longer than all this.  */
  cpu_set_t small, *usable = &small;
  if (sched_getaffinity (0, sizeof (small), &small) != 0)
    usable = gomp_cpus_mask ();	/* there can be more CPUs */

  if (usable != NULL && here >= 0 && CPU_COUNT_S (gomp_cpuset_size, usable) > 1)
    {
      CPU_CLR_S (here, gomp_cpuset_size, usable);
      if (sched_setaffinity (0, gomp_cpuset_size, usable) == 0)
	{
	  CPU_SET_S (here, gomp_cpuset_size, usable);
	  sched_setaffinity (0, gomp_cpuset_size, usable);
	}
    }
  if (usable != &small)
    free (usable);
  errno = saved;
}

void
gomp_spin_turn (uint64_t i)
{
  bool crowded = gomp_team_crowded ();

  if (!crowded && spinner.switches == 0 && i % YIELD_TURNS != YIELD_TURNS - 1)
    {
      gomp_cpu_relax ();
      return;
    }
  if (crowded)
    {
      sched_yield ();
      return;
    }

  uint64_t start = gomp_now_ns ();
  sched_yield ();
  uint64_t end = gomp_now_ns ();
  if (end - start < SWITCH_NS)
    {
      spinner.switches = 0;
      return;
    }
  /* Thread 0 stays: of two only one has to go, and it is the program's own.  */
  const struct gomp_slot *slot = gomp_tls.slot;
  if (++spinner.switches < SWITCHES || end < spinner.next_move || slot == NULL || slot->num == 0)
    return;
  leave_processor ();
  spinner.next_move = end + MOVE_PAUSE_NS;
}

void GOMP_STARTUP
gomp_spin_expect_switch (void)
{
  spinner.switches = 1;
}

void
gomp_word_sleep (gomp_word_t *word, uint32_t old)
{
  uint32_t seen = old;
  /* Say that somebody sleeps before sleeping.  Relaxed: the exchange of the one who changes
     the word and this one are ordered by the word itself; when it has changed already the
     loop's load acquires.  */
  while (!gomp_cas_weak_relaxed (word, &seen, old | GOMP_WORD_SLEEPERS))
    {
      if ((seen & ~GOMP_WORD_SLEEPERS) != old)
	break;
      if (seen & GOMP_WORD_SLEEPERS)
	break;			/* somebody has said so */
    }
  /* Acquire: what was done before the change.  */
  while ((gomp_load_acquire (word) & ~GOMP_WORD_SLEEPERS) == old)
    gomp_futex_wait (word, old | GOMP_WORD_SLEEPERS);
}

void
gomp_word_wake (gomp_word_t *word)
{
  gomp_futex_wake (word, INT_MAX);
}

unsigned
gomp_barrier_gather_group (struct gomp_slot *slot, unsigned n, bool all)
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

void
gomp_barrier_wake_master (gomp_barrier_t *bar)
{
  gomp_futex_wake (&bar->xarrived, 1);
  /* The caller is a helper: its own pointer, as the master may already change the pool's.  */
  gomp_task_wake_slot (gomp_tls.slot->tasks.siblings[0]);
}

bool
gomp_barrier_gather_sleep (gomp_barrier_t *bar, unsigned n)
{
  const uint32_t all = 2 * (n - 1);
  /* Acquire: what the helpers did, or the bit of xphase.  Only the helper that completes the count
     wakes, and who sets that bit, which takes the sleeper away.  */
  uint32_t seen = gomp_or_acq_rel (&bar->xarrived, GOMP_WORD_SLEEPERS) | GOMP_WORD_SLEEPERS;

  while (seen != (all | GOMP_WORD_SLEEPERS))
    {
      /* Relaxed: whoever sets it looks at xarrived afterwards.  */
      if (gomp_load_relaxed (&bar->xphase) & GOMP_WORD_TASKS)
	return false;
      gomp_futex_wait (&bar->xarrived, seen);
      seen = gomp_load_acquire (&bar->xarrived);
    }
  return true;
}
