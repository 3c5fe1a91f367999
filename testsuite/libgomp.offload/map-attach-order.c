/* The order of data items and attachments in the list does not matter.
   TEST-MODES: test cpu */
#include "aux-direct.h"

struct s { int *p; int n; };

KERNEL (set)
{
  struct s **slot = set_arg;
  slot[0]->p[1] = slot[0]->n;
}

int
main (void)
{
  int data[2];
  struct s v = { data, 5 };

  need_device ();
  struct item items[3] = { ITEM (&v, sizeof (v), TOFROM), ITEM (data, sizeof (data), TOFROM),
			   ITEM (&v.p, 0, ATTACH) };
  /* The struct is first in the table of slots.  */
  data[1] = 0;
  TARGET (set, items[0], items[1], items[2]);
  CHECK_EQUAL (data[1], 5);
  data[1] = 0;
  TARGET (set, items[0], items[2], items[1]);
  CHECK_EQUAL (data[1], 5);
  CHECK (v.p == data);

  data[1] = 0;
  DATA (items[2], items[1], items[0]);
  TARGET (set, ITEM (&v, sizeof (v), IMPLICIT | TOFROM));
  END_DATA ();
  CHECK_EQUAL (data[1], 5);
  CHECK (v.p == data);
  return result ();
}
