/* The present modifier does not find a link variable that is not mapped, on no directive.
   TEST-MODES: cpu
   TEST-EXIT: 1
   TEST-OUTPUT: present clause: not present on the device \(addr: 0x[0-9a-f]+, size: 16 \(0x10\), dev: 0\) */
#include "../libgomp.offload/aux-direct.h"

int linked[4];
#pragma omp declare target link (linked)

int
main (void)
{
  need_device ();
  ENTER (ITEM (linked, 16, TO));
  ENTER (ITEM (linked, 16, PRESENT));
  UPDATE (ITEM (linked, 16, ALWAYS_PRESENT_TO));
  EXIT (ITEM (linked, 16, DELETE));
  UPDATE (ITEM (linked, 16, TO));
  UPDATE (ITEM (linked, 16, ALWAYS_PRESENT_TO));
  puts ("found");
  return 0;
}
