/* Starting a region fails.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=fail_launch=1
   TEST-EXIT: 1
   TEST-OUTPUT: device 0 \(test device 0\): .*testLaunch failed: as ordered by fail_launch \(driver error\)
   TEST-OUTPUT: construct: target \(main._omp_fn.0\), called from main  */

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
