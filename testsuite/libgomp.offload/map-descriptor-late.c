/* Descriptors whose bounds are known to the device only because they are copied again: those of
   declare target variables, and components that are allocated after the whole struct was mapped.
   TEST-MODES: cpu */
#include "aux-direct.h"

struct desc { int *data; long bound; };
struct v { long n; struct desc al; long m; };
static long seen[2];

#pragma omp declare target
struct desc array;
struct v object;
#pragma omp end declare target

KERNEL (look)
{
  void **s = look_arg;
  struct desc *d = s[1];
  long *out = s[0];
  out[0] = d->bound;
  out[1] = d->data == NULL ? -1 : d->data[d->bound - 1];
}

KERNEL (look_array)
{
  long *out = *(void **) look_array_arg;
  out[0] = array.bound;
  out[1] = array.data[array.bound - 1];
}

KERNEL (look_object)
{
  long *out = *(void **) look_object_arg;
  out[0] = object.al.bound;
  out[1] = object.al.data[object.al.bound - 1];
}

#define OUT ITEM (seen, sizeof (seen), FROM)

int
main (void)
{
  int first[4] = { 1, 2, 3, 4 }, second[8] = { 0 };
  struct v v = { 1, { NULL, 0 }, 2 };

  need_device ();
  second[6] = 77;
  /* A variable of the device, which was never mapped by a construct.  */
  array = (struct desc) { first, 4 };
  TARGET (look_array, OUT, ITEM (first, sizeof (first), TO),
	  ITEM (&array, sizeof (array), TO_PSET), ITEM (&array.data, 0, POINTER));
  CHECK_EQUAL (seen[0], 4);
  CHECK_EQUAL (seen[1], 4);
  array = (struct desc) { second, 7 };
  TARGET (look_array, OUT, ITEM (second, sizeof (second), TO),
	  ITEM (&array, sizeof (array), TO_PSET), ITEM (&array.data, 0, POINTER));
  CHECK_EQUAL (seen[0], 7);
  CHECK_EQUAL (seen[1], 77);
  CHECK (array.data == second && IS_PRESENT (&array));

  /* The same as a component, attached.  */
  object.al = (struct desc) { first, 3 };
  TARGET (look_object, OUT, ITEM (&object, 1, STRUCT | ALIGNED (3)),
	  ITEM (&object.al, sizeof (object.al), TO_PSET | ALIGNED (3)),
	  ITEM (first, sizeof (first), TO), ITEM (&object.al, 0, ATTACH));
  CHECK_EQUAL (seen[0], 3);
  CHECK_EQUAL (seen[1], 3);
  object.al = (struct desc) { second, 7 };
  DATA (ITEM (&object, 1, STRUCT | ALIGNED (3)),
	ITEM (&object.al, sizeof (object.al), TO_PSET | ALIGNED (3)),
	ITEM (second, sizeof (second), TO), ITEM (&object.al, 0, ATTACH));
  TARGET (look_object, OUT);
  CHECK_EQUAL (seen[0], 7);
  CHECK_EQUAL (seen[1], 77);
  /* While it is attached it is not copied again.  */
  object.al.bound = 2;
  TARGET (look_object, OUT, ITEM (&object, 1, STRUCT | ALIGNED (3)),
	  ITEM (&object.al, sizeof (object.al), TO_PSET | ALIGNED (3)),
	  ITEM (second, sizeof (second), TO), ITEM (&object.al, 0, ATTACH));
  CHECK_EQUAL (seen[0], 7);
  END_DATA ();
  CHECK (object.al.data == second);

  /* All of an object is mapped before its component is allocated.  */
  ENTER (ITEM (&v, sizeof (v), TO | ALIGNED (3)));
  v.al = (struct desc) { first, 4 };
  TARGET (look, OUT, ITEM (&v.al, 0, ZLAS), ITEM (&v, 1, STRUCT | ALIGNED (3)),
	  ITEM (&v.al, sizeof (v.al), TO_PSET | ALIGNED (3)), ITEM (first, sizeof (first), TO),
	  ITEM (&v.al, 0, ATTACH));
  CHECK_EQUAL (seen[0], 4);
  CHECK_EQUAL (seen[1], 4);
  EXIT (ITEM (&v, sizeof (v), FROM));
  CHECK (v.al.data == first && v.n == 1 && v.m == 2);
  CHECK (!IS_PRESENT (&v) && !IS_PRESENT (first));
  return result ();
}
