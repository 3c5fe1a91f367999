/* Shapes of launches: what the program leaves open fills the multiprocessors, what it asks for is kept,
   and no team has more threads than the kernel can have.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: FAKE_CUDA_MAX_THREADS=896
   TEST-ENV: FAKE_CUDA_REGISTERS=72
   TEST-ENV: GOMP_NVPTX_STACK_SIZE=1K
   TEST-ENV: FAKE_CUDA_MEMORY=1024
   TEST-ENV: GOMP_INFO=2
   TEST-OUTPUT: main\$_omp_fn\$0: 1 team of 28 threads, 1 at a time on each of 132 multiprocessors; 72 registers  */

#define _GNU_SOURCE 1

/* What region N does: 0 to 10 have loops with simd.  */
static const char *body (const char *name);
#define AUX_IMAGE_BODY(name) body (name)

#include "aux-image.h"
#include "aux-launch.h"

#include <omp.h>

enum { UNITS = 132, MOST = 28 };	/* of the stand-in */

#define LANES ".local .align 8 .b8 %simtstack_ar[136];\n"
#define PARALLEL "mov.u64 %r33,helper$_omp_fn$1;\n{\ncall GOMP_parallel,(%out_arg1);\n}\n"

static const char *
body (const char *name)
{
  switch (atoi (strrchr (name, '$') + 1))
    {
    case 11:			/* threads without simd */
      return PARALLEL;
    case 12:			/* neither */
    case 13:
      return "ld.u64 %r22,[%r25];\n{\ncall (%value_in),GOMP_teams4,(%out_arg1);\n}\n";
    case 14:			/* calls what is not known */
      return "{\ncall (%value_in),%r22,(%out_arg1),$proto;\n}\n";
    case 15:			/* leads to the others by calls and addresses */
      return "{\ncall main$_omp_fn$16,(%out_arg1);\n}\n";
    case 16:
      return "mov.u64 %r22,main$_omp_fn$0;\n";
    default:
      return LANES PARALLEL;
    }
}

static unsigned teams, warps, shared;
static uint64_t stack_bytes;
static _Atomic int nap;

static void
look (const struct fake_cuda_launch *launch)
{
  teams = launch->grid[0];
  for (int i = 0; i < 40 * nap; i++)
    aux_nap ();
  warps = launch->block[1];
  shared = launch->shared;
  stack_bytes = aux_param (launch, 2);
  if (launch->grid[1] != 1 || launch->grid[2] != 1 || launch->block[0] != 32
      || launch->block[2] != 1)
    teams = warps = 0;
}

int
main (void)
{
  for (unsigned i = 0; i < 17; i++)
    aux_region (i, look);

#pragma omp target
  { }
  CHECK (teams == 1 && warps == MOST);
  CHECK (stack_bytes == 1024);
  CHECK (shared == 0);		/* this library has no low-latency memory */
#pragma omp target teams
  { }
  CHECK (teams == UNITS && warps == MOST);
#pragma omp target teams num_teams (7)
  { }
  CHECK (teams == 7 && warps == MOST);
#pragma omp target teams num_teams (2 * UNITS)
  { }
  CHECK (teams == 2 * UNITS && warps == MOST / 2);
#pragma omp target teams num_teams (2000)
  { }
  CHECK (teams == 2000 && warps == 8);
#pragma omp target teams thread_limit (8)
  { }
  CHECK (teams == 3 * UNITS && warps == 8);
#pragma omp target teams thread_limit (1000)
  { }
  CHECK (teams == UNITS && warps == MOST);
#pragma omp target teams num_teams (5) thread_limit (3)
  { }
  CHECK (teams == 5 && warps == 3);
  omp_set_num_teams (11);
  /* That is the host's; the device has its own.  */
#pragma omp target teams
  { }
  CHECK (teams == UNITS && warps == MOST);
#pragma omp target parallel
  { }
  CHECK (teams == 1 && warps == MOST);
  /* More than memory allows: resident teams do it one after the other.  */
#pragma omp target teams num_teams (1000000) thread_limit (28)
  { }
  CHECK (teams >= UNITS && teams < 2000 && warps == MOST);

  for (int i = 0; i < 6; i++)
    {
      nap = i == 1 || i == 2;
#pragma omp target teams
      { }
      /* It was long the second and third time.  */
      CHECK (i < 3 ? teams == UNITS && warps == MOST : teams == 2 * UNITS && warps == 24);
    }
#pragma omp target
  { }
  CHECK (teams == 1 && warps == 1);
#pragma omp target teams
  { }
  CHECK (teams == 8 * UNITS && warps == 1);
#pragma omp target
  { }
  CHECK (teams == 1 && warps == MOST);
#pragma omp target
  { }
  CHECK (teams == 1 && warps == MOST);
#pragma omp target
  { }
  CHECK (teams == 1 && warps == MOST);
  return 0;
}
