/* A kind of target on update; attachments are ignored there.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: unhandled kind 0x03 */
#include "../libgomp.offload/aux-direct.h"

static int a, *p = &a;

int
main (void)
{
  need_device ();
  UPDATE (ITEM (&a, 4, TO), ITEM (&p, 0, ATTACH));
  UPDATE (ITEM (&a, 4, TOFROM));
  return 0;
}
