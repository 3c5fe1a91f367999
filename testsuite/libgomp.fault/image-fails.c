/* A device that refuses the image is not used: the program's regions run on the host, and what is mapped
   stays there, too.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=fail_image
   TEST-OUTPUT: cannot be used: the image of the program cannot be loaded: testImageLoad failed
   TEST-NO-OUTPUT: cannot be loaded.*cannot be loaded  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int x = 0, seen, present;
#pragma omp target map(tofrom: x)
  x = 42;
#pragma omp target data map(tofrom: x)
  {
    x = 43;
#pragma omp target map(x)
    x++;
#pragma omp target update from(x)
    seen = x;
    present = omp_target_is_present (&x, 0);
  }
  if (seen != 44 || present)
    return printf ("x = %d, %d in the data region\n", seen, present), 1;
  x -= 2;
  if (x != 42 || omp_get_num_devices () != 1)
    return printf ("x = %d, %d devices\n", x, omp_get_num_devices ()), 1;
  return 0;
}
