/* A plugin that finds no device.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=zero
   TEST-ENV: GOMP_INFO=1
   TEST-OUTPUT: no device can be used: test: testGetCount found nothing  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  if (omp_get_num_devices () != 0)
    return printf ("%d devices\n", omp_get_num_devices ()), 1;
  return 0;
}
