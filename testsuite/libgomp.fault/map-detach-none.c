/* Detaching in an entry to which nothing was ever attached.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: no attachment counters for struct */
#include "../libgomp.offload/aux-direct.h"

static int *p;

int
main (void)
{
  need_device ();
  EXIT (ITEM (&p, 0, DETACH));		/* not mapped: fine */
  ENTER (ITEM (&p, 8, TO));
  EXIT (ITEM (&p, 0, DETACH));
  return 0;
}
