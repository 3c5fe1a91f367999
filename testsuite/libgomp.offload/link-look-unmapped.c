/* An unmapped link variable is found by nothing: not by a pointer to be attached, not by zero-length
   sections, not by the routines.  A plain one is present from the start, and pointers in it can be
   attached.
   TEST-MODES: cpu */
#include "aux-direct.h"

int linked[4] = { 1, 2, 3, 4 };
#pragma omp declare target link (linked)
#pragma omp declare target
struct { long n; int *p; } plain = { 5, NULL };
#pragma omp end declare target

static uint64_t seen[4];

KERNEL (look)
{
  void **s = look_arg;
  memcpy (s[0], s, 3 * sizeof (uint64_t));
}

KERNEL (look_plain)
{
  uint64_t **s = look_plain_arg;
  s[0][0] = plain.n;
  s[0][1] = (uint64_t) plain.p;
}

#define OUT ITEM (seen, sizeof (seen), FROM)

int
main (void)
{
  struct { int *p; } v = { linked };
  int data[4] = { 0 };

  need_device ();
  TARGET (look, OUT, ITEM (linked, 0, ZLAS), ITEM (&linked[2], 0, ZLAS));
  CHECK_EQUAL (seen[1], (uint64_t) linked);
  CHECK_EQUAL (seen[2], (uint64_t) &linked[2]);
  ENTER (ITEM (&v, sizeof (v), TO), ITEM (&v.p, 0, ATTACH));
  TARGET (look, OUT, ITEM (linked, 0, ZLAS), ITEM (NULL, 0, ZLAS));
  CHECK_EQUAL (seen[1], (uint64_t) linked);
  EXIT (ITEM (&v, sizeof (v), DELETE));
  CHECK (!IS_PRESENT (linked) && device_address (&linked[1]) == (uint64_t) &linked[1]);
  CHECK_EQUAL (omp_target_disassociate_ptr (linked, 0), 22);
  EXIT (ITEM (linked, 0, ZLAS), ITEM (linked, 0, DELETE_ZLAS), ITEM (linked, 16, FROM));
  ENTER (ITEM (linked, 0, ZLAS));
  CHECK (!IS_PRESENT (linked));
  CHECK_EQUAL (linked[3], 4);

  /* present finds a plain variable; its pointers are attached and detached.  */
  TARGET (look_plain, OUT, ITEM (&plain, sizeof (plain), PRESENT));
  CHECK_EQUAL (seen[0], 5);
  DATA (ITEM (data, sizeof (data), TO), ITEM (&plain.p, 0, ATTACH));
  plain.p = data;
  END_DATA ();
  TARGET (look_plain, OUT);
  CHECK_EQUAL (seen[1], (uint64_t) data);	/* detached: the host's value */
  ENTER (ITEM (data, sizeof (data), TO), ITEM (&plain.p, 0, ATTACH));
  TARGET (look_plain, OUT);
  CHECK_EQUAL (seen[1], device_address (data));
  plain.n = 6;
  UPDATE (ITEM (&plain, sizeof (plain), TO));
  TARGET (look_plain, OUT, ITEM (&plain, sizeof (plain), ALWAYS_TOFROM));
  CHECK_EQUAL (seen[0], 6);
  CHECK_EQUAL (seen[1], device_address (data));
  CHECK (plain.p == data);
  EXIT (ITEM (data, sizeof (data), DELETE), ITEM (&plain.p, 0, DETACH));
  CHECK (!IS_PRESENT (data));
  return result ();
}
