/* The other image of reverse-images.c.  */

#define _GNU_SOURCE 1
#include "aux-reverse.h"

atomic_int arrived;
static int calls, wanted;

HOST_PART (theirs)
{
  (void) theirs_arg;
  calls++;
}

KERNEL (other_region)
{
  (void) other_region_arg;
}

static void
on_device (const struct fake_cuda_launch *launch)
{
  atomic_fetch_add (&arrived, 1);
  while (atomic_load (&arrived) < 2)
    sched_yield ();
  for (int i = 0; i < wanted; i++)
    call_host (launch, "theirs", 0, NULL, NULL, NULL);
}

int
run_other (int n)
{
  wanted = n;
  FAKE_CUDA (fake_cuda_register) ("other_region", on_device);
  GOMP_target_ext (-1, other_region, 0, NULL, NULL, NULL, 0, NULL, NULL);
  return calls;
}
