/* Reverse calls as newer compilers make them: every kind of list item, unmapped on the device.
   TEST-MODES: cpu */

#include "aux-direct.h"

static int of_host;
struct pair { int *p; int n; };

KERNEL (values)
{
  void **slot = values_arg;
  CHECK_EQUAL (slot[0], 42);
  CHECK_EQUAL (slot[1], 0);
  CHECK (*(long *) slot[2] == 17);
  CHECK ((uintptr_t) slot[2] % 64 == 0);
  *(long *) slot[2] = 18;
  CHECK (slot[3] == NULL);
  CHECK_EQUAL (slot[4], 0x1234);	/* a zero-length section that is nowhere */
  of_host++;
}

KERNEL (fresh)
{
  void **slot = fresh_arg;
  int *to = slot[0], *from = slot[1], *tofrom = slot[2], *inside = slot[4], *section = slot[5];
  CHECK_EQUAL (*to, 1);
  *to = 100;			/* not copied back */
  *from = 20;
  CHECK_EQUAL (tofrom[1], 31);
  tofrom[1] = 32;
  CHECK (slot[3] != NULL);
  CHECK (inside == tofrom + 2);
  *inside = 33;
  CHECK (section == tofrom + 3);
  CHECK (slot[6] != NULL);
  of_host++;
}

KERNEL (structure)
{
  void **slot = structure_arg;
  struct pair *s = slot[0];
  CHECK ((void *) &s->p == slot[1]);
  CHECK ((void *) &s->n == slot[2]);
  CHECK (s->p == slot[3]);
  CHECK_EQUAL (s->n, 3);
  CHECK_EQUAL (s->p[2], 7);
  s->p[2]++;
  s->n = 4;
  of_host++;
}

KERNEL (descriptor)
{
  void **slot = descriptor_arg;
  struct { int *data; long offset; } *d = slot[0];
  CHECK (d->data == slot[1]);
  CHECK_EQUAL (d->offset, 9);
  CHECK_EQUAL (d->data[0], 5);
  int *p = *(int **) slot[4];
  CHECK (p + 1 == slot[3]);
  CHECK_EQUAL (p[1], 6);
  of_host++;
}

KERNEL (private_descriptor)
{
  void **slot = private_descriptor_arg;
  struct { int *data; long offset; } *d = slot[0];
  CHECK (d->data == slot[1]);
  CHECK_EQUAL (d->offset, 3);
  CHECK_EQUAL (d->data[1], 8);
  of_host++;
}

KERNEL (nothing)
{
  (void) nothing_arg;
  of_host++;
}

KERNEL (region)
{
  int *ok = ((int **) region_arg)[0];
  long p = 17;
  int to = 1, from = 2, tofrom[4] = { 30, 31, 32, 33 }, alloc = 4;
  CALL_HOST (values, ITEM (42, 0, VALUE), ITEM (0, 0, VALUE), ITEM (&p, 8, FIRSTPRIVATE | ALIGNED (6)),
	     ITEM (0, 77, TOFROM), ITEM (0x1234, 0, ZLAS));
  CHECK_EQUAL (p, 17);

  CALL_HOST (fresh, ITEM (&to, 4, TO), ITEM (&from, 4, FROM), ITEM (tofrom, 16, TOFROM | ALIGNED (2)),
	     ITEM (&alloc, 4, ALLOC), ITEM (tofrom + 2, 4, TOFROM), ITEM (tofrom + 3, 0, ZLAS),
	     ITEM (tofrom + 100, 0, TOFROM));
  CHECK_EQUAL (to, 1);
  CHECK_EQUAL (from, 20);
  CHECK_EQUAL (tofrom[1], 32);
  CHECK_EQUAL (tofrom[2], 33);
  CHECK_EQUAL (alloc, 4);

  int data[3] = { 5, 6, 7 };
  struct pair s = { data, 3 };
  CALL_HOST (structure, ITEM (&s, 2, STRUCT | ALIGNED (3)), ITEM (&s.p, 8, TOFROM),
	     ITEM (&s.n, 4, TOFROM), ITEM (data, 12, TOFROM), ITEM (&s.p, 0, ATTACH));
  CHECK (s.p == data);
  CHECK_EQUAL (s.n, 4);
  CHECK_EQUAL (data[2], 8);

  struct { int *data; long offset; } d = { data, 9 };
  int *q = data;
  CALL_HOST (descriptor, ITEM (&d, sizeof (d), TO_PSET), ITEM (data, 4, TO),
	     ITEM (&d.data, 0, POINTER), ITEM (data + 1, 4, TO), ITEM (&q, 4, POINTER));

  void *no_args = NULL;
  int few[2] = { 7, 8 };
  struct { int *data; long offset; } e = { few, 3 };
  struct list l = LIST (ITEM (&e, sizeof (e), FIRSTPRIVATE), ITEM (few, 8, FIRSTPRIVATE),
			ITEM (0, 0, ATTACH));
  l.addr[2] = &l.addr[0];
  GOMP_target_ext (-2, private_descriptor, l.n, l.addr, l.size, l.kind, 0, NULL, &no_args);

  GOMP_target_ext (-2, nothing, 0, NULL, NULL, NULL, 0, NULL, &no_args);
  *ok = failures == 0 && of_host == 0;
}

int
main (void)
{
  need_device ();
  int ok = 0;
  TARGET (region, ITEM (&ok, 4, TOFROM));
  CHECK_EQUAL (ok, 1);
  CHECK_EQUAL (of_host, 6);
  return result ();
}
