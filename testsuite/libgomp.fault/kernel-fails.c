/* A region fails while it runs, without killing the device.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=fail_kernel=2
   TEST-EXIT: 1
   TEST-OUTPUT: first 42
   TEST-OUTPUT: device 0 \(test device 0\): .*testEventStatus: an operation failed \(driver error\)  */

#include <stdio.h>

int
main (void)
{
  int x = 0;
#pragma omp target map(tofrom: x)
  x = 42;
  printf ("first %d\n", x);
  fflush (stdout);
#pragma omp target map(tofrom: x)
  x = 43;
  printf ("second %d\n", x);
  return 0;
}
