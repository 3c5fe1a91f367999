/* A device that refuses the image: the program's regions run on the host.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=fail_image
   TEST-OUTPUT: the image of the program cannot be loaded, its regions run on the host: testImageLoad failed  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int x = 0;
#pragma omp target map(tofrom: x)
  x = 42;
  if (x != 42 || omp_get_num_devices () != 1)
    return printf ("x = %d, %d devices\n", x, omp_get_num_devices ()), 1;
  return 0;
}
