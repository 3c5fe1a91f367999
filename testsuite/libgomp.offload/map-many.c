/* Thousands of small objects, mapped and released in different orders, one by one and in one
   construct.
   TEST-MODES: test cpu */
#include "aux-direct.h"

#define N 5000
static long object[N][2];

KERNEL (negate)
{
  void **s = negate_arg;
  for (int i = 0; i < N; i++)
    *(long *) s[i] = -*(long *) s[i];
}

int
main (void)
{
  static void *addr[N];
  static size_t size[N];
  static unsigned short kind[N];
  void *args[] = { (void *) 0x200, NULL };
  unsigned x = 1;

  need_device ();
  for (int i = 0; i < N; i++)
    {
      object[i][0] = i;
      ENTER (ITEM (object[i], sizeof (long), TO));
    }
  /* All of them found, in a scattered order.  */
  for (int i = 0; i < N; i++)
    {
      addr[i] = object[(long) i * 2503 % N];
      size[i] = sizeof (long);
      kind[i] = TOFROM;
    }
  GOMP_target_ext (-1, negate, N, addr, size, kind, 0, NULL, args);
  for (int i = 0; i < N; i++)
    {
      x = x * 1103515245 + 12345;
      int k = (x >> 8) % N;
      CHECK_EQUAL (IS_PRESENT (object[k]), 1);
      CHECK_EQUAL (IS_PRESENT (&object[k][1]), 0);
    }
  for (int i = 0; i < N; i++)
    EXIT (ITEM (object[(long) i * 1777 % N], sizeof (long), FROM));
  for (int i = 0; i < N; i++)
    CHECK_EQUAL (object[i][0], -i);

  /* All of them new, in one construct.  */
  GOMP_target_ext (-1, negate, N, addr, size, kind, 0, NULL, args);
  for (int i = 0; i < N; i++)
    {
      CHECK_EQUAL (object[i][0], i);
      CHECK_EQUAL (IS_PRESENT (object[i]), 0);
    }
  return result ();
}
