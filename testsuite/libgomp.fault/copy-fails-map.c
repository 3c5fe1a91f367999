/* A transfer of a map fails.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=fail_copy=1
   TEST-EXIT: 1
   TEST-OUTPUT: Copying of host object
   TEST-OUTPUT: as ordered by fail_copy
   TEST-OUTPUT: called from main  */

#include <stdio.h>

int
main (void)
{
  int x[100000];
  x[0] = 1;
#pragma omp target map(tofrom: x)
  x[0] = 42;
  printf ("the region ran: %d\n", x[0]);
  return 0;
}
