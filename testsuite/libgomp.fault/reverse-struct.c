/* Members of a structure in a reverse call, of which only one is mapped on the device.
   TEST-MODES: cpu
   TEST-OPTIONS: -I@srcdir@/libgomp.offload
   TEST-EXIT: 1
   TEST-OUTPUT: libgomp: reverse offload: structure element \[0x[0-9a-f]+\.\.0x[0-9a-f]+\) is not mapped on the device
   TEST-NO-OUTPUT: not reached  */

#include "aux-direct.h"

struct { int a, b, c, d; } s;

KERNEL (on_host)
{
  (void) on_host_arg;
  printf ("not reached\n");
}

KERNEL (region)
{
  char *base = ((char **) region_arg)[0];
  CALL_HOST (on_host, ITEM (base, 2, STRUCT), ITEM (base + 4, 4, TO), ITEM (base + 12, 4, TO));
}

int
main (void)
{
  TARGET (region, ITEM (&s, 2, STRUCT), ITEM (&s.b, 4, TO), ITEM (&s.c, 4, TO));
  printf ("not reached\n");
  return 0;
}
