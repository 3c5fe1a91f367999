/* region.h -- lane regions, as warps see them: what region.c and region-loop.c share.  */

#ifndef GOMPX_LANES_REGION_H
#define GOMPX_LANES_REGION_H 1

#include "accel.h"

#pragma omp declare target

/* In run.c, for lanes: what the warps of a region run.  */
void gompx_lanes_run (void *);

/* The threads of a region that SELF meets with this num_threads clause (0: none).  */
unsigned gompx_lanes_size (struct accel_thread *self, unsigned num_threads);
/* SELF begins a region of N > 1 lanes, to be run by accel_active_run of gompx_lanes_run; the team is that of
   the warps.  */
struct accel_team *gompx_lanes_begin (struct accel_thread *self, unsigned n, unsigned flags,
				      void (*lane_fn) (void *));

#pragma omp end declare target

#endif /* GOMPX_LANES_REGION_H */
