/* A copy whose construct did not wait for it fails, and the device is lost: the next construct tells.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: FAKE_CUDA_FAIL=copy:1:700
   TEST-EXIT: 1
   TEST-OUTPUT: sent
   TEST-OUTPUT: device 0 .* is lost
   TEST-NO-OUTPUT: gone on  */

#define _GNU_SOURCE 1
#include "aux-fake.h"
#include "aux-image.h"

int
main (void)
{
  static int x[16];
  /* Otherwise the copy may fail so early that its own construct tells.  */
  FAKE_CUDA (fake_cuda_hold) (true);
#pragma omp target enter data map (to: x)
  printf ("sent\n");
  fflush (stdout);
  FAKE_CUDA (fake_cuda_hold) (false);
#pragma omp target map (alloc: x)
  x[0]++;
  printf ("gone on\n");
  return 0;
}
