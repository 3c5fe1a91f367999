/* placement.h -- arithmetic: which place each thread of a team gets (OpenMP 5.2 section 10.1.3).

   Numbers only: nothing here knows CPUs or threads, and the same arguments always give the same
   answer, so that tests try it for machines that they do not have.  */

#ifndef GOMP_PLACEMENT_H
#define GOMP_PLACEMENT_H 1

#include "host/icv.h"

/* Neighbouring places: place-partition-var of an implicit task.  */
struct gomp_partition
{
  unsigned first, count;
};

/* Where a thread is, and where teams that it starts may go.  PLACE is in PARTITION.  */
struct gomp_seat
{
  unsigned place;
  struct gomp_partition partition;
};
#define GOMP_NO_PLACE UINT_MAX

/* What the places of a team follow from.  */
struct gomp_placement
{
  struct gomp_seat primary;	/* of the thread that starts the team */
  unsigned nthreads;
  unsigned policy;		/* enum gomp_proc_bind, not GOMP_BIND_FALSE */
};

/* The seat of thread NUM.  Thread 0 always stays on its place.  */
struct gomp_seat gomp_placement_seat (const struct gomp_placement *, unsigned num);

/* How many threads of a team that has more threads than places, or has policy
   GOMP_BIND_PRIMARY, share place PLACE of the partition.  */
unsigned gomp_placement_share (const struct gomp_placement *, unsigned place);

#endif /* GOMP_PLACEMENT_H */
