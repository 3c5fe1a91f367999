/* The host's part of a region brings a library with regions and runs one: the region waits for the host, and
   the driver for the region, so that is an error and not a wait for ever.
   TEST-ENV: FAKE_CUDA_SYNC=load,cuModuleLoadData,cuModuleUnload
   TEST-SHARED: reverse-dlopen-lib.c
   TEST-OPTIONS: -ldl
   TEST-EXIT: 1
   TEST-OUTPUT: reverse-dlopen-lib.so cannot be loaded by the host's part of a region that is still running  */

#define _GNU_SOURCE 1
#include "aux-reverse.h"
#include "aux-dlopen.h"

HOST_PART (brings)
{
  (void) brings_arg;
  printf ("run: %d\n", use_library ("./reverse-dlopen-lib.so", 1));
}

KERNEL (region)
{
  (void) region_arg;
}

static void
on_device (const struct fake_cuda_launch *launch)
{
  call_host (launch, "brings", 0, NULL, NULL, NULL);
}

int
main (void)
{
  FAKE_CUDA (fake_cuda_register) ("region", on_device);
  GOMP_target_ext (-1, region, 0, NULL, NULL, NULL, 0, NULL, NULL);
  return 0;
}
