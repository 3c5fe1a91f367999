/* The same within one construct; the other order is fine.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: Trying to map into device .* is already mapped */
#include "../libgomp.offload/aux-direct.h"

static int a[10];

int
main (void)
{
  need_device ();
  ENTER (ITEM (a, 40, TO), ITEM (&a[2], 8, TO));
  EXIT (ITEM (a, 40, DELETE));
  ENTER (ITEM (&a[2], 8, TO), ITEM (a, 40, TO));
  return 0;
}
