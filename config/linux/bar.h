/* bar.h -- waiting on a word, and the team barrier made of it.  Linux.

   Waitable words.  Threads wait until a 32-bit word changes; bit 0 says that somebody sleeps
   on it in the kernel, the other bits are the value.  Whoever changes the value does so with
   one exchange and learns from the old bit 0 whether a wake-up call is due, so a change that
   nobody sleeps on costs no system call, and no second word is read.

   Barrier.  Threads say that they have come (host/gather.c); who knows that all have moves xphase
   on, which is what the others wait for.  At the end of a region only the first half happens:
   helpers arrive and go, and the master alone waits until all have come.

   Two threads count themselves in xphase, in the bit below the phase: the second addition
   carries, so it releases the first thread at once, and a barrier takes two transfers of one
   line where it would take three.  (Of more than two the arrivals would disturb those that wait
   already: 8 threads took half as long again.)  As an addition keeps the flags, the last thread
   takes those of the phase before away afterwards.

   Tasks.  A bit of xphase says that tasks may exist since the last barrier: whoever waits here
   works on them instead (host/task.h); a barrier without tasks pays nothing for that.  A
   thread with unfinished tasks of its own does not arrive, so when all have, there are none.
   Even and odd phases have a bit each: the thread that is released first may create tasks while the
   last one still takes the bit of the phase before away.

   Invariants
   1. The phase in xphase changes only when all threads of the team have arrived, so a thread may
      read it without ordering before it arrives; or when the region is cancelled
      (host/cancel.c).
   2. xarrived is zero when a barrier is released and when a region begins.
   3. Only the master sleeps on xarrived: at the end of a region, and at barriers to which threads
      come by lines.  When it works on tasks, it sleeps on the word of its slot instead, but says so
      in xarrived all the same.
   4. The bit for tasks of the phase before is clear when the last thread of a barrier leaves it; so in
      each phase the bit of the next one is clear before all have arrived.
   5. GOMP_BAR_ARRIVED is clear when a region begins and ends.  */

#ifndef GOMP_BAR_H
#define GOMP_BAR_H 1

#include "libgomp.h"

typedef _Atomic (uint32_t) gomp_word_t;

#define GOMP_WORD_SLEEPERS 1u
#define GOMP_WORD_TASKS 2u	/* the dock's word: there are tasks */
#define GOMP_WORD_FLAGS (GOMP_WORD_SLEEPERS | GOMP_WORD_TASKS)

/* The bits of xphase above GOMP_WORD_SLEEPERS.  */
#define GOMP_BAR_TASKS_EVEN 2u	/* there are tasks, and the phase is even */
#define GOMP_BAR_TASKS_ODD 4u
#define GOMP_BAR_FLAGS (GOMP_WORD_SLEEPERS | GOMP_BAR_TASKS_EVEN | GOMP_BAR_TASKS_ODD)
#define GOMP_BAR_ARRIVED 8u	/* one of two threads has arrived */
#define GOMP_BAR_PHASE 16u	/* one barrier */

/* The barrier and its words must not share lines: everybody writes xarrived while everybody
   reads xphase.  */
typedef struct
{
  GOMP_NO_SHARING gomp_word_t xarrived;	/* 2 * threads that have counted themselves | sleepers */
  GOMP_NO_SHARING gomp_word_t xphase;	/* GOMP_BAR_PHASE * barriers passed | the bits above */
} gomp_barrier_t;

/* The phase in a value of xphase.  */
static inline uint32_t
gomp_barrier_phase (uint32_t word)
{
  return word & -GOMP_BAR_PHASE;
}

/* The bit that says that there are tasks in the phase of WORD.  */
static inline uint32_t
gomp_barrier_tasks_bit (uint32_t word)
{
  return GOMP_BAR_TASKS_EVEN << (word / GOMP_BAR_PHASE & 1);
}

/* Not zero: there may be tasks.  */
static inline uint32_t
gomp_barrier_tasks (uint32_t word)
{
  return word & gomp_barrier_tasks_bit (word);
}

/* The turns of a spin loop in which others may get the processor; bar.c.  False: it had better sleep.  */
bool gomp_spin_turn (uint64_t i) __attribute__ ((cold));
/* For who wanted to be told so, but waits for something that wakes nobody.  */
void gomp_spin_nap (void) __attribute__ ((cold));
/* In a loop that waits for something that rarely takes long.  */
void gomp_let_others_run (void) __attribute__ ((cold));

/* Other processes compute where this one's threads do; a hint.  */
bool gomp_machine_busy (void);

/* The calling thread has created one, or is new: the scheduler begins with both on one processor often.  So its next
   spin lets others run early; if nobody has waited for that, it is as always.  */
void gomp_spin_expect_switch (void);

/* The pause in turn I of a loop that spins for another thread, and sleeps when the answer is false: after
   SPINS turns, or earlier where other processes compute.  Now and then it lets others
   run: early where there are more threads than processors or this thread's last yield has let
   another one run, after some microseconds otherwise, which is longer than threads on
   processors of their own wait for each other.  A limit on the turns of such a loop is a limit
   on time in the second case and on yields in the first, one in GOMP_SPIN_TURNS turns.  */
#define GOMP_SPIN_TURNS 8

static inline bool
gomp_spin (uint64_t i, uint64_t spins)
{
  if (i >= spins)
    return false;
  if (gomp_unlikely (i % GOMP_SPIN_TURNS == GOMP_SPIN_TURNS - 1))
    return gomp_spin_turn (i);
  gomp_cpu_relax ();
  return true;
}

/* The same in a loop that has no other way to sleep.  */
static inline void
gomp_spin_pause (uint64_t i)
{
  if (gomp_unlikely (!gomp_spin (i, UINT64_MAX)))
    gomp_spin_nap ();
}

/* As gomp_futex_wait and gomp_futex_wake, for threads of a team: with a passive policy the sleeper finds
   out whether it was woken late, since other processes compute.  */
void gomp_sleep_on (gomp_word_t *word, uint32_t value) __attribute__ ((cold));
void gomp_wake_on (gomp_word_t *word, int count) __attribute__ ((cold));
/* Sleep until (*WORD & ~1) != OLD.  */
void gomp_word_sleep (gomp_word_t *word, uint32_t old) __attribute__ ((cold));
/* Wake everybody who sleeps on WORD.  */
static inline void
gomp_word_wake (gomp_word_t *word)
{
  gomp_wake_on (word, INT_MAX);
}

/* Wait until (*WORD & ~1) != OLD: look SPINS times, then sleep.  Acquire: sees what the one
   who changed the word did before.  */
static inline void
gomp_word_wait (gomp_word_t *word, uint32_t old, uint64_t spins)
{
  for (uint64_t i = 0; ; i++)
    {
      if (gomp_likely ((gomp_load_acquire (word) & ~GOMP_WORD_SLEEPERS) != old))
	return;
      if (!gomp_spin (i, spins))
	break;
    }
  gomp_word_sleep (word, old);
}

/* Change the value to NEW_VALUE (bit 0 clear).  Release: see above.  */
static inline void
gomp_word_post (gomp_word_t *word, uint32_t new_value)
{
  if (gomp_unlikely (gomp_swap_release (word, new_value) & GOMP_WORD_SLEEPERS))
    gomp_word_wake (word);
}

static inline void
gomp_barrier_init (gomp_barrier_t *bar)
{
  gomp_store_relaxed (&bar->xarrived, 0);	/* not shared yet */
  gomp_store_relaxed (&bar->xphase, 0);
}

/* The last thread has arrived: let the others go on from PHASE.  True: some of them work on
   tasks, and may sleep elsewhere.  */
static inline bool
gomp_barrier_release (gomp_barrier_t *bar, uint32_t phase)
{
  uint32_t old = gomp_swap_release (&bar->xphase, phase + GOMP_BAR_PHASE);
  if (gomp_unlikely (old & GOMP_WORD_SLEEPERS))
    gomp_word_wake (&bar->xphase);
  return gomp_barrier_tasks (old) != 0;
}

/* One of two threads arrives.  Answers what xphase was: with GOMP_BAR_ARRIVED the other one had
   arrived and goes on, and flags are to be given to gomp_barrier_pair_clear.  */
static inline uint32_t
gomp_barrier_pair_arrive (gomp_barrier_t *bar)
{
  /* Release what this thread did; the last one acquires what the other did.  */
  return gomp_add_acq_rel (&bar->xphase, GOMP_BAR_ARRIVED);
}

bool gomp_barrier_skip (gomp_barrier_t *bar) __attribute__ ((cold));
bool gomp_barrier_pair_clear (gomp_barrier_t *bar, uint32_t old) __attribute__ ((cold));
bool gomp_barrier_wait_called (gomp_barrier_t *bar, uint32_t phase, uint64_t spins)
  __attribute__ ((cold));

/* Wait until the phase is another one than in WORD, which is what xphase was when this thread had
   arrived.  False: there are tasks.  Acquire: sees what the others did before the barrier.  */
static inline bool
gomp_barrier_wait (gomp_barrier_t *bar, uint32_t word, uint64_t spins)
{
  uint32_t phase = gomp_barrier_phase (word);
  /* Flags are a reason to look more closely.  */
  gomp_word_wait (&bar->xphase, word & ~GOMP_BAR_FLAGS, spins);
  return gomp_likely (gomp_barrier_phase (gomp_load_acquire (&bar->xphase)) != phase)
	 || gomp_barrier_wait_called (bar, phase, spins);
}

#endif /* GOMP_BAR_H */
