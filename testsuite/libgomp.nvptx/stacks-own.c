/* Kernels in flight do not share soft stacks; those of complete ones are used again.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: GOMP_NVPTX_STACK_SIZE=16K  */

#define _GNU_SOURCE 1
#include "aux-image.h"
#include "aux-launch.h"

enum { AT_ONCE = 6, ROUNDS = 40 };

static _Atomic int running, bad;
static struct { uint64_t start, end; } area[AT_ONCE];

/* All of a round are in flight at the same time.  */
static void
together (const struct fake_cuda_launch *launch)
{
  uint64_t start = aux_param (launch, 1);
  int i = atomic_fetch_add (&running, 1) % AT_ONCE;
  area[i].start = start;
  area[i].end = start + aux_param (launch, 2) * launch->grid[0] * launch->block[1];
  if (aux_param (launch, 2) != 16 << 10 || start % 16 != 0)
    bad = 1;
  static _Atomic int arrived;
  int n = atomic_fetch_add (&arrived, 1);
  if (!aux_await (&arrived, (n / AT_ONCE + 1) * AT_ONCE))
    bad = 2;
}

int
main (void)
{
  unsigned long blocks = 0;

  aux_region (0, together);
  for (int round = 0; round < ROUNDS; round++)
    {
      for (int i = 0; i < AT_ONCE; i++)
#pragma omp target nowait
	{ }
#pragma omp taskwait
      CHECK (bad != 2 /* they run at the same time */);
      CHECK (bad == 0);
      for (int i = 0; i < AT_ONCE; i++)
	for (int j = 0; j < i; j++)
	  CHECK (area[i].end <= area[j].start || area[j].end <= area[i].start);
      if (round == ROUNDS / 2)
	blocks = aux_calls ("cuMemAlloc_v2");
    }
  CHECK (aux_calls ("cuMemAlloc_v2") == blocks);
  return 0;
}
