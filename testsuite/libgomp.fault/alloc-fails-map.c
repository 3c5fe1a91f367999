/* No device memory for a map: the end, with the address and the size.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=fail_alloc=0
   TEST-EXIT: 1
   TEST-OUTPUT: device memory allocation fail  */

#include <stdio.h>

int
main (void)
{
  int x = 0;
#pragma omp target map(tofrom: x)
  x = 42;
  printf ("the region ran: %d\n", x);
  return 0;
}
