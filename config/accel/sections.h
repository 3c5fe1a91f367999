/* sections.h -- what the entry points of the sections construct share.  */

#ifndef GOMPX_ACCEL_SECTIONS_H
#define GOMPX_ACCEL_SECTIONS_H 1

#include "accel.h"

#pragma omp declare target

static inline void
accel_sections_fill (struct accel_work *d, unsigned count)
{
  d->kind = ACCEL_WORK_DYNAMIC;
  d->blocks = count;
  d->xtaken = 0;
}

/* The next section for SELF, or 0.  */
unsigned accel_sections_next (struct accel_thread *self);

#pragma omp end declare target

#endif /* GOMPX_ACCEL_SECTIONS_H */
