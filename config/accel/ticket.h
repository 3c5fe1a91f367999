/* ticket.h -- a lock of one word that any thread of the device may take.

   All zeros is free.  Threads get it in the order in which they came: who comes draws the next number
   and waits until it is served, which whoever unlocks sees to.

       bits 0-14   the number that is drawn next	bits 16-30  the number that is served
       bit 15      catches the carry of a draw, whose drawer removes it
       bit 31	   the carry of serving, without meaning

   So both are one addition, and no number is met twice as long as less than 2^15 threads wait.  To draw
   before the carry of another has gone is harmless: it does not reach bit 16.

   Who waits looks the more seldom, the more are before it: a thousand warps that all poll one word keep
   it from the one that is to change it.  A whole warp takes the lock together (accel.h,
   invariant 1), so two lanes never wait for each other.

   Where every lane is a thread (MACHINE_EACH_LANE), there may be more of them than numbers.  So lanes draw a
   number only when it is served at once, and until then one of those that wait in a warp looks.
   That is not fair, but each gets its turn if the others leave the lock some time.

   What all threads of a program want at a time, the lock of atomics and that of the nameless critical construct, would take
   too long like this.  There lanes of a block wait for each other first, in shared memory (accel_cohort): the first
   of them draws a number of the lock for all, and they hand it on, up to ACCEL_COHORT of them, before the last one
   gives it back.  So there are no more numbers than blocks.

   Lanes of a warp that come together may take it once (nvptx/lanes-abi.h): the holder's word then says whose turn it is, and
   they hand that on (accel_cohort_await).  The last one of them unlocks.

   What is only for lanes of the block needs no more than their part of it (accel_cohort_enter), and the rest may be taken
   later (accel_cohort_widen).  Both kinds may follow each other: who has the block's part has the device's, too, if `held' says
   so, and whoever is the last one gives back what there is.  */

#ifndef GOMPX_ACCEL_TICKET_H
#define GOMPX_ACCEL_TICKET_H 1

#include "machine.h"

#pragma omp declare target

#define ACCEL_TICKET_MASK 0x7fffu
#define ACCEL_TICKET_CARRY 0x8000u
#define ACCEL_TICKET_SERVE 0x10000u
/* Cycles for which a thread has the lock at least, with the way to the next one: who looks later than its turn comes keeps all
   behind it waiting.  */
#define ACCEL_TICKET_TIME 512u
/* The same of locks in shared memory, for threads and lanes of a block.  */
#define ACCEL_BLOCK_TIME 128u

/* How many are before the one with NUMBER.  */
static inline unsigned
accel_ticket_ahead (unsigned number, unsigned word)
{
  return (number - (word >> 16)) & ACCEL_TICKET_MASK;
}

/* The caller has drawn WORD's number; wait for it.  TIME: one of the above.  */
static inline void
accel_ticket_wait (unsigned *xlock, unsigned word, unsigned time)
{
  unsigned number = word & ACCEL_TICKET_MASK;
  if (number == ACCEL_TICKET_MASK)
    /* relaxed: a bit that nobody looks at.  */
    __atomic_fetch_sub (xlock, ACCEL_TICKET_CARRY, __ATOMIC_RELAXED);
  for (unsigned ahead; (ahead = accel_ticket_ahead (number, word)) != 0; word = machine_load32 (xlock))
    machine_delay ((ahead - 1) * time);
}

/* False: somebody has it.  */
static inline int
accel_ticket_try (unsigned *xlock)
{
  unsigned word = machine_load32 (xlock);
  /* With a carry, or one about to come, somebody has just been here.  */
  if (accel_ticket_ahead (word & ACCEL_TICKET_MASK, word) != 0
      || (word & ACCEL_TICKET_CARRY) != 0)
    return 0;
  unsigned next = (word & ~ACCEL_TICKET_MASK) | ((word + 1) & ACCEL_TICKET_MASK);
  /* relaxed: as in accel_lock.  */
  return __atomic_compare_exchange_n (xlock, &word, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Take it; a fence is to follow.  */
static inline void
accel_ticket_take (unsigned *xlock)
{
#ifdef MACHINE_EACH_LANE
  for (unsigned turn = 0;; turn++)
    {
      if (machine_rank (machine_gather (xlock)) == 0 && accel_ticket_try (xlock))
	return;
      machine_pause (turn);
    }
#else
  /* relaxed: the fence orders what follows.  */
  accel_ticket_wait (xlock, __atomic_fetch_add (xlock, 1, __ATOMIC_RELAXED), ACCEL_TICKET_TIME);
#endif
}

/* Locks in memory of the device, for what all its kernels share.  */
static inline void
accel_lock (unsigned *xlock)
{
  accel_ticket_take (xlock);
  machine_fence_device ();
}

static inline void
accel_unlock (unsigned *xlock)
{
  machine_fence_device ();
  /* relaxed: behind the fence.  */
  __atomic_fetch_add (xlock, ACCEL_TICKET_SERVE, __ATOMIC_RELAXED);
}

#ifdef MACHINE_EACH_LANE
enum { ACCEL_COHORT = 2048 };	/* lanes that hand a lock on: twice as many as a block has */

/* Lanes of a block among themselves.  */
static inline void
accel_cohort_enter (struct accel_cohort *cohort)
{
  unsigned number = machine_shared_add32 (&cohort->xdrawn, 1), ahead;
  while ((ahead = number - machine_load32 (&cohort->xserved)) != 0)
    machine_delay ((ahead < 32 ? ahead - 1 : 31) * ACCEL_BLOCK_TIME);
  machine_fence_block ();
}

/* Who has entered takes XLOCK of the device, too, if the block has not got it.  */
static inline void
accel_cohort_widen (struct accel_cohort *cohort, unsigned *xlock)
{
  if (cohort->held != 0)
    return;
  /* relaxed: the fence orders what follows.  */
  accel_ticket_wait (xlock, __atomic_fetch_add (xlock, 1, __ATOMIC_RELAXED), ACCEL_TICKET_TIME);
  machine_fence_device ();
  cohort->held = 1;
}

/* Lanes PARTY of this warp, of which BEFORE come before the caller, thread ME, have or will have entered by their first
   one: wait for the caller's turn.  */
static inline void
accel_cohort_await (struct accel_cohort *cohort, unsigned party, unsigned before, unsigned me)
{
  unsigned first = me - me % MACHINE_WARP + 1, at;
  for (unsigned turn = 0; (at = machine_load32 (&cohort->xturn)) != me + 1; turn++)
    if (at - first < MACHINE_WARP && (party >> (at - first) & 1) != 0)
      machine_delay ((__builtin_popcount (before >> (at - first)) - 1) * ACCEL_BLOCK_TIME);
    else
      machine_pause (turn);
  machine_fence_block ();
}

/* Both; XLOCK may be NULL, always.  */
static inline void
accel_cohort_lock (struct accel_cohort *cohort, unsigned *xlock)
{
  accel_cohort_enter (cohort);
  if (xlock != NULL)
    accel_cohort_widen (cohort, xlock);
}

static inline void
accel_cohort_unlock (struct accel_cohort *cohort, unsigned *xlock)
{
  unsigned served = machine_load32 (&cohort->xserved) + 1;
  if (xlock != NULL && cohort->held != 0
      && (machine_load32 (&cohort->xdrawn) == served || cohort->held++ == ACCEL_COHORT))
    {
      cohort->held = 0;
      machine_fence_device ();
      /* relaxed: behind the fence.  */
      __atomic_fetch_add (xlock, ACCEL_TICKET_SERVE, __ATOMIC_RELAXED);
    }
  machine_fence_block ();
  machine_store32 (&cohort->xserved, served);
}
#else
/* Locks in the block's shared memory, for what only the block looks at.  */
static inline void
accel_block_lock (unsigned *xlock)
{
  accel_ticket_wait (xlock, machine_shared_add32 (xlock, 1), ACCEL_BLOCK_TIME);
  machine_fence_block ();
}

static inline void
accel_block_unlock (unsigned *xlock)
{
  machine_fence_block ();
  machine_shared_add32 (xlock, ACCEL_TICKET_SERVE);
}
#endif

#pragma omp end declare target

#endif /* GOMPX_ACCEL_TICKET_H */
