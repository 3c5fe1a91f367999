/* More detaches than attaches.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: attach count underflow */
#include "../libgomp.offload/aux-direct.h"

static int a[4], *p = a;

int
main (void)
{
  need_device ();
  ENTER (ITEM (&p, 8, TO), ITEM (a, 16, TO), ITEM (&p, 0, ATTACH));
  EXIT (ITEM (&p, 0, DETACH));
  EXIT (ITEM (&p, 0, DETACH));
  return 0;
}
