/* A list item that properly contains what is mapped.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: Trying to map into device \[0x[0-9a-f]+\.\.0x[0-9a-f]+\) object when \[0x[0-9a-f]+\.\.0x[0-9a-f]+\) is already mapped */
#include "../libgomp.offload/aux-direct.h"

static int a[10];

int
main (void)
{
  need_device ();
  ENTER (ITEM (&a[2], 8, TO));
  ENTER (ITEM (&a[2], 4, TO));		/* fine */
  ENTER (ITEM (a, 40, TO));
  return 0;
}
