/* Without GOMP_INFO, GOMP_DEBUG or MANDATORY a missing device is no news.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=fail_init
   TEST-NO-OUTPUT: libgomp  */

#include <stdio.h>

int
main (void)
{
  int x = 0;
#pragma omp target map(tofrom: x)
  x = 42;
  if (x != 42)
    return printf ("x = %d\n", x), 1;
  return 0;
}
