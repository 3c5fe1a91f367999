/* A reverse call with a map kind that does not belong there.
   TEST-MODES: cpu
   TEST-OPTIONS: -I@srcdir@/libgomp.offload
   TEST-EXIT: 1
   TEST-OUTPUT: libgomp: gomp_target_rev unhandled kind 0x0307 \(list item 1 at 0x
   TEST-NO-OUTPUT: not reached  */

#include "aux-direct.h"

KERNEL (on_host)
{
  (void) on_host_arg;
  printf ("not reached\n");
}

KERNEL (region)
{
  int local = 0;
  (void) region_arg;
  CALL_HOST (on_host, ITEM (5, 0, VALUE), ITEM (&local, 4, DELETE | ALIGNED (3)));
}

int
main (void)
{
  TARGET (region, ITEM (1, 0, VALUE));
  printf ("not reached\n");
  return 0;
}
