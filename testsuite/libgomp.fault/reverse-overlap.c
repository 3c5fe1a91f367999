/* A list item of a reverse call contains an earlier one and more.
   TEST-MODES: cpu
   TEST-OPTIONS: -I@srcdir@/libgomp.offload
   TEST-EXIT: 1
   TEST-OUTPUT: libgomp: reverse offload: device range \[0x[0-9a-f]+\.\.0x[0-9a-f]+\) overlaps \[0x[0-9a-f]+\.\.0x[0-9a-f]+\) of the same construct
   TEST-NO-OUTPUT: not reached  */

#include "aux-direct.h"

KERNEL (on_host)
{
  (void) on_host_arg;
  printf ("not reached\n");
}

KERNEL (region)
{
  int local[10] = { 0 };
  (void) region_arg;
  CALL_HOST (on_host, ITEM (local + 2, 8, TO), ITEM (local, 40, TO));
}

int
main (void)
{
  TARGET (region, ITEM (1, 0, VALUE));
  printf ("not reached\n");
  return 0;
}
