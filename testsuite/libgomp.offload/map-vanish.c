/* What was unmapped, or unmapped and mapped anew, inside of a data region is no business of
   the region's end.
   TEST-MODES: test cpu */
#include "aux-direct.h"

KERNEL (set)
{
  int **s = set_arg;
  s[0][0] = 5;
}

int
main (void)
{
  int a[4] = { 1, 2, 3, 4 };
  struct { int *p; } v = { a };

  need_device ();
  DATA (ITEM (a, sizeof (a), TOFROM), ITEM (&v, sizeof (v), ALWAYS_TOFROM), ITEM (&v.p, 0, ATTACH));
  TARGET (set, ITEM (a, sizeof (a), TO));
  EXIT (ITEM (a, sizeof (a), DELETE), ITEM (&v, sizeof (v), DELETE));
  END_DATA ();
  CHECK_EQUAL (a[0], 1);
  CHECK (v.p == a);
  CHECK (!IS_PRESENT (a) && !IS_PRESENT (&v));

  DATA (ITEM (a, sizeof (a), ALWAYS_TOFROM), ITEM (&v, sizeof (v), TO), ITEM (&v.p, 0, ATTACH));
  EXIT (ITEM (a, sizeof (a), DELETE), ITEM (&v, sizeof (v), DELETE));
  ENTER (ITEM (a, sizeof (a), TO), ITEM (&v, sizeof (v), TO), ITEM (&v.p, 0, ATTACH));
  TARGET (set, ITEM (a, sizeof (a), TO));
  END_DATA ();
  CHECK_EQUAL (a[0], 1);
  CHECK (IS_PRESENT (a) && IS_PRESENT (&v));
  EXIT (ITEM (a, sizeof (a), FROM), ITEM (&v, sizeof (v), FROM), ITEM (&v.p, 0, DETACH));
  CHECK_EQUAL (a[0], 5);
  CHECK (v.p == a);
  CHECK (!IS_PRESENT (a) && !IS_PRESENT (&v));

  /* A pointer that was detached by hand.  */
  ENTER (ITEM (&v, sizeof (v), TO));
  DATA (ITEM (a, sizeof (a), TO), ITEM (&v.p, 0, ATTACH));
  EXIT (ITEM (&v.p, 0, DETACH));
  END_DATA ();
  EXIT (ITEM (&v, sizeof (v), FROM));
  CHECK (v.p == a);
  CHECK (!IS_PRESENT (a) && !IS_PRESENT (&v));
  /* Ends without beginnings.  */
  END_DATA ();
  END_DATA ();
  return result ();
}
