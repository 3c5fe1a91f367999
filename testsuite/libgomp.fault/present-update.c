/* present on update.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: present clause: not present on the device \(addr: 0x[0-9a-f]+, size: 16 \(0x10\), dev: 0\) */
#include "../libgomp.offload/aux-direct.h"

static int a[4];

int
main (void)
{
  need_device ();
  UPDATE (ITEM (a, 16, TO));		/* without it: ignored */
  UPDATE (ITEM (a, 16, ALWAYS_PRESENT_FROM));
  return 0;
}
