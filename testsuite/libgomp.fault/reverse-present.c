/* A reverse call with the present modifier for data that is not mapped.
   TEST-MODES: cpu
   TEST-OPTIONS: -I@srcdir@/libgomp.offload
   TEST-EXIT: 1
   TEST-OUTPUT: libgomp: present clause: no corresponding data on parent device at 0x[0-9a-f]+ with size 12$
   TEST-NO-OUTPUT: not reached  */

#include "aux-direct.h"

KERNEL (on_host)
{
  (void) on_host_arg;
  printf ("not reached\n");
}

KERNEL (region)
{
  int local[3] = { 0 };
  (void) region_arg;
  CALL_HOST (on_host, ITEM (local, sizeof (local), PRESENT));
}

int
main (void)
{
  TARGET (region, ITEM (1, 0, VALUE));
  printf ("not reached\n");
  return 0;
}
