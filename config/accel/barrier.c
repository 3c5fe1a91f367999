/* barrier.c -- barriers of a team.

   In an image without tasks and cancellation a barrier is the hardware's (accel_thread.plain tells), and a team of
   one thread has none.  That is all there is here: every program is linked with this file, and would pay
   for more with the time of its first start and with registers.  In an image with tasks or cancellation
   barrier-wait.c is linked, and its functions take the place of the weak ones of this file.  */

#include "accel.h"

#pragma omp declare target

extern void GOMP_barrier (void);

__attribute__ ((weak)) void
accel_barrier_long (struct accel_thread *self)
{
  (void) self;
}

__attribute__ ((weak)) void
accel_barrier_end_long (struct accel_thread *self)
{
  (void) self;
}

__attribute__ ((weak)) bool
accel_barrier_cancel (struct accel_thread *self)
{
  if (self->plain)
    machine_barrier (ACCEL_BARRIER_TEAM, self->plain);
  return false;
}

/* It calls nothing, and needs no stack frame.  */
#ifdef MACHINE_TEXT
extern void accel_barrier_plain (void);

/* What the one in assembly goes on with where it cannot do it.  */
void
accel_barrier_plain (void)
#else
__attribute__ ((weak)) void
GOMP_barrier (void)
#endif
{
  unsigned plain = accel_self_field (plain);
  if (plain)
    machine_barrier (ACCEL_BARRIER_TEAM, plain);
}

#pragma omp end declare target
