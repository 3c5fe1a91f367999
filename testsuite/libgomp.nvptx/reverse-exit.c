/* exit in a reverse call ends the program, although the kernel waits for the answer.
   TEST-EXIT: 3
   TEST-OUTPUT: handler  */

#define _GNU_SOURCE 1
#include "aux-reverse.h"

HOST_PART (leaver)
{
  (void) leaver_arg;
  exit (3);
}

KERNEL (region)
{
  (void) region_arg;
}

static void
on_device (const struct fake_cuda_launch *launch)
{
  call_host (launch, "leaver", 0, NULL, NULL, NULL);
  printf ("the call came back\n");
}

static void
handler (void)
{
  printf ("handler\n");
}

int
main (void)
{
  atexit (handler);
  FAKE_CUDA (fake_cuda_register) ("region", on_device);
  GOMP_target_ext (-1, region, 0, NULL, NULL, NULL, 0, NULL, NULL);
  printf ("the region came back\n");
  return 1;
}
