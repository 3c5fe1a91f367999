/* A device that cannot be opened: told once, the regions run on the host, the device keeps its
   number.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=fail_open
   TEST-OUTPUT: device 0 \(test device 0\) cannot be used: testOpen failed: as ordered
   TEST-NO-OUTPUT: cannot be used.*cannot be used  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int x = 0;
  for (int i = 0; i < 3; i++)
#pragma omp target map(tofrom: x)
    x += 14;
  if (x != 42 || omp_get_num_devices () != 1 || omp_target_alloc (8, 0) != NULL)
    return printf ("x = %d, %d devices\n", x, omp_get_num_devices ()), 1;
  return 0;
}
