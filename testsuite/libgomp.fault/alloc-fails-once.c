/* An allocation that fails once is tried again with less.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=fail_alloc=1  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int x = 0, host = 1;
#pragma omp target map(tofrom: x) map(from: host)
  {
    x = 42;
    host = 0;
  }
  if (x != 42)
    return printf ("x = %d\n", x), 1;
  return 0;
}
