/* A call by slots of a function that no image has: nothing is called, one message says so.
   TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/config/accel -I@top_srcdir@/testsuite/lib/accel-host
   TEST-EXIT: 1
   TEST-OUTPUT: libgomp: .*Cannot find reverse-offload function \(0x1234, called by device 0\)
   TEST-NO-OUTPUT: called$|came back  */

#define _GNU_SOURCE 1
#include "aux-slots.h"

HOST_PART (nothing)
{
  (void) nothing_arg;
  printf ("called\n");
}

KERNEL (region)
{
  (void) region_arg;
}

static void
on_device (const struct fake_cuda_launch *launch)
{
  (void) launch;
  slots_kernel ();
  slots_target ((void *) 0x1234, 0, NULL, NULL, NULL);
}

int
main (void)
{
  FAKE_CUDA (fake_cuda_register) ("region", on_device);
  GOMP_target_ext (-1, region, 0, NULL, NULL, NULL, 0, NULL, NULL);
  printf ("the region came back\n");
  return 0;
}
