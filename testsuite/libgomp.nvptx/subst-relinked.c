/* A program that was linked with our device library: it is set up as if the plugin had linked it, and two of its
   regions that ask for different numbers of teams run at the same time.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: GOMP_INFO=2
   TEST-ENV: GOMP_NVPTX_STACK_SIZE=1K
   TEST-OUTPUT: keeps its compiler's device library, by GOMP_NVPTX_DEVICE_LIBRARY
   TEST-NO-OUTPUT: do not run at the same time  */

#define _GNU_SOURCE 1
#define AUX_IMAGE_BODY(name) "{\ncall GOMP_parallel,(%out_arg1);\n}\n"
#define AUX_IMAGE_LIBRARY \
  "// BEGIN GLOBAL VAR DEF: gompx_plugin\n.visible .global .align 4 .u32 gompx_plugin[5];\n"
#include "aux-image.h"
#include "aux-launch.h"

static _Atomic int began;
static uint64_t words[3];
static uint32_t about[2];

/* Every region, told by its number of blocks.  */
static void
look (const struct fake_cuda_launch *launch)
{
  unsigned blocks = launch->grid[0], i = blocks == 3 ? 0 : blocks == 5 ? 1 : 2;
  words[i] = aux_param (launch, 0);
  if (i < 2)
    {
      atomic_fetch_add (&began, 1);
      CHECK (aux_await (&began, 2));
      return;
    }
  uint64_t at = ((__typeof__ (&fake_cuda_symbol)) aux_driver ("fake_cuda_symbol")) ("gompx_plugin", NULL);
  CHECK (at != 0);
  memcpy (about, (void *) at, sizeof (about));
}

int
main (void)
{
  for (unsigned i = 0; i < 8; i++)
    aux_region (i, look);
#pragma omp target teams num_teams (3) nowait
  { }
#pragma omp target teams num_teams (5) thread_limit (2) nowait
  { }
#pragma omp taskwait
  CHECK (began == 2);
  /* Numbers of teams that the program names need not be told.  */
  CHECK (words[0] >> 48 == 0 && words[1] >> 48 == 0);
#pragma omp target teams
  { }
  CHECK (words[2] >> 48 != 0);
  CHECK (about[0] == 1 && about[1] == 0);
  return 0;
}
