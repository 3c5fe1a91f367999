/* Members that come in any order, some of them twice.
   TEST-MODES: test cpu */
#include "aux-direct.h"

struct s { int a, b; };

KERNEL (use)
{
  struct s **slot = use_arg;
  slot[0][1].a += 1;
  slot[0][3].a += 10;
  slot[0][6].b += 100;
}

int
main (void)
{
  struct s v[8] = { { 0, 0 } };
  static const int orders[3][4] = { { 1, 3, 6, 3 }, { 6, 3, 1, 6 }, { 3, 6, 1, 1 } };

  need_device ();
  for (int o = 0; o < 3; o++)
    for (int unord = 0; unord < 2; unord++)
      {
	struct list l = { .n = 0 };
	add (&l, v, 4, (unord ? STRUCT_UNORD : STRUCT) | ALIGNED (2));
	for (int i = 0; i < 4; i++)
	  add (&l, orders[o][i] == 6 ? &v[6].b : &v[orders[o][i]].a, 4, TOFROM | ALIGNED (2));
	memset (v, 0, sizeof (v));
	target_list (&l, use);
	CHECK_EQUAL (v[1].a, 1);
	CHECK_EQUAL (v[3].a, 10);
	CHECK_EQUAL (v[6].b, 100);
	CHECK_EQUAL (v[6].a, 0);
	CHECK (!IS_PRESENT (&v[3].a));
      }
  return result ();
}
