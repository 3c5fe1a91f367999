/* An implicit item that cuts what is mapped.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: Trying to map into device .* is already mapped */
#include "../libgomp.offload/aux-direct.h"

static int a[10];

KERNEL (nothing)
{
  (void) nothing_arg;
}

int
main (void)
{
  need_device ();
  ENTER (ITEM (&a[2], 16, TO));
  TARGET (nothing, ITEM (a, 40, IMPLICIT | TOFROM));	/* contains it: fine */
  TARGET (nothing, ITEM (a, 16, IMPLICIT | TOFROM));
  return 0;
}
