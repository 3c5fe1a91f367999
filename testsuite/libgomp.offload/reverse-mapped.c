/* Reverse calls with data that is mapped on the device: the host's own objects are used, copied only
   with always, and attached pointers keep their values on both sides.
   TEST-MODES: cpu */

#include "aux-direct.h"

static int array[100], big[5000], calls;
struct node { int before; int *data; int after; };
static struct node node;
static int declared __attribute__ ((used)) = 3;
static const struct { void *addr; uint64_t size; } declared_entry
  __attribute__ ((used, section (".gnu.offload_vars"))) = { &declared, sizeof (declared) };

KERNEL (plain)
{
  void **slot = plain_arg;
  CHECK (slot[0] == array);
  CHECK (slot[1] == array + 10);
  CHECK (slot[2] == array + 20);	/* a pointer into it */
  CHECK (slot[3] == big);
  CHECK (slot[4] == &declared);
  CHECK (slot[5] == array);
  CHECK_EQUAL (array[0], 1);	/* not what the device has */
  CHECK_EQUAL (array[10], 11);
  array[10] = 1000;
  calls++;
}

KERNEL (always)
{
  void **slot = always_arg;
  CHECK (slot[0] == array + 10);
  CHECK_EQUAL (array[9], 10);
  CHECK_EQUAL (array[10], -11);	/* what the device has */
  array[10] = 2000;
  CHECK (slot[1] == big);
  CHECK_EQUAL (big[4999], -1);
  big[4998] = -2;
  CHECK_EQUAL (declared, 33);
  declared = 34;
  calls++;
}

KERNEL (attached)
{
  void **slot = attached_arg;
  CHECK (slot[0] == &node);
  CHECK_EQUAL (node.before, 21);
  CHECK (node.data == array);	/* the host's pointer */
  CHECK_EQUAL (node.after, 22);
  node.before = 31;
  node.after = 32;
  calls++;
}

KERNEL (pointers)
{
  void **slot = pointers_arg;
  int *const *p = slot[0];
  CHECK (*p == array + 4);
  CHECK (*(int **) slot[2] == array + 5);
  calls++;
}

KERNEL (region)
{
  void **slot = region_arg;
  int *a = slot[0], *b = slot[1], *ok = slot[2];
  struct node *n = slot[3];

  a[0] = -1;
  a[10] = -11;
  CALL_HOST (plain, ITEM (a, 400, TOFROM), ITEM (a + 10, 8, PRESENT), ITEM (a + 20, 0, ZLAS),
	     ITEM (b, 20000, TO), ITEM (&declared, 4, TOFROM), ITEM (a, 800, IMPLICIT | TOFROM));
  CHECK_EQUAL (a[10], -11);

  b[4999] = -1;
  declared = 33;
  CALL_HOST (always, ITEM (a + 10, 4, ALWAYS_TOFROM), ITEM (b, 20000, ALWAYS_PRESENT_TOFROM),
	     ITEM (&declared, 4, ALWAYS_TOFROM));
  CHECK_EQUAL (a[10], 2000);
  CHECK_EQUAL (b[4998], -2);
  CHECK_EQUAL (declared, 34);

  CHECK (n->data == a);
  n->before = 21;
  n->after = 22;
  CALL_HOST (attached, ITEM (n, sizeof (*n), ALWAYS_TOFROM));
  CHECK (n->data == a);
  CHECK_EQUAL (n->before, 31);
  CHECK_EQUAL (n->after, 32);

  int *p = a + 4, *q = a;
  CALL_HOST (pointers, ITEM (&p, 8, TOFROM), ITEM (&p, 0, ATTACH), ITEM (&q, 8, TO),
	     ITEM (a + 5, 4, TO), ITEM (&q, 0, ALWAYS_POINTER));
  CHECK (p == a + 4);
  *ok = failures == 0;
}

int
main (void)
{
  need_device ();
  int ok = 0;
  for (int i = 0; i < 100; i++)
    array[i] = i + 1;
  node.data = array;
  ENTER (ITEM (array, 400, TO), ITEM (big, 20000, TO), ITEM (&node, sizeof (node), TO),
	 ITEM (&node.data, 0, ATTACH));
  for (int round = 0; round < 2; round++)
    {
      /* The second time blocks have come and gone since the index of device addresses was made.  */
      array[0] = 1;
      array[10] = 11;
      int other[50];
      ENTER (ITEM (other, 200, TO));
      TARGET (region, ITEM (array, 400, TOFROM), ITEM (big, 20000, TOFROM), ITEM (&ok, 4, TOFROM),
	      ITEM (&node, sizeof (node), TOFROM));
      EXIT (ITEM (other, 200, DELETE));
      CHECK_EQUAL (ok, 1);
      CHECK_EQUAL (calls, 4 * (round + 1));
      CHECK_EQUAL (array[10], 2000);
      CHECK_EQUAL (big[4998], -2);
      ok = 0;
    }
  return result ();
}
