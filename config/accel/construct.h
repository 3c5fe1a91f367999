/* construct.h -- what a parallel region begins with, where that is one construct with the region: a loop, or
   sections.  For parallel-loop.c and config/nvptx/lanes/region-loop.c.  */

#ifndef GOMPX_ACCEL_CONSTRUCT_H
#define GOMPX_ACCEL_CONSTRUCT_H 1

#include "loop.h"
#include "sections.h"

#pragma omp declare target

struct accel_construct
{
  unsigned flags;		/* loop.h; ACCEL_CONSTRUCT_SECTIONS */
  long start, end, incr, chunk;
};
#define ACCEL_CONSTRUCT_SECTIONS 0x80000000u

/* Fill in the construct that a region of TEAM begins with.  SELF is the thread that meets the region.  */
static void
accel_construct_fill (struct accel_thread *self, struct accel_team *team, const struct accel_construct *c)
{
  struct accel_work *d = accel_work_first (team);
  if (c->flags == ACCEL_CONSTRUCT_SECTIONS)
    accel_sections_fill (d, (unsigned) c->end);
  else
    accel_loop_fill (self, d, team->num_threads, c->flags, c->start, c->end, c->incr, c->chunk);
}

#pragma omp end declare target

#endif /* GOMPX_ACCEL_CONSTRUCT_H */
