/* A zero-length section as a member: the pointer member is not mapped by it.
   TEST-MODES: test cpu */
#include "aux-direct.h"

struct s { long n; int *p; };

KERNEL (sum)
{
  void **slot = sum_arg;
  struct s *s = slot[1];
  *(int *) slot[0] = s->p[0] + s->p[2];
}

int
main (void)
{
  int data[3] = { 1, 2, 3 }, seen = 0;
  struct s v = { 3, data }, *t = &v;

  need_device ();
  /* The struct is not mapped: only the data is.  */
  ENTER (ITEM (t, 1, STRUCT), ITEM (&t->p, 0, ZLAS | ALIGNED (3)), ITEM (data, 12, TO),
	 ITEM (&t->p, 0, ATTACH));
  CHECK (IS_PRESENT (data) && !IS_PRESENT (&t->p) && !IS_PRESENT (t));
  EXIT (ITEM (&t->p, 0, ZLAS | ALIGNED (3)), ITEM (data, 12, DELETE), ITEM (&t->p, 0, DETACH));
  CHECK (!IS_PRESENT (data));

  /* It is mapped: counted, attached.  */
  ENTER (ITEM (t, sizeof (v), TO));
  ENTER (ITEM (t, 1, STRUCT), ITEM (&t->p, 0, ZLAS | ALIGNED (3)), ITEM (data, 12, TO),
	 ITEM (&t->p, 0, ATTACH));
  TARGET (sum, ITEM (&seen, 4, FROM), ITEM (t, sizeof (v), TOFROM));
  CHECK_EQUAL (seen, 4);
  EXIT (ITEM (t, sizeof (v), RELEASE));
  CHECK (IS_PRESENT (t));
  EXIT (ITEM (&t->p, 0, ZLAS | ALIGNED (3)), ITEM (data, 12, DELETE), ITEM (&t->p, 0, DETACH));
  CHECK (!IS_PRESENT (data) && !IS_PRESENT (t));
  CHECK (v.p == data);

  /* target data, the struct unmapped: data is an ordinary item, and so is what follows.  */
  DATA (ITEM (t, 1, STRUCT), ITEM (&t->p, 0, ZLAS | ALIGNED (3)), ITEM (data, 12, TOFROM),
	ITEM (&t->p, 0, ATTACH));
  CHECK (IS_PRESENT (data) && !IS_PRESENT (&t->p));
  END_DATA ();
  CHECK (!IS_PRESENT (data));
  return result ();
}
