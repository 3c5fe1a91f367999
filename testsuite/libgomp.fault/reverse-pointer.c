/* An array descriptor in a reverse call, whose data is neither mapped nor listed.
   TEST-MODES: cpu
   TEST-OPTIONS: -I@srcdir@/libgomp.offload
   TEST-EXIT: 1
   TEST-OUTPUT: libgomp: Pointer target wasn't mapped \(reverse offload: the pointer at 0x[0-9a-f]+ of the device points to 0x[0-9a-f]+\)
   TEST-NO-OUTPUT: not reached  */

#include "aux-direct.h"

KERNEL (on_host)
{
  (void) on_host_arg;
  printf ("not reached\n");
}

KERNEL (region)
{
  struct { void *data; long bounds[5]; } descriptor = { &descriptor.bounds[4], { 0 } };
  (void) region_arg;
  CALL_HOST (on_host, ITEM (&descriptor, 24, TO_PSET), ITEM (&descriptor.data, 0, POINTER));
}

int
main (void)
{
  TARGET (region, ITEM (1, 0, VALUE));
  printf ("not reached\n");
  return 0;
}
