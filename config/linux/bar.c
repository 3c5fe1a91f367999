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
  uint32_t seen;
  /* Acquire: what was done before the change.  */
  while (((seen = gomp_load_acquire (word)) & ~GOMP_WORD_SLEEPERS) == old)
    {
      /* Say that somebody sleeps before sleeping, each time: the bit may be that of a barrier before,
	 which is taken away late (gomp_barrier_pair_clear).  Relaxed: the change that others wait
	 for and this one are ordered by the word itself.  */
      if (!(seen & GOMP_WORD_SLEEPERS)
	  && !gomp_cas_weak_relaxed (word, &seen, old | GOMP_WORD_SLEEPERS))
	continue;
      gomp_futex_wait (word, old | GOMP_WORD_SLEEPERS);
    }
}

void
gomp_word_wake (gomp_word_t *word)
{
  gomp_futex_wake (word, INT_MAX);
}

/* The second of two threads has arrived, and OLD was in xphase: take away what flags say about the phase
   that is over.  True: the other thread works on tasks, and may sleep elsewhere.  */
bool
gomp_barrier_pair_clear (gomp_barrier_t *bar, uint32_t old)
{
  /* Nothing that was not there: the other thread may sleep in the next phase already.  If it relies on
     the bit of the phase before it is woken, too, and says it anew.  */
  uint32_t tasks = gomp_barrier_tasks (old), sleepers = old & GOMP_WORD_SLEEPERS;
  gomp_and_acq_rel (&bar->xphase, ~(tasks | sleepers));
  if (sleepers)
    gomp_word_wake (&bar->xphase);
  return tasks != 0;
}

/* Move the phase on without waiting for anybody, and wake those who sleep here; where there are tasks,
   there are in the new phase.  True: there are, and threads may sleep elsewhere.  Release: what the
   caller did, to whoever sees the new phase.  */
bool
gomp_barrier_skip (gomp_barrier_t *bar)
{
  uint32_t seen = gomp_load_relaxed (&bar->xphase), next;
  do
    {
      next = gomp_barrier_phase (seen) + GOMP_BAR_PHASE;
      if (gomp_barrier_tasks (seen))
	next |= gomp_barrier_tasks_bit (next);
    }
  while (!gomp_cas_weak_release (&bar->xphase, &seen, next));
  if (seen & GOMP_WORD_SLEEPERS)
    gomp_word_wake (&bar->xphase);
  return gomp_barrier_tasks (seen) != 0;
}

/* The slow part of gomp_barrier_wait: flags have appeared, or were there.  */
bool
gomp_barrier_wait_called (gomp_barrier_t *bar, uint32_t phase, uint64_t spins)
{
  uint32_t word;
  while (gomp_barrier_phase (word = gomp_load_acquire (&bar->xphase)) == phase)
    {
      if (gomp_barrier_tasks (word))
	return false;
      gomp_word_wait (&bar->xphase, word & ~GOMP_WORD_SLEEPERS, spins);
    }
  return true;
}
