/* What GCC 16 makes of map(iterator(i=0:n), to: q[i][:m]) with int **q: three items that all have
   the size of iterators, but the second one has the address of q itself.  The pointer is attached
   where it points to, if it is mapped, and nothing else is read from it.
   TEST-MODES: test cpu */
#include "aux-direct.h"

#define N 3

KERNEL (add_rows)
{
  void **s = add_rows_arg;
  int **q = *(int ***) s[0];
  for (int i = 0; i < N; i++)
    q[i][0] += 100;
}

int
main (void)
{
  int rows[N][2], *pointers[N], **q = pointers, **unmapped = pointers;
  void *data[1 + 2 * N] = { (void *) N }, *attach[1 + 2 * N] = { (void *) N };

  need_device ();
  for (int i = 0; i < N; i++)
    {
      pointers[i] = rows[i];
      rows[i][0] = i;
      rows[i][1] = -1;
      data[1 + 2 * i] = rows[i];
      data[2 + 2 * i] = (void *) sizeof (rows[i]);
      attach[1 + 2 * i] = &pointers[i];
      attach[2 + 2 * i] = (void *) 0;
    }
  ENTER (ITEM (&q, sizeof (q), TO), ITEM (pointers, sizeof (pointers), TO));
  ENTER (ITEM (data, SIZE_MAX, TO), ITEM (&unmapped, SIZE_MAX, ATTACH),
	 ITEM (&q, SIZE_MAX, ATTACH), ITEM (attach, SIZE_MAX, ATTACH));
  TARGET (add_rows, ITEM (&q, sizeof (q), TO));
  EXIT (ITEM (data, SIZE_MAX, FROM), ITEM (&unmapped, SIZE_MAX, DETACH),
	ITEM (&q, SIZE_MAX, DETACH), ITEM (attach, SIZE_MAX, DETACH));
  for (int i = 0; i < N; i++)
    {
      CHECK_EQUAL (rows[i][0], 100 + i);
      CHECK_EQUAL (rows[i][1], -1);
    }
  EXIT (ITEM (&q, sizeof (q), RELEASE), ITEM (pointers, sizeof (pointers), RELEASE));
  return result ();
}
