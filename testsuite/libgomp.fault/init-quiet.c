/* A machine that simply has no device is no news.
   TEST-MODES: host
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
