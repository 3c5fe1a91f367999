/* Iterator items expand to many; each keeps one slot, also when there are none.
   TEST-MODES: test cpu */
#include "aux-direct.h"

#define N 4

KERNEL (add_rows)
{
  void **s = add_rows_arg;
  int **q = s[1], *sum = s[3];
  *sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 3; j++)
      {
	*sum += q[i][j];
	q[i][j] += 1000;
      }
}

KERNEL (look)
{
  void **s = look_arg;
  memcpy (s[0], s, 4 * sizeof (void *));
}

int
main (void)
{
  int rows[N][3], *q[N], sum = 0;
  uint64_t slots[4];
  void *data[1 + 2 * N] = { (void *) N }, *attach[1 + 2 * N] = { (void *) N };
  void *none[1] = { (void *) 0 }, *null_first[5] = { (void *) 2, NULL, (void *) 8, rows, (void *) 4 };

  need_device ();
  for (int i = 0; i < N; i++)
    {
      q[i] = rows[i];
      for (int j = 0; j < 3; j++)
	rows[i][j] = 10 * i + j;
      data[1 + 2 * i] = rows[i];
      data[2 + 2 * i] = (void *) sizeof (rows[i]);
      attach[1 + 2 * i] = &q[i];
      attach[2 + 2 * i] = (void *) 0;
    }
  TARGET (add_rows, ITEM (data, SIZE_MAX, TOFROM), ITEM (q, sizeof (q), TO),
	  ITEM (attach, SIZE_MAX, ATTACH), ITEM (&sum, 4, FROM));
  CHECK_EQUAL (sum, 10 * (0 + 1 + 2 + 3) * 3 + N * 3);
  CHECK_EQUAL (rows[3][2], 1032);
  CHECK (q[2] == rows[2]);

  /* The same by enter, update and exit data.  */
  ENTER (ITEM (q, sizeof (q), TO), ITEM (data, SIZE_MAX, TO), ITEM (attach, SIZE_MAX, ATTACH));
  rows[1][1] = 7;
  UPDATE (ITEM (data, SIZE_MAX, TO));
  TARGET (add_rows, ITEM (NULL, 0, TO), ITEM (q, 0, ZLAS), ITEM (NULL, 0, TO), ITEM (&sum, 4, FROM));
  CHECK_EQUAL (rows[1][1], 7);
  UPDATE (ITEM (data, SIZE_MAX, FROM));
  CHECK_EQUAL (rows[1][1], 1007);
  EXIT (ITEM (data, SIZE_MAX, RELEASE), ITEM (q, sizeof (q), FROM),
	ITEM (attach, SIZE_MAX, DETACH));
  CHECK (q[0] == rows[0] && q[3] == rows[3]);
  CHECK (!IS_PRESENT (q) && !IS_PRESENT (rows[2]));

  /* An iterator without elements keeps its slot; one whose first element is NULL has NULL.  */
  TARGET (look, ITEM (slots, sizeof (slots), FROM), ITEM (none, SIZE_MAX, TO),
	  ITEM (null_first, SIZE_MAX, TO), ITEM (42, 0, VALUE));
  CHECK_EQUAL (slots[1], 0);
  CHECK_EQUAL (slots[2], 0);
  CHECK_EQUAL (slots[3], 42);
  return result ();
}
