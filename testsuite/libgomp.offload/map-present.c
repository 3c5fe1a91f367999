/* The present modifier: found ranges are used as they are; Fortran's descriptor exception.
   TEST-MODES: test cpu */
#include "aux-direct.h"

KERNEL (bump)
{
  int **s = bump_arg;
  *s[0] += 100;
}

int
main (void)
{
  int x = 1;
  struct { void *data; long rest[4]; } desc = { &x, { 0 } };

  need_device ();
  ENTER (ITEM (&x, 4, TO));
  ENTER (ITEM (&x, 4, PRESENT));
  TARGET (bump, ITEM (&x, 4, PRESENT));
  CHECK_EQUAL (x, 1);
  EXIT (ITEM (&x, 4, PRESENT));			/* as from */
  CHECK_EQUAL (x, 1);
  EXIT (ITEM (&x, 4, ALWAYS_PRESENT_FROM));
  CHECK_EQUAL (x, 101);
  CHECK (!IS_PRESENT (&x));

  /* The end of a present region may be the last use: then it copies.  */
  ENTER (ITEM (&x, 4, TO));
  DATA (ITEM (&x, 4, PRESENT));
  TARGET (bump, ITEM (&x, 4, PRESENT));
  EXIT (ITEM (&x, 4, RELEASE));
  CHECK_EQUAL (x, 101);
  END_DATA ();
  CHECK_EQUAL (x, 201);
  CHECK (!IS_PRESENT (&x));

  /* update to and from (present:).  */
  ENTER (ITEM (&x, 4, TO));
  x = 5;
  UPDATE (ITEM (&x, 4, ALWAYS_PRESENT_TO));
  TARGET (bump, ITEM (&x, 4, PRESENT));
  UPDATE (ITEM (&x, 4, ALWAYS_PRESENT_FROM));
  CHECK_EQUAL (x, 105);
  EXIT (ITEM (&x, 4, DELETE));

  /* A present item before a descriptor that is mapped: the data is mapped anew.  */
  ENTER (ITEM (&desc, sizeof (desc), TO));
  TARGET (bump, ITEM (&x, 4, PRESENT), ITEM (&desc, sizeof (desc), TO_PSET),
	  ITEM (&desc.data, 0, POINTER));
  CHECK_EQUAL (x, 205);
  EXIT (ITEM (&desc, sizeof (desc), DELETE));
  /* Nothing to be present.  */
  TARGET (bump, ITEM (&x, 4, TOFROM), ITEM (NULL, 12345, PRESENT),
	  ITEM (NULL, SIZE_MAX, ALWAYS_PRESENT_TO));
  CHECK_EQUAL (x, 305);
  return result ();
}
