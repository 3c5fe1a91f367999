/* OMP_NUM_TEAMS and OMP_TEAMS_THREAD_LIMIT of devices decide what clauses leave open.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: GOMP_NVPTX_STACK_SIZE=1K
   TEST-ENV: OMP_NUM_TEAMS=3
   TEST-ENV: OMP_NUM_TEAMS_DEV=21
   TEST-ENV: OMP_TEAMS_THREAD_LIMIT_DEV_0=6  */

#define _GNU_SOURCE 1
#define AUX_IMAGE_BODY(name) "call GOMP_parallel;\n.local .b8 %simtstack_ar[136];\n"
#include "aux-image.h"
#include "aux-launch.h"

static unsigned teams, warps;

static void
look (const struct fake_cuda_launch *launch)
{
  teams = launch->grid[0];
  warps = launch->block[1];
}

int
main (void)
{
  for (unsigned i = 0; i < 3; i++)
    aux_region (i, look);
#pragma omp target teams
  { }
  CHECK (teams == 21 && warps == 6);
#pragma omp target teams num_teams (4) thread_limit (5)
  { }
  CHECK (teams == 4 && warps == 5);
#pragma omp target
  { }
  /* GCC 12 does not tell such a region from one with num_teams (1).  */
  CHECK (teams == 1 && (warps == 32 || warps == 6));
  return 0;
}
