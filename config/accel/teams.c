/* teams.c -- the teams construct: which teams a block runs.

   Each block's initial thread asks in a loop for the next team to run.  How many there are depends only on what
   all blocks know (the clause, the launch word, the number of blocks), and block b of B runs
   teams b, b + B, ...: nobody needs to be asked.  A block without a team is told so at once.  */

#include "accel.h"

#pragma omp declare target

extern bool GOMP_teams4 (unsigned, unsigned, unsigned, bool);
extern void GOMP_teams_reg (void (*) (void *), void *, unsigned, unsigned, unsigned);

/* Within LOWER .. UPPER, where both are 0 without a clause.  */
static unsigned
how_many (const struct accel_block *block, unsigned lower, unsigned upper)
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

bool
GOMP_teams4 (unsigned lower, unsigned upper, unsigned thread_limit, bool first)
{
  struct accel_block *block = accel_block ();
  uint64_t team;

  if (first)
    {
      block->num_teams = how_many (block, lower, upper);
      if (thread_limit)
	{
	  struct accel_icv *icv = accel_icv_own (accel_self ());
	  int limit = thread_limit < (unsigned) INT32_MAX ? (int) thread_limit : INT32_MAX;
	  icv->thread_limit = limit;
	  /* Only where a kernel begins with a number (nvptx/lanes/region.c).  */
	  if (icv->nthreads > limit)
	    icv->nthreads = limit;
	}
      team = machine_block ();
    }
  else
    team = (uint64_t) block->team_num + machine_blocks ();

  if (team >= block->num_teams)
    return false;
  block->team_num = (unsigned) team;
  return true;
}

/* Teams on the host: never called on a device.  */
void
GOMP_teams_reg (void (*fn) (void *), void *data, unsigned num_teams, unsigned thread_limit,
		unsigned flags)
{
  (void) fn;
  (void) data;
  (void) num_teams;
  (void) thread_limit;
  (void) flags;
}

#pragma omp end declare target
