/* Shapes of launches for kernels with so few registers that a multiprocessor holds more threads than a
   team can have: two teams on each, from the first launch on, and as large as they fit.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: FAKE_CUDA_REGISTERS=36
   TEST-ENV: GOMP_NVPTX_STACK_SIZE=1K
   TEST-ENV: FAKE_CUDA_MEMORY=1024  */

#define _GNU_SOURCE 1

static const char *body (const char *name);
#define AUX_IMAGE_BODY(name) body (name)

#include "aux-image.h"
#include "aux-launch.h"

enum { UNITS = 132, MOST = 32, PAIR = 25 };	/* 25 * 40 * 32 registers are a bit less than half */

static const char *
body (const char *name)
{
  static const char plain[] = "mov.u64 %r33,helper$_omp_fn$1;\n{\ncall GOMP_parallel,(%out_arg1);\n}\n";
  return atoi (strrchr (name, '$') + 1) == 0 ? plain
	 : ".local .align 8 .b8 %simtstack_ar[136];\n{\ncall GOMP_parallel,(%out_arg1);\n}\n";
}

static unsigned teams, warps;

static void
look (const struct fake_cuda_launch *launch)
{
  teams = launch->grid[0];
  warps = launch->block[1];
  for (int i = 0; i < 40; i++)
    aux_nap ();
}

int
main (void)
{
  for (unsigned i = 0; i < 6; i++)
    aux_region (i, look);
  for (int i = 0; i < 6; i++)
    {
#pragma omp target teams
      { }
      /* However long it takes.  */
      CHECK (teams == 2 * UNITS && warps == PAIR);
    }
#pragma omp target teams
  { }
  CHECK (teams == 2 * UNITS && warps == PAIR);
#pragma omp target
  { }
  CHECK (teams == 1 && warps == MOST);
#pragma omp target teams num_teams (UNITS)
  { }
  CHECK (teams == UNITS && warps == MOST);
#pragma omp target teams num_teams (UNITS + 1)
  { }
  CHECK (teams == UNITS + 1 && warps == PAIR);
#pragma omp target teams num_teams (3 * UNITS)
  { }
  CHECK (teams == 3 * UNITS && warps == 17);
  return 0;
}
