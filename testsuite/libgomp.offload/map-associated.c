/* Associated memory: found by every map, never counted, copied only when always is said.
   TEST-MODES: test cpu */
#include "aux-direct.h"

KERNEL (bump)
{
  int **s = bump_arg;
  s[0][1] += 100;
}

KERNEL (read_pointer)
{
  uint64_t **s = read_pointer_arg;
  *s[0] = *s[1];
}

int
main (void)
{
  static int a[4] = { 1, 2, 3, 4 };
  int *p = a;
  uint64_t seen = 0;

  need_device ();
  char *dev = omp_target_alloc (64, 0);
  CHECK (dev != NULL);
  CHECK_EQUAL (omp_target_associate_ptr (a, dev, sizeof (a), 16, 0), 0);
  CHECK (IS_PRESENT (a));
  CHECK_EQUAL (device_address (&a[1]), (uint64_t) dev + 20);
  UPDATE (ITEM (a, sizeof (a), TO));
  TARGET (bump, ITEM (a, sizeof (a), TOFROM));
  CHECK_EQUAL (a[1], 2);
  DATA (ITEM (a, sizeof (a), TOFROM));
  END_DATA ();
  CHECK_EQUAL (a[1], 2);
  EXIT (ITEM (a, sizeof (a), FROM));
  CHECK_EQUAL (a[1], 2);
  EXIT (ITEM (a, sizeof (a), ALWAYS_FROM));
  CHECK_EQUAL (a[1], 102);
  a[1] = 3;
  TARGET (bump, ITEM (a, sizeof (a), ALWAYS_TOFROM));
  CHECK_EQUAL (a[1], 103);
  EXIT (ITEM (a, sizeof (a), DELETE));
  EXIT (ITEM (a, 0, DELETE_ZLAS), ITEM (a, 4, RELEASE));
  CHECK (IS_PRESENT (a));
  TARGET (read_pointer, ITEM (&seen, 8, FROM), ITEM (&p, 8, TO), ITEM (a, sizeof (a), TO),
	  ITEM (&p, 0, ATTACH));
  CHECK_EQUAL (seen, (uint64_t) dev + 16);

  /* Disassociated inside of a region: its end has nothing to do.  */
  DATA (ITEM (a, sizeof (a), ALWAYS_TOFROM));
  CHECK_EQUAL (omp_target_disassociate_ptr (a, 0), 0);
  a[1] = 7;
  END_DATA ();
  CHECK_EQUAL (a[1], 7);
  CHECK (!IS_PRESENT (a));
  omp_target_free (dev, 0);
  return result ();
}
