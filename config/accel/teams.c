/* teams.c -- the teams construct: which teams a block runs.

   Each block's initial thread asks in a loop for the next team to run.  How many there are depends only on what
   all blocks know (the clause, the launch word, the number of blocks), and block b of B runs
   teams b, b + B, ...: nobody needs to be asked.  A block without a team is told so at once.  Teams that add their parts in
   order are given out otherwise (order.c).  */

#include "teams.h"

#pragma omp declare target

extern bool GOMP_teams4 (unsigned, unsigned, unsigned, bool);
extern void GOMP_teams_reg (void (*) (void *), void *, unsigned, unsigned, unsigned);

bool
GOMP_teams4 (unsigned lower, unsigned upper, unsigned thread_limit, bool first)
{
  struct accel_block *block = accel_block ();
  uint64_t team;

  if (first)
    {
      accel_teams_begin (block, lower, upper, thread_limit);
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
