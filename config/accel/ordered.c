/* ordered.c -- the ordered construct.

   The turn is the first iteration of the block whose ordered regions may be executed (xturn).  It goes by
   blocks: the owner of a block has the turn for all of it, and passes it on when it asks for the
   next one; that it does in its turn only, whether it has met an ordered region or not.  So a
   loop's ordered regions wait for at most one word.

   Invariant: xturn is written by the owner of the block that it names.  */

#include "loop.h"

#pragma omp declare target

extern void GOMP_ordered_start (void);
extern void GOMP_ordered_end (void);

/* Until it is SELF's turn; not longer than the region lives.  */
static void
wait_for_turn (struct accel_thread *self, struct accel_work *d)
{
  accel_u64 first = self->first;
  for (unsigned turn = 0; machine_uniform_load64 (&d->xturn) != first; turn++)
    {
      if (machine_load32 (&self->team->xcancelled))
	break;
      machine_pause (turn);
    }
  machine_fence_block ();	/* what was done in turns before */
}

void
accel_ordered_pass (struct accel_thread *self, struct accel_work *d)
{
  if (self->first == self->next)
    return;
  wait_for_turn (self, d);
  machine_fence_block ();	/* what was done in this turn */
  machine_uniform_store64 (&d->xturn, self->next);
}

void
GOMP_ordered_start (void)
{
  struct accel_thread *self = accel_self ();
  struct accel_work *d = self->work;
  if (d != NULL && self->num_threads > 1 && d->ordered == ACCEL_ORDERED_YES
      && self->first != self->next)
    wait_for_turn (self, d);
}

/* The turn is kept until the block is done.  */
void
GOMP_ordered_end (void)
{
}

#pragma omp end declare target
