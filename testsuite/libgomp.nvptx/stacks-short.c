/* When memory is short, regions get fewer teams, on what there is of soft stacks, and all are
   executed; one that several threads start at the same time may wait for another's.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: FAKE_CUDA_MEMORY=64
   TEST-ENV: GOMP_INFO=2
   TEST-OUTPUT: memory is short: soft stacks for [0-9]+ teams of 264, 128 KiB a thread instead of 128  */

#define _GNU_SOURCE 1
#define AUX_IMAGE_BODY(name) "call GOMP_parallel;\n.local .b8 %simtstack_ar[136];\n"
#include "aux-image.h"
#include "aux-launch.h"

enum { ROUNDS = 20, AT_ONCE = 12 };

static _Atomic int launches, bad;
static struct { _Atomic uint64_t start, end; } area[64];

static void
look (const struct fake_cuda_launch *launch)
{
  uint64_t start = aux_param (launch, 1);
  uint64_t end = start + aux_param (launch, 2) * launch->grid[0] * launch->block[1];
  int mine = -1;

  atomic_fetch_add (&launches, 1);
  for (int i = 0; i < 64; i++)
    {
      uint64_t none = 0;
      if (mine < 0 && atomic_compare_exchange_strong (&area[i].end, &none, end))
	{
	  area[i].start = start;
	  mine = i;
	}
    }
  for (int i = 0; i < 64; i++)
    {
      uint64_t s = area[i].start, e = area[i].end;
      if (i != mine && e != 0 && s != 0 && start < e && s < end)
	bad = 1;
    }
  aux_nap ();
  area[mine].start = 0;
  area[mine].end = 0;
}

int
main (void)
{
  aux_region (0, look);
  aux_region (1, look);
#pragma omp target teams
  { }
  CHECK (launches == 1);
  for (int round = 0; round < ROUNDS; round++)
    {
      for (int i = 0; i < AT_ONCE; i++)
#pragma omp target teams nowait
	{ }
#pragma omp taskwait
    }
  CHECK (launches == 1 + ROUNDS * AT_ONCE);
  CHECK (!bad);
  return 0;
}
