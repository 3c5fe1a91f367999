/* single.c -- the single construct.

   Threads count the single constructs they meet (accel_thread.singles), and the team counts those that a
   thread has taken.  So a thread has construct k if it takes the team's count from k to k + 1;
   threads may be any number of constructs apart.  */

#include "accel.h"

#pragma omp declare target

extern bool GOMP_single_start (void);
extern void *GOMP_single_copy_start (void);
extern void GOMP_single_copy_end (void *);

static bool
take_single (struct accel_thread *self)
{
  unsigned number = self->singles++;
  unsigned *taken = &self->team->xsingles;
  return (machine_load32 (taken) == number
	  && machine_shared_cas32 (taken, number, number + 1) == number);
}

#ifdef MACHINE_TEXT
extern bool accel_single_any (void);

/* What the one in assembly goes on with where it cannot do it.  */
bool
accel_single_any (void)
#else
bool
GOMP_single_start (void)
#endif
{
  struct accel_thread *self = accel_self ();
  return self->num_threads == 1 || take_single (self);
}

#ifndef MACHINE_EACH_LANE		/* what lanes would pass on is in .local memory */
/* The compiler has a barrier follow when all have copied, so there is one construct at a time, and the
   others can wait at a hardware barrier of its own.  */
void *
GOMP_single_copy_start (void)
{
  struct accel_thread *self = accel_self ();
  if (self->num_threads == 1 || take_single (self))
    return NULL;
  machine_barrier (ACCEL_BARRIER_COPY, machine_barrier_count (self->num_threads));
  return self->team->copy_data;
}

void
GOMP_single_copy_end (void *data)
{
  struct accel_thread *self = accel_self ();
  if (self->num_threads == 1)
    return;
  self->team->copy_data = data;
  machine_barrier (ACCEL_BARRIER_COPY, machine_barrier_count (self->num_threads));
}
#endif

#pragma omp end declare target
