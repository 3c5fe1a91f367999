/* Counts: each construct changes one at most once; delete; what leaves is decided by the end.
   TEST-MODES: test cpu */
#include "aux-direct.h"

KERNEL (fill)
{
  int **s = fill_arg;
  for (int i = 0; i < 10; i++)
    s[0][i] = i + 1;
}

int
main (void)
{
  int a[10] = { 0 };

  need_device ();
  /* Several items, one count.  */
  ENTER (ITEM (a, sizeof (a), TO), ITEM (&a[2], 8, TO), ITEM (a, sizeof (a), TO));
  ENTER (ITEM (&a[1], 4, TO), ITEM (&a[5], 4, TO));
  EXIT (ITEM (&a[2], 4, RELEASE), ITEM (&a[4], 4, RELEASE), ITEM (a, 0, ZLAS));
  CHECK (IS_PRESENT (a));
  EXIT (ITEM (&a[2], 4, RELEASE), ITEM (&a[4], 4, RELEASE));
  CHECK (!IS_PRESENT (a));

  /* Every from item of the construct that ends the mapping copies its own range.  */
  ENTER (ITEM (a, sizeof (a), TO));
  TARGET (fill, ITEM (a, sizeof (a), ALLOC));
  CHECK_EQUAL (a[5], 0);
  EXIT (ITEM (a, 4, RELEASE), ITEM (&a[5], 4, FROM), ITEM (&a[7], 4, FROM));
  CHECK_EQUAL (a[0], 0);
  CHECK_EQUAL (a[5], 6);
  CHECK_EQUAL (a[6], 0);
  CHECK_EQUAL (a[7], 8);
  CHECK (!IS_PRESENT (a));

  /* Delete, whatever the count and the order.  */
  for (int order = 0; order < 2; order++)
    {
      ENTER (ITEM (a, sizeof (a), TO));
      ENTER (ITEM (a, sizeof (a), TO));
      if (order)
	EXIT (ITEM (a, 4, RELEASE), ITEM (a, sizeof (a), DELETE));
      else
	EXIT (ITEM (a, sizeof (a), DELETE), ITEM (a, 4, RELEASE));
      CHECK (!IS_PRESENT (a));
    }
  ENTER (ITEM (a, sizeof (a), TO));
  ENTER (ITEM (a, sizeof (a), TO));
  EXIT (ITEM (&a[3], 0, DELETE_ZLAS));
  CHECK (!IS_PRESENT (a));

  /* What is not mapped is ignored.  */
  EXIT (ITEM (a, sizeof (a), FROM), ITEM (a, 4, RELEASE), ITEM (a, 4, DELETE),
	ITEM (a, 0, ZLAS), ITEM (a, 0, DELETE_ZLAS), ITEM (NULL, 99, FROM));

  /* The region counts, too: a release inside of the data region leaves it one.  */
  DATA (ITEM (a, sizeof (a), TOFROM));
  ENTER (ITEM (a, sizeof (a), TO));
  TARGET (fill, ITEM (a, sizeof (a), TOFROM));
  EXIT (ITEM (a, sizeof (a), FROM));
  CHECK (IS_PRESENT (a));
  CHECK_EQUAL (a[9], 0);
  END_DATA ();
  CHECK_EQUAL (a[9], 10);
  CHECK (!IS_PRESENT (a));
  return result ();
}
