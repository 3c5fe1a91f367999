/* A group whose only member is a zero-length section: when the pointer member was mapped by itself,
   the header's slot is the struct around it on the device, and the pointer gets attached there.  When
   nothing of the struct is mapped, the pointer is, for the region.
   TEST-MODES: test cpu cpu2 */
#include "aux-direct.h"

struct inner { int *p; int a[10]; };
struct outer { char fill[144]; struct inner *t; char more[16]; int *q; };

/* Slot 0 is the struct, slot 2 the inner one; the way goes through the pointer.  */
KERNEL (fill)
{
  void **slot = fill_arg;
  struct outer *u = slot[0];
  for (int i = 2; i < 7; i++)
    u->t->a[i] = i;
}

KERNEL (fill_both)
{
  void **slot = fill_both_arg;
  struct outer *u = slot[0];
  for (int i = 2; i < 7; i++)
    u->t->a[i] *= 2;
  u->q[0] = 1;
}

int
main (void)
{
  struct inner t;
  struct outer u;

  need_device ();
  for (int whole = 0; whole < 2; whole++)
    {
      memset (&t, 0, sizeof (t));
      memset (&u, 0, sizeof (u));
      u.t = &t;
      u.q = &t.a[0];
      if (whole)
	ENTER (ITEM (&u, sizeof (u), TO));
      else
	ENTER (ITEM (&u, 1, STRUCT), ITEM (&u.t, sizeof (u.t), TO | ALIGNED (3)));
      TARGET (fill, ITEM (&u, 1, STRUCT), ITEM (&u.t, 0, ZLAS | ALIGNED (3)),
	      ITEM (&t, 1, STRUCT), ITEM (&t.a[2], 20, TOFROM | ALIGNED (2)),
	      ITEM (&u.t, 16, ATTACH));
      for (int i = 0; i < 10; i++)
	CHECK_EQUAL (t.a[i], i >= 2 && i < 7 ? i : 0);
      CHECK (u.t == &t && !IS_PRESENT (&t.a[2]) && IS_PRESENT (&u.t));
      EXIT (ITEM (&u.t, sizeof (u.t), RELEASE));
      CHECK (!IS_PRESENT (&u.t));
    }

  /* Neither the pointer nor the struct is mapped: the pointer is, for the region.  */
  TARGET (fill, ITEM (&u, 1, STRUCT), ITEM (&u.t, 0, ZLAS | ALIGNED (3)), ITEM (&t, 1, STRUCT),
	  ITEM (&t.a[2], 20, TOFROM | ALIGNED (2)), ITEM (&u.t, 16, ATTACH));
  for (int i = 0; i < 10; i++)
    CHECK_EQUAL (t.a[i], i >= 2 && i < 7 ? i : 0);
  CHECK (u.t == &t && !IS_PRESENT (&t.a[2]) && !IS_PRESENT (&u.t));
  /* And so do two of them, with what lies between them.  */
  TARGET (fill_both, ITEM (&u, 2, STRUCT), ITEM (&u.t, 0, ZLAS | ALIGNED (3)),
	  ITEM (&u.q, 0, ZLAS | ALIGNED (3)), ITEM (&t.a[2], 20, TOFROM | ALIGNED (2)),
	  ITEM (&t.a[0], 4, TOFROM | ALIGNED (2)), ITEM (&u.t, 16, ATTACH), ITEM (&u.q, 0, ATTACH));
  for (int i = 0; i < 10; i++)
    CHECK_EQUAL (t.a[i], i >= 2 && i < 7 ? 2 * i : i == 0);
  CHECK (!IS_PRESENT (&t.a[2]) && !IS_PRESENT (&u.t) && !IS_PRESENT (&u.q));
  return result ();
}
