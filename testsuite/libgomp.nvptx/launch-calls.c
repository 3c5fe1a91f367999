/* An empty region is one launch and one mark of the stream: nothing else is asked of the driver, but
   for the current context.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: OMP_WAIT_POLICY=active  */

#define _GNU_SOURCE 1
#include "aux-image.h"
#include "aux-launch.h"

enum { ROUNDS = 50 };

static const char *const names[] =
{
  "cuLaunchKernel", "cuStreamWriteValue32_v2", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2",
  "cuMemAlloc_v2", "cuMemFree_v2", "cuMemHostAlloc", "cuEventCreate", "cuStreamCreate",
  "cuMemsetD32Async", "cuOccupancyMaxActiveBlocksPerMultiprocessor", "cuFuncGetAttribute",
  "cuModuleGetFunction", "cuCtxSynchronize", "cuStreamSynchronize"
};
enum { NAMES = sizeof (names) / sizeof (names[0]) };

static void
nothing (const struct fake_cuda_launch *launch)
{
  (void) launch;
}

int
main (void)
{
  unsigned long before[NAMES];

  aux_region (0, nothing);
  for (int i = -1; i < ROUNDS; i++)
    {
      if (i == 0)
	for (int j = 0; j < NAMES; j++)
	  before[j] = aux_calls (names[j]);
#pragma omp target
      { }
    }
  for (int j = 0; j < NAMES; j++)
    {
      unsigned long calls = aux_calls (names[j]) - before[j], expected = j < 2 ? ROUNDS : 0;
      if (calls != expected)
	{
	  printf ("%lu calls of %s, expected %lu\n", calls, names[j], expected);
	  return 1;
	}
    }
  return 0;
}
