/* Attaching a pointer to what is not mapped, on target.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: pointer target not mapped for attach */
#include "../libgomp.offload/aux-direct.h"

static int a[4], *p = a;

KERNEL (nothing)
{
  (void) nothing_arg;
}

int
main (void)
{
  need_device ();
  ENTER (ITEM (&p, 8, TO), ITEM (&p, 0, ATTACH));	/* fine on enter data */
  EXIT (ITEM (&p, 8, DELETE));
  TARGET (nothing, ITEM (&p, 8, TO), ITEM (&p, 0, ATTACH));
  return 0;
}
