/* Attached pointers: counted, protected against copies in both directions, restored.
   TEST-MODES: test cpu */
#include "aux-direct.h"

struct s { long n; int *p; long m; };
static uint64_t seen[3];

KERNEL (look)
{
  void **slot = look_arg;
  memcpy (slot[0], slot[1], sizeof (struct s));
}
#define LOOK() TARGET (look, ITEM (seen, sizeof (seen), FROM), ITEM (&v, sizeof (v), IMPLICIT | TO))

int
main (void)
{
  int data[4] = { 1, 2, 3, 4 }, more[4];
  struct s v = { 10, data, 20 };

  need_device ();
  ENTER (ITEM (&v, sizeof (v), TO), ITEM (&data[1], 12, TO), ITEM (&v.p, 4, ATTACH));
  uint64_t dev = device_address (&data[1]) - 4;
  LOOK ();
  CHECK_EQUAL (seen[1], dev);

  /* No copy takes the pointer along.  */
  v.n = 11; v.m = 21;
  UPDATE (ITEM (&v, sizeof (v), TO));
  LOOK ();
  CHECK_EQUAL (seen[0], 11);
  CHECK_EQUAL (seen[1], dev);
  CHECK_EQUAL (seen[2], 21);
  v.n = 12;
  TARGET (look, ITEM (seen, sizeof (seen), FROM), ITEM (&v, sizeof (v), ALWAYS_TOFROM));
  CHECK_EQUAL (seen[0], 12);
  CHECK_EQUAL (seen[1], dev);
  CHECK (v.p == data);
  v.n = 0; v.m = 0;
  UPDATE (ITEM (&v, sizeof (v), FROM));
  CHECK_EQUAL (v.n, 12);
  CHECK_EQUAL (v.m, 21);
  CHECK (v.p == data);
  /* A part of it, and one that cuts the pointer.  */
  v.m = 33;
  UPDATE (ITEM ((char *) &v.p + 4, 12, TO));
  LOOK ();
  CHECK_EQUAL (seen[1], dev);
  CHECK_EQUAL (seen[2], 33);

  /* Attached twice: the first value stays until the last detach, although the host's pointer
     has changed.  */
  v.p = more;
  ENTER (ITEM (more, sizeof (more), TO), ITEM (&v.p, 0, ATTACH));
  LOOK ();
  CHECK_EQUAL (seen[1], dev);
  EXIT (ITEM (&v.p, 0, DETACH));
  LOOK ();
  CHECK_EQUAL (seen[1], dev);
  EXIT (ITEM (&v.p, 0, DETACH));
  LOOK ();
  CHECK_EQUAL (seen[1], (uint64_t) more);
  EXIT (ITEM (more, sizeof (more), RELEASE), ITEM (data, sizeof (data), RELEASE));

  /* Exit with detach: the host keeps its pointer.  */
  v.p = data;
  ENTER (ITEM (data, sizeof (data), TO), ITEM (&v.p, 0, ATTACH));
  EXIT (ITEM (&v, sizeof (v), FROM), ITEM (data, sizeof (data), FROM), ITEM (&v.p, 0, DETACH));
  CHECK (v.p == data);
  CHECK (!IS_PRESENT (&v) && !IS_PRESENT (data));

  /* Exit without detach, too.  */
  ENTER (ITEM (&v, sizeof (v), TO), ITEM (data, sizeof (data), TO), ITEM (&v.p, 0, ATTACH));
  EXIT (ITEM (&v, sizeof (v), FROM));
  CHECK (v.p == data);
  EXIT (ITEM (data, sizeof (data), RELEASE));

  /* Regions detach what they have attached.  */
  ENTER (ITEM (&v, sizeof (v), TO));
  DATA (ITEM (data, sizeof (data), TO), ITEM (&v.p, 0, ATTACH));
  dev = device_address (data);
  LOOK ();
  CHECK_EQUAL (seen[1], dev);
  TARGET (look, ITEM (seen, sizeof (seen), FROM), ITEM (&v, sizeof (v), TO),
	  ITEM (data, sizeof (data), TO), ITEM (&v.p, 0, ATTACH));
  CHECK_EQUAL (seen[1], dev);
  LOOK ();
  CHECK_EQUAL (seen[1], dev);
  END_DATA ();
  LOOK ();
  CHECK_EQUAL (seen[1], (uint64_t) data);
  EXIT (ITEM (&v, sizeof (v), RELEASE));

  /* NULL is attached as NULL; a pointer that is not mapped is left alone.  */
  v.p = NULL;
  TARGET (look, ITEM (seen, sizeof (seen), FROM), ITEM (&v, sizeof (v), TO), ITEM (&v.p, 0, ATTACH));
  CHECK_EQUAL (seen[1], 0);
  ENTER (ITEM (data, sizeof (data), TO), ITEM (&v.p, 0, ATTACH));
  EXIT (ITEM (data, sizeof (data), RELEASE), ITEM (&v.p, 0, DETACH));

  /* Pointees that need not be mapped: enter data, ATTACH_ZLAS, an empty item there.  */
  v.p = data;
  ENTER (ITEM (&v, sizeof (v), TO), ITEM (&v.p, 0, ATTACH));
  LOOK ();
  CHECK_EQUAL (seen[1], (uint64_t) data);
  EXIT (ITEM (&v, sizeof (v), RELEASE));
  TARGET (look, ITEM (seen, sizeof (seen), FROM), ITEM (&v, sizeof (v), TO),
	  ITEM (&v.p, 0, ATTACH_ZLAS));
  CHECK_EQUAL (seen[1], (uint64_t) data);
  TARGET (look, ITEM (seen, sizeof (seen), FROM), ITEM (&v, sizeof (v), TO),
	  ITEM (data, 0, ZLAS), ITEM (&v.p, 0, ATTACH));
  CHECK_EQUAL (seen[1], (uint64_t) data);
  TARGET (look, ITEM (seen, sizeof (seen), FROM), ITEM (&v, sizeof (v), TO),
	  ITEM (data, 0, TO), ITEM (&v.p, 0, ATTACH));
  CHECK (!IS_PRESENT (&v) && !IS_PRESENT (data));
  return result ();
}
