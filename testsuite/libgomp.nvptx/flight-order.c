/* GCC's device library keeps the number of teams in a global of the image: regions that ask for the same
   number run at the same time, others do not.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: GOMP_NVPTX_STACK_SIZE=1K
   TEST-ENV: GOMP_INFO=2
   TEST-OUTPUT: regions that ask for different numbers of teams or threads do not run at the same time  */

#define _GNU_SOURCE 1
#include "aux-image.h"
#include "aux-launch.h"

enum { ROUNDS = 30 };

static _Atomic int arrived, bad, running[10];

static void
check_alone (unsigned teams)
{
  running[teams]++;
  for (int i = 0; i < 3; i++)
    {
      for (unsigned j = 0; j < 10; j++)
	if (j != teams && running[j] != 0)
	  bad = 1;
      aux_nap ();
    }
  running[teams]--;
}

static void
any (const struct fake_cuda_launch *launch)
{
  check_alone (launch->grid[0]);
}

/* Meets another one of its kind.  */
static void
pair (const struct fake_cuda_launch *launch)
{
  int n = atomic_fetch_add (&arrived, 1);
  if (!aux_await (&arrived, (n / 2 + 1) * 2))
    bad = 2;
  check_alone (launch->grid[0]);
}

int
main (void)
{
  aux_region (0, pair);
  aux_region (1, pair);
  aux_region (2, any);
  for (int round = 0; round < ROUNDS; round++)
    {
#pragma omp target teams num_teams (3) nowait
      { }
#pragma omp target teams num_teams (3) nowait
      { }
      for (int n = 4; n < 8; n++)
#pragma omp target teams num_teams (n) nowait
	{ }
      if (round % 4 == 3)
	{
#pragma omp taskwait
	}
    }
#pragma omp taskwait
  CHECK (bad != 2 /* equal ones run at the same time */);
  CHECK (bad == 0);
  return 0;
}
