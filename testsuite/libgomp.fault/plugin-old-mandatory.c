/* No usable plugin and MANDATORY: every plugin's reason, then the end.
   TEST-ENV: GOMP_PLUGINS=testold,nosuch,../test
   TEST-ENV: GOMP_PLUGIN_PATH=@top_builddir@/testsuite/plugins/.libs
   TEST-ENV: OMP_TARGET_OFFLOAD=MANDATORY
   TEST-EXIT: 1
   TEST-OUTPUT: no device can be used: testold: .*version 77.*; nosuch: .*; ../test: not the name of a plugin
   TEST-OUTPUT: OMP_TARGET_OFFLOAD is set to MANDATORY, but only the host device is available  */

#include <stdio.h>

int
main (void)
{
  int x = 1;
#pragma omp target map(tofrom: x)
  x = 2;
  printf ("the region ran: %d\n", x);
  return 0;
}
