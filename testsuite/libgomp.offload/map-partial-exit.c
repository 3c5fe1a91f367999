/* target exit data with a range that is mapped in part copies the common part only.
   TEST-MODES: test cpu */
#include "aux-direct.h"

KERNEL (fill)
{
  int **s = fill_arg;
  for (int i = 0; i < 4; i++)
    s[0][i] = i + 1;
}

int
main (void)
{
  int a[12] = { 0 };

  need_device ();
  ENTER (ITEM (&a[4], 16, ALLOC));
  TARGET (fill, ITEM (&a[4], 16, ALLOC));
  EXIT (ITEM (a, sizeof (a), FROM));
  for (int i = 0; i < 12; i++)
    CHECK_EQUAL (a[i], i >= 4 && i < 8 ? i - 3 : 0);
  CHECK (!IS_PRESENT (&a[4]));
  return result ();
}
