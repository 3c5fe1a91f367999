/* update of more than what is mapped.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: Trying to update \[0x[0-9a-f]+\.\.0x[0-9a-f]+\) object when only \[0x[0-9a-f]+\.\.0x[0-9a-f]+\) is mapped */
#include "../libgomp.offload/aux-direct.h"

static int a[8];

int
main (void)
{
  need_device ();
  ENTER (ITEM (&a[2], 8, TO));
  UPDATE (ITEM (&a[3], 8, FROM));
  return 0;
}
