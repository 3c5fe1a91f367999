/* present on target.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: present clause: not present on the device \(addr: 0x[0-9a-f]+, size: 16 \(0x10\), dev: 0\) */
#include "../libgomp.offload/aux-direct.h"

static int a[4];

KERNEL (nothing)
{
  (void) nothing_arg;
}

int
main (void)
{
  need_device ();
  TARGET (nothing, ITEM (a, 16, PRESENT));
  return 0;
}
