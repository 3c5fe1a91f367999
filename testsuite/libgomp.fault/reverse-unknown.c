/* Device code calls a function of the host that is in no table.
   TEST-MODES: cpu
   TEST-OPTIONS: -I@srcdir@/libgomp.offload
   TEST-EXIT: 1
   TEST-OUTPUT: libgomp: Cannot find reverse-offload function \(0x[0-9a-f]+, called by device 0\)
   TEST-NO-OUTPUT: not reached  */

#include "aux-direct.h"

static void
not_listed (void *arg)
{
  (void) arg;
  printf ("not reached\n");
}

KERNEL (region)
{
  (void) region_arg;
  CALL_HOST (not_listed, ITEM (1, 0, VALUE));
}

int
main (void)
{
  TARGET (region, ITEM (1, 0, VALUE));
  printf ("not reached\n");
  return 0;
}
