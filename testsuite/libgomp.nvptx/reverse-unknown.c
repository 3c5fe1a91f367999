/* A reverse call of a function that no image has: nothing is called, one message says so.
   TEST-EXIT: 1
   TEST-OUTPUT: libgomp: .*Cannot find reverse-offload function \(0x1234, called by device 0\)  */

#define _GNU_SOURCE 1
#include "aux-reverse.h"

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
  uint64_t variable = FAKE_CUDA (fake_cuda_symbol) ("__gomp_rev_offload_var", NULL);
  struct reverse_block *block = *(struct reverse_block **) (uintptr_t) variable;
  (void) launch;
  block->mapnum = 0;
  atomic_store_explicit (&block->function, 0x1234, memory_order_release);
  while (atomic_load_explicit (&block->function, memory_order_acquire) != 0)
    sched_yield ();
}

int
main (void)
{
  FAKE_CUDA (fake_cuda_register) ("region", on_device);
  GOMP_target_ext (-1, region, 0, NULL, NULL, NULL, 0, NULL, NULL);
  return 0;
}
