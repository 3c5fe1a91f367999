/* MANDATORY and a device that cannot be opened.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=fail_open
   TEST-ENV: OMP_TARGET_OFFLOAD=MANDATORY
   TEST-EXIT: 1
   TEST-OUTPUT: cannot be used: testOpen failed
   TEST-OUTPUT: OMP_TARGET_OFFLOAD is set to MANDATORY, but device cannot be used for offloading  */

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
