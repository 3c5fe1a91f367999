/* A plugin that does not exist disables only itself, and the reason can be read.
   TEST-ENV: GOMP_PLUGINS=nosuch
   TEST-ENV: GOMP_INFO=1
   TEST-OUTPUT: no device can be used: nosuch: .*libgomp-plugin-nosuch.so.1.*cannot open  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int x = 1;
  if (omp_get_num_devices () != 0)
    return printf ("%d devices\n", omp_get_num_devices ()), 1;
#pragma omp target map(tofrom: x)
  x += omp_is_initial_device () ? 41 : 0;
  if (x != 42)
    return printf ("x = %d\n", x), 1;
  return 0;
}
