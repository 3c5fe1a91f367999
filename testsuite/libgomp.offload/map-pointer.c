/* Pointers and array descriptors as Fortran maps them.
   TEST-MODES: test cpu */
#include "aux-direct.h"

struct desc { int *data; long bound; };
static uint64_t seen[4];

KERNEL (copy_words)
{
  void **s = copy_words_arg;
  memcpy (s[0], s[1], 16);
}
#define LOOK(p) TARGET (copy_words, ITEM (seen, sizeof (seen), FROM), ITEM (p, 0, ZLAS))

KERNEL (nothing)
{
  (void) nothing_arg;
}

int
main (void)
{
  static int a[8], b[8];
  int *p = a, *q[2] = { NULL, NULL };
  struct desc d;

  need_device ();
  /* A pointer of its own: stored when it is made, with its bias; not written again.  */
  ENTER (ITEM (&a[2], 16, TO), ITEM (&p, 8, POINTER), ITEM (b, sizeof (b), TO));
  uint64_t dev_a = device_address (&a[2]), dev_b = device_address (b);
  q[0] = &a[6];				/* one past the end translates */
  ENTER (ITEM (q, 0, POINTER), ITEM (&q[1], 0, POINTER));
  LOOK (&p);
  CHECK_EQUAL (seen[0], dev_a - 8);
  LOOK (&q[0]);
  CHECK_EQUAL (seen[0], dev_a + 16);
  p = b;
  TARGET (nothing, ITEM (&p, 0, POINTER));
  LOOK (&p);
  CHECK_EQUAL (seen[0], dev_a - 8);
  EXIT (ITEM (&p, 8, RELEASE), ITEM (q, 8, RELEASE), ITEM (&q[1], 8, RELEASE));
  CHECK (!IS_PRESENT (&p) && !IS_PRESENT (q) && !IS_PRESENT (&q[1]));
  /* What it points to need not be mapped.  */
  p = (int *) 0x1234560;
  ENTER (ITEM (&p, 0, POINTER_ZLAS));
  LOOK (&p);
  CHECK_EQUAL (seen[0], 0x1234560);
  EXIT (ITEM (&p, 8, DELETE));

  /* A pointer that was NULL, or whose target went away, is set when it points to something.  */
  p = NULL;
  ENTER (ITEM (&p, 0, POINTER));
  p = b;
  ENTER (ITEM (&p, 0, POINTER));
  LOOK (&p);
  CHECK_EQUAL (seen[0], dev_b);
  EXIT (ITEM (&p, 8, DELETE));

  /* A descriptor: copied, its pointer translated.  */
  d = (struct desc) { &a[2], 4 };
  ENTER (ITEM (&a[2], 16, TO), ITEM (&d, sizeof (d), TO_PSET), ITEM (&d.data, 0, POINTER));
  LOOK (&d);
  CHECK_EQUAL (seen[0], dev_a);
  CHECK_EQUAL (seen[1], 4);
  /* Mapped: left alone ...  */
  d = (struct desc) { b, 8 };
  TARGET (nothing, ITEM (b, sizeof (b), TO), ITEM (&d, sizeof (d), TO_PSET),
	  ITEM (&d.data, 0, POINTER));
  LOOK (&d);
  CHECK_EQUAL (seen[0], dev_a);
  CHECK_EQUAL (seen[1], 4);
  /* ... unless it is to be written always.  */
  TARGET (nothing, ITEM (b, sizeof (b), ALWAYS_TO), ITEM (&d, sizeof (d), TO_PSET),
	  ITEM (&d.data, 0, ALWAYS_POINTER));
  LOOK (&d);
  CHECK_EQUAL (seen[0], dev_b);
  CHECK_EQUAL (seen[1], 8);
  EXIT (ITEM (&d, sizeof (d), DELETE));
  CHECK (!IS_PRESENT (&d));

  /* Unallocated when it was mapped: written when it is allocated, every time.  */
  d = (struct desc) { NULL, 0 };
  ENTER (ITEM (NULL, 0, TO), ITEM (&d, sizeof (d), TO_PSET), ITEM (&d.data, 0, POINTER));
  LOOK (&d);
  CHECK_EQUAL (seen[0], 0);
  d = (struct desc) { b, 8 };
  TARGET (copy_words, ITEM (seen, sizeof (seen), FROM), ITEM (&d, sizeof (d), TO_PSET),
	  ITEM (&d.data, 0, POINTER), ITEM (b, sizeof (b), TO));
  CHECK_EQUAL (seen[0], dev_b);
  CHECK_EQUAL (seen[1], 8);
  d = (struct desc) { NULL, 3 };
  TARGET (copy_words, ITEM (seen, sizeof (seen), FROM), ITEM (&d, sizeof (d), TO_PSET),
	  ITEM (&d.data, 0, POINTER));
  CHECK_EQUAL (seen[0], dev_b);
  CHECK_EQUAL (seen[1], 8);
  EXIT (ITEM (&d, sizeof (d), DELETE));

  /* Store the address of the item before.  */
  struct { int *p1, *p2, **p3; } s = { 0 };
  TARGET (copy_words, ITEM (seen, sizeof (seen), FROM), ITEM (&s, sizeof (s), TO),
	  ITEM (&b[2], 4, TO), ITEM (&s.p1, 8, ALWAYS_POINTER),
	  ITEM (NULL, 0, TO), ITEM (&s.p2, 8, ALWAYS_POINTER));
  CHECK_EQUAL (seen[0], dev_b);
  CHECK_EQUAL (seen[1], 0);
  TARGET (copy_words, ITEM (seen, sizeof (seen), FROM), ITEM (&s, sizeof (s), TO),
	  ITEM (main, 0, ZLAS), ITEM (&s.p1, 0, ALWAYS_POINTER), ITEM (&s.p2, 0, ALWAYS_POINTER));
  CHECK_EQUAL (seen[0], (uint64_t) main);
  CHECK (seen[1] != 0 && seen[1] != seen[0]);
  EXIT (ITEM (a, sizeof (a), DELETE), ITEM (b, sizeof (b), DELETE));
  return result ();
}
