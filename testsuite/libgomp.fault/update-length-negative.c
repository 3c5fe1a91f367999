/* target update with a section of negative length says so, instead of doing nothing.
   TEST-MODES: cpu
   TEST-EXIT: 1
   TEST-OUTPUT: Trying to update -1 bytes at 0x[0-9a-f]+, more than there can be
   TEST-OUTPUT: is the length of the array section negative */
#include <omp.h>

char zeros[100];

int
main (void)
{
  char *p = zeros;
  volatile int n = -1;

  if (omp_get_num_devices () == 0)
    return 77;
#pragma omp target enter data map(to: p[:50])
#pragma omp target update to(p[:n])
  return 0;
}
