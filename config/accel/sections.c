/* sections.c -- the sections construct: numbers 1 .. count, each to one thread.  */

#include "sections.h"

#pragma omp declare target

extern unsigned GOMP_sections_start (unsigned);
extern unsigned GOMP_sections_next (void);
extern void GOMP_sections_end (void);
extern void GOMP_sections_end_nowait (void);
extern bool GOMP_sections_end_cancel (void);

unsigned
accel_sections_next (struct accel_thread *self)
{
  struct accel_work *d = self->work;
  if (d == NULL)
    return 0;			/* cancelled */
  unsigned taken = (self->num_threads > 1 ? machine_shared_add32 (&d->xtaken32, 1)
		    : d->xtaken32++);
  return taken < (unsigned) d->blocks ? taken + 1 : 0;
}

unsigned
GOMP_sections_start (unsigned count)
{
  struct accel_thread *self = accel_self ();
  uintptr_t met = accel_work_meet (self);
  struct accel_work *d = accel_work_of (met);
  if (met & ACCEL_FIRST)
    {
      accel_sections_fill (d, count);
      accel_work_ready (self, d);
    }
  return accel_sections_next (self);
}

unsigned
GOMP_sections_next (void)
{
  return accel_sections_next (accel_self ());
}

void
GOMP_sections_end (void)
{
  struct accel_thread *self = accel_self ();
  accel_work_leave (self);
  accel_barrier (self);
}

void
GOMP_sections_end_nowait (void)
{
  accel_work_leave (accel_self ());
}

bool
GOMP_sections_end_cancel (void)
{
  struct accel_thread *self = accel_self ();
  accel_work_leave (self);
  return accel_barrier_cancel (self);
}

#pragma omp end declare target
