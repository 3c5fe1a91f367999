/* A pointer that is to be stored always, but is not mapped.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: always pointer not mapped */
#include "../libgomp.offload/aux-direct.h"

static int a[4], *p = a;

int
main (void)
{
  need_device ();
  ENTER (ITEM (a, 16, TO), ITEM (&p, 0, ALWAYS_POINTER));
  return 0;
}
