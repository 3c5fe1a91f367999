/* All devices are left out by OMP_AVAILABLE_DEVICES: the line that says why there are none says
   so, and a suffix is an error.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=2
   TEST-ENV: OMP_AVAILABLE_DEVICES=uid(nobody)
   TEST-ENV: OMP_AVAILABLE_DEVICES_DEV=*
   TEST-ENV: OMP_TARGET_OFFLOAD=mandatory
   TEST-ENV: OMP_DISPLAY_ENV=true
   TEST-EXIT: 1
   TEST-OUTPUT: ^libgomp: Invalid environment variable in OMP_AVAILABLE_DEVICES_DEV=\*$
   TEST-OUTPUT: ^  \[all\] OMP_AVAILABLE_DEVICES = 'uid\(nobody\)'$
   TEST-OUTPUT: no device can be used: OMP_AVAILABLE_DEVICES leaves out 2 devices
   TEST-OUTPUT: OMP_TARGET_OFFLOAD is set to MANDATORY, but only the host device is available  */

#include <stdio.h>

int
main (void)
{
  int x = 1;
#pragma omp target map (tofrom: x)
  x = 2;
  printf ("the region ran: %d\n", x);
  return 0;
}
