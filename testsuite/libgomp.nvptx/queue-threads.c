/* 24 threads offload at the same time, and leave nothing behind.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: GOMP_NVPTX_STACK_SIZE=1K
   TEST-ENV: FAKE_CUDA_LEAKS=1  */

#define _GNU_SOURCE 1
#include "aux-image.h"
#include "aux-launch.h"

#include <omp.h>

enum { THREADS = 24, ROUNDS = 15, N = 50 };

int
main (void)
{
  int bad = 0;

#pragma omp parallel num_threads (THREADS) reduction(+: bad)
  for (int round = 0; round < ROUNDS; round++)
    {
      int a[N], b = round;
      for (int i = 0; i < N; i++)
	a[i] = i;
#pragma omp target map(tofrom: a) firstprivate(b)
      for (int i = 0; i < N; i++)
	a[i] += b;
#pragma omp target teams distribute num_teams (round % 3 + 1) map(tofrom: a)
      for (int i = 0; i < N; i++)
	a[i] *= 2;
      for (int i = 0; i < N; i++)
	bad += a[i] != 2 * (i + round);
    }
  CHECK (bad == 0);
  CHECK (omp_pause_resource_all (omp_pause_hard) == 0);
  return 0;
}
