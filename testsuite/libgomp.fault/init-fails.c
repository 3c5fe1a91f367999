/* A plugin whose initialisation fails: its own words are told.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=fail_init
   TEST-ENV: GOMP_DEBUG=1
   TEST-OUTPUT: no device can be used: test: testInit failed: as ordered by fail_init  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int x = 0;
#pragma omp target map(tofrom: x)
  x = 42;
  if (x != 42 || omp_get_num_devices () != 0)
    return printf ("x = %d, %d devices\n", x, omp_get_num_devices ()), 1;
  return 0;
}
