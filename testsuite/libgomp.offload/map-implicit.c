/* Implicit items may be larger than what is mapped: only the common part is copied, and the slot
   is where the item would begin.
   TEST-MODES: test cpu */
#include "aux-direct.h"

KERNEL (touch)
{
  int **s = touch_arg;
  *s[1] = s[0][5];
  s[0][5] = 77;
}

int
main (void)
{
  int a[10], seen = 0;

  need_device ();
  for (int i = 0; i < 10; i++)
    a[i] = i;
  DATA (ITEM (&a[4], 12, TOFROM));
  TARGET (touch, ITEM (a, sizeof (a), IMPLICIT | TOFROM), ITEM (&seen, 4, FROM));
  CHECK_EQUAL (seen, 5);
  CHECK_EQUAL (a[5], 5);
  END_DATA ();
  CHECK_EQUAL (a[5], 77);
  CHECK_EQUAL (a[0], 0);

  /* Several entries inside of the item.  */
  ENTER (ITEM (&a[5], 4, TO));
  ENTER (ITEM (&a[8], 4, TO));
  TARGET (touch, ITEM (a, sizeof (a), IMPLICIT | TOFROM), ITEM (&seen, 4, FROM));
  CHECK_EQUAL (seen, 77);
  EXIT (ITEM (&a[5], 4, RELEASE));
  EXIT (ITEM (&a[8], 4, RELEASE));
  CHECK (!IS_PRESENT (&a[5]) && !IS_PRESENT (&a[8]));

  /* On target data, as Fortran compilers send components.  */
  a[5] = 5;
  DATA (ITEM (a, sizeof (a), IMPLICIT | TOFROM));
  TARGET (touch, ITEM (a, sizeof (a), IMPLICIT | TOFROM), ITEM (&seen, 4, FROM));
  CHECK_EQUAL (seen, 5);
  CHECK_EQUAL (a[5], 5);
  END_DATA ();
  CHECK_EQUAL (a[5], 77);
  return result ();
}
