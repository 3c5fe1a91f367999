/* A plugin of another version of the interface is not used; the next one is.
   TEST-ENV: GOMP_PLUGINS=testold,test
   TEST-ENV: GOMP_PLUGIN_PATH=/nowhere:@top_builddir@/testsuite/plugins/.libs
   TEST-ENV: GOMP_INFO=1
   TEST-OUTPUT: plugin testold: .*has version 77 of the plugin interface, this library has \d+
   TEST-OUTPUT: device 0: test device 0 \(test\), used  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int x = 1;
  if (omp_get_num_devices () != 1)
    return printf ("%d devices\n", omp_get_num_devices ()), 1;
#pragma omp target map(tofrom: x)
  x += 41;
  if (x != 42)
    return printf ("x = %d\n", x), 1;
  return 0;
}
