/* Ranges without bytes: many at once, at the start of others, inside of others.
   TEST-MODES: test cpu */
#include "aux-direct.h"

static uint64_t seen[5];
KERNEL (look)
{
  void **s = look_arg;
  memcpy (s[0], s, 5 * sizeof (void *));
}

int
main (void)
{
  int a[8], b[8];
  size_t n;

  need_device ();
  TARGET (look, ITEM (seen, sizeof (seen), FROM), ITEM (a, 0, TOFROM), ITEM (b, 0, TO),
	  ITEM (&a[4], 0, FROM), ITEM (a, 0, TOFROM));
  CHECK (seen[1] != 0 && seen[2] != 0 && seen[3] != 0);
  CHECK_EQUAL (seen[4], seen[1]);
  CHECK (!IS_PRESENT (a) && !IS_PRESENT (b));

  /* Nested, and beside real ranges.  */
  DATA (ITEM (a, 0, TO), ITEM (&a[4], 0, TO));
  DATA (ITEM (b, 0, TO), ITEM (&a[4], 0, TO), ITEM (a, 16, TO), ITEM (&a[4], 16, TO));
  TARGET (look, ITEM (seen, sizeof (seen), FROM), ITEM (a, 16, TO), ITEM (&a[4], 16, TO),
	  ITEM (&a[2], 0, TO), ITEM (&a[6], 0, FROM));
  CHECK_EQUAL (seen[3], seen[1] + 8);
  CHECK_EQUAL (seen[4], seen[2] + 8);
  CHECK (IS_PRESENT (a) && IS_PRESENT (&a[4]));
  END_DATA ();
  CHECK (!IS_PRESENT (a) && !IS_PRESENT (&a[4]));
  END_DATA ();

  /* Counted like others.  */
  ENTER (ITEM (a, 0, TO));
  ENTER (ITEM (a, 0, TO));
  EXIT (ITEM (a, 0, FROM));
  EXIT (ITEM (a, 0, DELETE));
  EXIT (ITEM (a, 0, FROM));
  for (n = 0; n < 8; n++)
    ENTER (ITEM (&a[n], 0, TO));
  ENTER (ITEM (a, sizeof (a), TO));
  EXIT (ITEM (a, sizeof (a), FROM));
  CHECK (!IS_PRESENT (a));
  for (n = 0; n < 8; n++)
    EXIT (ITEM (&a[n], 0, RELEASE));

  /* update ignores them, mapped or not.  */
  UPDATE (ITEM (a, 0, TO), ITEM (a, 0, ALWAYS_PRESENT_FROM));
  return result ();
}
