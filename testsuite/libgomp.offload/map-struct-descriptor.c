/* Allocatable components: a descriptor as a member of a struct, attached.
   TEST-MODES: test cpu */
#include "aux-direct.h"

struct desc { int *data; long bound; };
struct v { long n; struct desc al; long m; };
static long seen[2];

KERNEL (look)
{
  void **s = look_arg;
  struct v *v = s[1];
  long *out = s[0];
  out[0] = v->al.bound;
  out[1] = v->al.data == NULL ? -1 : v->al.data[v->al.bound - 1];
  if (v->al.data != NULL)
    v->al.data[0] = 50;
}

int
main (void)
{
  int data[4] = { 1, 2, 3, 4 };
  struct v v = { 1, { data, 4 }, 2 };

  need_device ();
  /* target map(v%al) */
  TARGET (look, ITEM (seen, sizeof (seen), FROM), ITEM (&v, 1, STRUCT | ALIGNED (3)),
	  ITEM (&v.al, sizeof (v.al), TO_PSET | ALIGNED (3)), ITEM (data, sizeof (data), TOFROM),
	  ITEM (&v.al, 0, ATTACH));
  CHECK_EQUAL (seen[0], 4);
  CHECK_EQUAL (seen[1], 4);
  CHECK_EQUAL (data[0], 50);
  CHECK (v.al.data == data && v.al.bound == 4);

  /* Deep mapping of all of v, with a component and with one of no size.  */
  TARGET (look, ITEM (seen, sizeof (seen), FROM), ITEM (&v, sizeof (v), TOFROM | ALIGNED (3)),
	  ITEM (data, sizeof (data), TOFROM), ITEM (&v.al, 0, ATTACH));
  CHECK_EQUAL (seen[1], 4);
  CHECK (v.al.data == data && v.al.bound == 4);
  v.al.bound = 0;
  DATA (ITEM (&v, sizeof (v), TOFROM | ALIGNED (3)), ITEM (data, 0, TOFROM), ITEM (&v.al, 0, ATTACH));
  END_DATA ();
  CHECK (v.al.data == data);

  /* Allocated after the struct was entered: the bounds come with it.  */
  v.al = (struct desc) { NULL, 0 };
  ENTER (ITEM (&v, 2, STRUCT | ALIGNED (3)), ITEM (&v.n, 8, TO),
	 ITEM (&v.al, sizeof (v.al), TO_PSET | ALIGNED (3)));
  v.al = (struct desc) { data, 3 };
  TARGET (look, ITEM (seen, sizeof (seen), FROM), ITEM (&v, 1, STRUCT | ALIGNED (3)),
	  ITEM (&v.al, sizeof (v.al), TO_PSET | ALIGNED (3)), ITEM (data, sizeof (data), TOFROM),
	  ITEM (&v.al, 0, ATTACH));
  CHECK_EQUAL (seen[0], 3);
  CHECK_EQUAL (seen[1], 3);
  EXIT (ITEM (&v.n, 8, RELEASE), ITEM (&v.al, sizeof (v.al), RELEASE));
  CHECK (!IS_PRESENT (&v.al) && !IS_PRESENT (&v.n) && !IS_PRESENT (data));
  return result ();
}
