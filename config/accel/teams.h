/* teams.h -- what the ways to give out teams have in common: teams.c, order.c.  */

#ifndef GOMPX_ACCEL_TEAMS_H
#define GOMPX_ACCEL_TEAMS_H 1

#include "accel.h"

#pragma omp declare target

/* Within LOWER .. UPPER, where both are 0 without a clause.  */
static inline unsigned
accel_how_many_teams (const struct accel_block *block, unsigned lower, unsigned upper)
{
  unsigned blocks = machine_blocks ();
  if (upper == 0)
    {
      int icv = __gomp_additional_icvs[2];
      if (icv > 0)
	return (unsigned) icv < blocks ? (unsigned) icv : blocks;
      unsigned wanted = GOMPX_LAUNCH_TEAMS (block->word);
      return wanted ? wanted : blocks;
    }
  if (blocks > upper)
    return upper;
  return blocks < lower ? lower : blocks;
}

/* A block comes to a teams construct.  */
static inline void
accel_teams_begin (struct accel_block *block, unsigned lower, unsigned upper, unsigned thread_limit)
{
  block->num_teams = accel_how_many_teams (block, lower, upper);
  /* teams-thread-limit-var.  */
  if (thread_limit == 0 && __gomp_additional_icvs[3] > 0)
    thread_limit = __gomp_additional_icvs[3];
  if (thread_limit)
    {
      struct accel_icv *icv = accel_icv_own (accel_self ());
      int limit = thread_limit < (unsigned) INT32_MAX ? (int) thread_limit : INT32_MAX;
      icv->thread_limit = limit;
      /* Only where a kernel begins with a number (nvptx/lanes/region.c).  */
      if (icv->nthreads > limit)
	icv->nthreads = limit;
    }
}

#pragma omp end declare target

#endif /* GOMPX_ACCEL_TEAMS_H */
