/* Every number of teams that a clause allows: over all blocks, each team runs once, in as many teams as the clause
   says.  The blocks are gone through one after the other, as if each had the device for itself.  */
/* TEST-OPTIONS: -I@top_srcdir@/testsuite/lib/accel-host -I@top_srcdir@/config/accel -I@top_srcdir@/config/nvptx -Wno-unknown-pragmas -DGOMP_teams4=split_teams4 -DGOMP_teams_reg=split_teams_reg */

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What teams.c wants of machine.h, which this takes the place of.  */
#define GOMPX_MACHINE_H 1
#define ACCEL_MAX_THREADS 32u
static unsigned block_number, blocks;
static void *shared;
static unsigned machine_thread (void) { return 0; }
static unsigned machine_block (void) { return block_number; }
static unsigned machine_blocks (void) { return blocks; }
static void *machine_shared (void) { return shared; }
static void machine_barrier (unsigned id, unsigned count) { (void) id; (void) count; }
#define machine_own32(STRIDE, OFFSET) 0u
#define machine_shared32(OFFSET) 0u

#include "teams.c"

int __gomp_additional_icvs[4];
static struct accel_block state;
static unsigned char ran[4096];

/* How many teams there were; aborts if one did not run exactly once.  */
static unsigned
run (unsigned lower, unsigned upper, unsigned launch_teams)
{
  unsigned n = 0, count = 0;
  memset (ran, 0, sizeof ran);
  for (block_number = 0; block_number < blocks; block_number++)
    {
      memset (&state, 0xa5, sizeof state);
      state.word = (uint64_t) launch_teams << 52;
      state.threads[0].icv = &state.initial_icv;
      state.threads[0].own_icv = &state.initial_own_icv;
      for (bool first = true; GOMP_teams4 (lower, upper, 5, first); first = false)
	{
	  if (state.team_num >= sizeof ran || ran[state.team_num]++)
	    abort ();
	  if (count && state.num_teams != count)
	    abort ();
	  if (state.threads[0].icv->thread_limit != 5)
	    abort ();
	  count = state.num_teams;
	  n++;
	}
    }
  if (n != count || memchr (ran, 0, n))
    abort ();
  return n;
}

static void
expect (unsigned have, unsigned want, unsigned lower, unsigned upper)
{
  if (have != want)
    {
      printf ("%u blocks, num_teams (%u:%u): %u teams, not %u\n", blocks, lower, upper, have, want);
      exit (1);
    }
}

int
main (void)
{
  shared = &state;
  for (blocks = 1; blocks <= 12; blocks++)
    {
      for (unsigned upper = 1; upper <= 30; upper++)
	for (unsigned lower = 1; lower <= upper; lower++)
	  expect (run (lower, upper, 0), blocks < lower ? lower : blocks > upper ? upper : blocks,
		  lower, upper);
      /* No clause: the ICV, the launch word, the blocks.  */
      expect (run (0, 0, 0), blocks, 0, 0);
      expect (run (0, 0, 3), 3, 0, 0);
      expect (run (0, 0, 1000), 1000, 0, 0);
      __gomp_additional_icvs[2] = 5;
      expect (run (0, 0, 1000), blocks < 5 ? blocks : 5, 0, 0);
      expect (run (7, 7, 1000), 7, 7, 7);
      __gomp_additional_icvs[2] = 0;
    }

  /* Numbers beyond 2^31 and near the end: the last block's sum must not wrap.  */
  blocks = 7;
  block_number = 6;
  state.threads[0].icv = &state.initial_icv;
  state.threads[0].own_icv = &state.initial_own_icv;
  if (!GOMP_teams4 (UINT_MAX, UINT_MAX, 0, true))
    abort ();
  state.team_num = UINT_MAX - 3;
  if (GOMP_teams4 (UINT_MAX, UINT_MAX, 0, false))
    abort ();
  return 0;
}
