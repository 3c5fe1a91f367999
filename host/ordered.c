/* ordered.c -- ordered regions of loops: turns go from block to block.

   Blocks of an ordered loop are numbered in the order of their iterations.  The owner of block
   K has the turn when the loop's word says K, and passes it to K + 1 when it asks for its next
   block; an owner that never had an ordered region waits for its turn then.  The word holds
   the number modulo 2^31, which is enough: the blocks in work at a time are not more than
   there are threads.  */

#include "host/abi.h"
#include "host/cancel.h"
#include "host/ompt.h"
#include "host/team.h"
#include "config/linux/futex.h"

#define TURN(ticket) ((uint32_t) (ticket) << 1)
/* Waiters sleep under one of 32 bits, so that passing the turn wakes the next owner and few
   others.  */
#define TURN_BIT(ticket) (UINT32_C (1) << ((ticket) & 31))

/* How often to look when threads outnumber processors: the threads that have the turn before come in the time
   of a few yields mostly.  Who is woken costs the one before him a call and himself a switch: with one yield
   8 threads on 2 processors took twice as long.  */
#define CROWDED_SPINS (8 * GOMP_SPIN_TURNS)

static void __attribute__ ((cold))
sleep_until_turn (struct gomp_thread *thr, struct gomp_work_share *ws, uint64_t ticket)
{
  for (;;)
    {
      /* Acquire: what earlier ordered regions did.  Bit 0 stays set from the first sleeper to
	 the end of the loop: others may sleep while one is woken.  */
      uint32_t seen = gomp_or_acq_rel (&ws->xturn, GOMP_WORD_SLEEPERS) | GOMP_WORD_SLEEPERS;
      if (seen == (TURN (ticket) | GOMP_WORD_SLEEPERS))
	return;
      if (!gomp_cancel_sleep (thr, &ws->xturn, seen, TURN_BIT (ticket)))
	return;
    }
}

/* The calling thread's block has the turn.  Acquire: what earlier ordered regions did.  */
static inline bool
has_turn (const struct gomp_thread *thr)
{
  return (gomp_load_acquire (&thr->ws->xturn) & ~GOMP_WORD_SLEEPERS) == TURN (thr->ticket);
}

static void __attribute__ ((noinline))
wait_for_turn (struct gomp_thread *thr)
{
  struct gomp_work_share *ws = thr->ws;
  uint64_t ticket = thr->ticket;
  uint64_t spins = thr->team->spins;
  if (spins > CROWDED_SPINS && gomp_team_crowded ())
    spins = CROWDED_SPINS;

  for (uint64_t i = 0; !has_turn (thr); i++)
    {
      if (gomp_cancelled_wait (thr))
	return;
      if (!gomp_spin (i, spins))
	{
	  sleep_until_turn (thr, ws, ticket);
	  return;
	}
    }
}

/* All but the first of a block's ordered regions find the turn theirs at once.  */
static inline void
ordered_wait (struct gomp_thread *thr)
{
  if (gomp_unlikely (!has_turn (thr)))
    wait_for_turn (thr);
}

void
gomp_ordered_pass (struct gomp_thread *thr)
{
  struct gomp_work_share *ws = thr->ws;
  uint64_t ticket = thr->ticket;

  if (ticket == GOMP_NO_TICKET || thr->nthreads_minus_1 == 0)
    return;
  ordered_wait (thr);
  thr->ticket = GOMP_NO_TICKET;
  /* Release: what this block's ordered regions did.  Adding keeps bit 0.  */
  if (gomp_add_acq_rel (&ws->xturn, TURN (1)) & GOMP_WORD_SLEEPERS)
    gomp_futex_wake_bits (&ws->xturn, INT_MAX, TURN_BIT (ticket + 1));
}

static inline void
ordered_start (struct gomp_thread *thr)
{
  if (thr->nthreads_minus_1 > 0 && thr->ticket != GOMP_NO_TICKET)
    ordered_wait (thr);
}

static void __attribute__ ((cold, noinline))
ordered_start_reported (const void *codeptr)
{
  struct gomp_thread *thr = gomp_self ();
  gomp_ompt_mutex_acquire (ompt_mutex_ordered, thr->ws, codeptr);
  ordered_start (thr);
  gomp_ompt_mutex_acquired (ompt_mutex_ordered, thr->ws, true, codeptr);
}

GOMP_EXPORT void
GOMP_ordered_start (void)
{
  if (gomp_ompt_on ())
    ordered_start_reported (__builtin_return_address (0));
  else
    /* Not gomp_self: a thread that the library has not seen has a team of one.  */
    ordered_start (&gomp_tls);
}

/* The turn stays with the thread for its whole block.  */
GOMP_EXPORT void
GOMP_ordered_end (void)
{
  if (gomp_ompt_on ())
    gomp_ompt_mutex_released (ompt_mutex_ordered, gomp_self ()->ws,
			      __builtin_return_address (0));
}
