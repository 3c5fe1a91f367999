/* A section of bytes whose length is -1, of memory that holds zeros: not an iterator without elements.
   TEST-MODES: cpu
   TEST-EXIT: 1
   TEST-OUTPUT: Trying to map into device -1 bytes at 0x[0-9a-f]+, more than there can be
   TEST-OUTPUT: ^    0x[0-9a-f]+, -1, tofrom */
#include <omp.h>

char zeros[100];

int
main (void)
{
  char *p = zeros;
  volatile int n = -1;

  if (omp_get_num_devices () == 0)
    return 77;
#pragma omp target map(tofrom: p[:n])
  p[0] = 1;
  return 0;
}
