/* Constructs that send a little return although it does not arrive: the driver never ends its copies.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: FAKE_CUDA_HANG=copy:1
   TEST-OUTPUT: all have returned  */

#define _GNU_SOURCE 1
#include "aux-image.h"

#include <unistd.h>

int
main (void)
{
  static int x[16], y[1024];
#pragma omp target enter data map (to: x)
  for (int i = 0; i < 4; i++)
    {
      x[i] = i;
#pragma omp target update to (x[i:1])
    }
#pragma omp target enter data map (to: y)
  printf ("all have returned\n");
  fflush (stdout);
  _exit (0);
}
