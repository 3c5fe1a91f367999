/* Reverse calls with more items and bytes than a request has room for, and with iterators.
   TEST-MODES: cpu */

#include "aux-direct.h"

enum { MANY = 300, LARGE = 100000 };
static int calls;

KERNEL (many)
{
  int **slot = many_arg;
  for (int i = 0; i < MANY; i++)
    {
      CHECK_EQUAL (*slot[i], i);
      *slot[i] = -i;
    }
  CHECK (slot[MANY] == NULL);
  calls++;
}

KERNEL (large)
{
  void **slot = large_arg;
  char *in = slot[0], *out = slot[1], *both = slot[2], *copy = slot[3], *small = slot[4];
  CHECK (in[0] == 1 && in[LARGE - 1] == 2);
  CHECK (both[LARGE / 2] == 3);
  CHECK (copy[LARGE - 1] == 2 && (uintptr_t) copy % 128 == 0);
  CHECK (*small == 9);
  out[0] = 4;
  out[LARGE - 1] = 5;
  both[LARGE / 2] = 6;
  in[0] = copy[0] = 7;
  *small = 8;
  calls++;
}

KERNEL (iterated)
{
  void **slot = iterated_arg;
  int **rows = slot[0];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++)
      {
	CHECK_EQUAL (rows[i][k], 10 * i + k);
	rows[i][k] += 100;
      }
  CHECK_EQUAL (*(int *) slot[3], 77);
  calls++;
}

static char in[LARGE], out[LARGE], both[LARGE];

KERNEL (region)
{
  int *ok = ((int **) region_arg)[0];
  static int values[MANY];
  void *addr[MANY + 1], *no_args = NULL;
  size_t size[MANY + 1];
  unsigned short kind[MANY + 1];
  for (int i = 0; i <= MANY; i++)
    {
      values[i % MANY] = i % MANY;
      addr[i] = i < MANY ? &values[i] : NULL;
      size[i] = sizeof (int);
      kind[i] = TOFROM;
    }
  GOMP_target_ext (-2, many, MANY + 1, addr, size, kind, 0, NULL, &no_args);
  for (int i = 0; i < MANY; i++)
    CHECK_EQUAL (values[i], -i);

  char small = 9;
  in[0] = 1;
  in[LARGE - 1] = 2;
  both[LARGE / 2] = 3;
  CALL_HOST (large, ITEM (in, LARGE, TO), ITEM (out, LARGE, FROM), ITEM (both, LARGE, TOFROM),
	     ITEM (in, LARGE, FIRSTPRIVATE | ALIGNED (7)), ITEM (&small, 1, TOFROM));
  CHECK (in[0] == 1 && out[0] == 4 && out[LARGE - 1] == 5 && both[LARGE / 2] == 6 && small == 8);

  int data[3][4], *rows[3] = { data[0], data[1], data[2] }, last = 77;
  for (int i = 0; i < 12; i++)
    data[i / 4][i % 4] = 10 * (i / 4) + i % 4;
  uint64_t words[7] = { 3 }, pointers[7] = { 3 }, none[1] = { 0 };
  for (int i = 0; i < 3; i++)
    {
      words[2 * i + 1] = (uint64_t) data[i];
      words[2 * i + 2] = sizeof (data[i]);
      pointers[2 * i + 1] = (uint64_t) &rows[i];
      pointers[2 * i + 2] = 0;
    }
  CALL_HOST (iterated, ITEM (rows, sizeof (rows), TOFROM), ITEM (words, SIZE_MAX, TOFROM),
	     ITEM (none, SIZE_MAX, TOFROM), ITEM (&last, sizeof (last), TO),
	     ITEM (words, SIZE_MAX, TOFROM), ITEM (pointers, SIZE_MAX, ATTACH));
  for (int i = 0; i < 12; i++)
    CHECK_EQUAL (data[i / 4][i % 4], 100 + 10 * (i / 4) + i % 4);
  CHECK (rows[1] == data[1]);
  *ok = failures == 0;
}

int
main (void)
{
  need_device ();
  int ok = 0;
  TARGET (region, ITEM (&ok, sizeof (ok), TOFROM));
  CHECK_EQUAL (ok, 1);
  CHECK_EQUAL (calls, 3);
  return result ();
}
