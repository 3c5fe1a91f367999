/* present for a member of a struct that is not mapped.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: present clause: not present on the device \(addr: 0x[0-9a-f]+, size: 16 \(0x10\), dev: 0\) */
#include "../libgomp.offload/aux-direct.h"

static struct { int a[4], b; } s;

int
main (void)
{
  need_device ();
  DATA (ITEM (&s, 2, STRUCT), ITEM (s.a, 16, ALWAYS_PRESENT_TO), ITEM (&s.b, 4, TO));
  return 0;
}
