/* target exit data with a section of negative length says so, instead of doing nothing.
   TEST-MODES: cpu
   TEST-EXIT: 1
   TEST-OUTPUT: Trying to unmap -8 bytes at 0x[0-9a-f]+, more than there can be
   TEST-OUTPUT: is the length of the array section negative */
#include <omp.h>

int zeros[100];

int
main (void)
{
  int *p = zeros;
  volatile int n = -2;

  if (omp_get_num_devices () == 0)
    return 77;
#pragma omp target enter data map(to: p[:50])
#pragma omp target exit data map(from: p[:n])
  return 0;
}
