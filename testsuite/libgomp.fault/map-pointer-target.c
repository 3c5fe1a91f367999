/* A pointer whose target is not mapped.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: Pointer target of array section wasn't mapped */
#include "../libgomp.offload/aux-direct.h"

static int a[4], *p = a;

int
main (void)
{
  need_device ();
  ENTER (ITEM (&p, 0, POINTER));
  return 0;
}
