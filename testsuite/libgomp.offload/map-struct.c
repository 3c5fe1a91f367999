/* Members of one struct: one block, one count; the header's slot is where the struct begins.
   TEST-MODES: test cpu */
#include "aux-direct.h"

struct s { char head[3]; int a; long b; int c[4]; double d; int *p; };

/* The struct is addressed through its header only.  */
KERNEL (use)
{
  struct s **slot = use_arg;
  struct s *s = slot[0];
  s->a += 10;
  s->c[2] += 20;
  s->d = ((uint64_t) s & 31) == 0;
}

int
main (void)
{
  static struct s v = { .a = 1, .b = 2, .c = { 3, 4, 5, 6 }, .d = 7 };
  static struct s *s = &v;

  need_device ();
  TARGET (use, ITEM (s, 3, STRUCT | ALIGNED (5)), ITEM (&s->a, 4, TOFROM | ALIGNED (2)),
	  ITEM (&s->c[2], 4, TOFROM | ALIGNED (2)), ITEM (&s->d, 8, FROM | ALIGNED (3)));
  CHECK_EQUAL (s->a, 11);
  CHECK_EQUAL (s->b, 2);
  CHECK_EQUAL (s->c[2], 25);
  CHECK_EQUAL (s->c[1], 4);
  CHECK (s->d == 1);

  /* Distances are kept, gaps are not mapped, all leave together.  */
  ENTER (ITEM (s, 2, STRUCT | ALIGNED (3)), ITEM (&s->a, 4, TO), ITEM (&s->d, 8, TO));
  CHECK (IS_PRESENT (&s->a) && IS_PRESENT (&s->d) && !IS_PRESENT (&s->b));
  CHECK_EQUAL (device_address (&s->d) - device_address (&s->a),
	       (char *) &s->d - (char *) &s->a);
  /* Again: found, counted once.  */
  ENTER (ITEM (s, 2, STRUCT | ALIGNED (3)), ITEM (&s->a, 4, TO), ITEM (&s->d, 8, TO));
  TARGET (use, ITEM (s, 3, STRUCT), ITEM (&s->a, 4, TOFROM), ITEM (&s->d, 8, TOFROM),
	  ITEM (&s->d, 4, TOFROM));
  EXIT (ITEM (&s->a, 4, RELEASE), ITEM (&s->d, 8, RELEASE));
  CHECK (IS_PRESENT (&s->a) && IS_PRESENT (&s->d));
  s->d = 0;
  EXIT (ITEM (&s->a, 4, RELEASE), ITEM (&s->d, 8, FROM));
  CHECK (s->d == 1);
  CHECK (!IS_PRESENT (&s->a) && !IS_PRESENT (&s->d));

  /* A member below what is mapped gets a block of its own.  */
  ENTER (ITEM (s, 1, STRUCT), ITEM (&s->d, 8, TO));
  ENTER (ITEM (s, 1, STRUCT), ITEM (&s->a, 4, TO));
  CHECK (IS_PRESENT (&s->a) && IS_PRESENT (&s->d));
  EXIT (ITEM (&s->a, 4, RELEASE));
  CHECK (!IS_PRESENT (&s->a) && IS_PRESENT (&s->d));
  EXIT (ITEM (&s->d, 8, RELEASE));

  /* One entry for all of it: members are parts of that.  */
  ENTER (ITEM (s, sizeof (*s), TO));
  ENTER (ITEM (s, 2, STRUCT), ITEM (&s->a, 4, TO), ITEM (&s->d, 8, TO));
  EXIT (ITEM (&s->a, 4, RELEASE), ITEM (&s->d, 8, RELEASE));
  CHECK (IS_PRESENT (s));
  EXIT (ITEM (s, sizeof (*s), RELEASE));
  CHECK (!IS_PRESENT (s));
  return result ();
}
