/* Private copies: values, alignment, write-back, and a descriptor that shows its data's copy.
   TEST-MODES: host test cpu */
#include "aux-direct.h"

struct big { long v[2000]; };

KERNEL (use)
{
  void **s = use_arg;
  uint64_t *out = s[0];
  char *small = s[1];
  struct big *big = s[2];
  out[0] = (uint64_t) small;
  out[1] = (uint64_t) big;
  out[2] = small[1];
  out[3] = big->v[1999];
  out[4] = (uint64_t) s[3];
  out[5] = *(uint64_t *) s[4];
  small[1] = 99;
  big->v[1999] = 99;
}

KERNEL (sum_array)
{
  void **s = sum_array_arg;
  struct { int *data; long n; } *desc = s[1];
  int sum = 0;
  for (int i = 0; i < desc->n; i++)
    {
      sum += desc->data[i];
      desc->data[i] = -1;
    }
  *(int *) s[0] = sum;
}

int
main (void)
{
  static uint64_t out[6];
  static struct big big;
  char small[3] = { 1, 2, 3 };
  uint64_t word = 0xfeedf00d;

  for (int log2 = 3; log2 <= 12; log2 += 3)
    {
      big.v[1999] = 1999;
      struct list l = LIST (ITEM (out, sizeof (out), TOFROM),
			    ITEM (small, 3, FIRSTPRIVATE | ALIGNED (log2)),
			    ITEM (&big, sizeof (big), FIRSTPRIVATE | ALIGNED (log2)),
			    ITEM (NULL, 64, FIRSTPRIVATE | ALIGNED (3)),
			    ITEM (&word, 8, FIRSTPRIVATE | ALIGNED (3)));
      target_list (&l, use);
      CHECK (out[0] != (uint64_t) small && out[1] != (uint64_t) &big);
      CHECK_EQUAL (out[0] & ((1UL << log2) - 1), 0);
      CHECK_EQUAL (out[1] & ((1UL << log2) - 1), 0);
      CHECK_EQUAL (out[2], 2);
      CHECK_EQUAL (out[3], 1999);
      CHECK_EQUAL (out[4], 0);
      CHECK_EQUAL (out[5], word);
      CHECK_EQUAL (small[1], 2);
      CHECK_EQUAL (big.v[1999], 1999);
      /* The caller's array shows the copies.  */
      CHECK_EQUAL ((uint64_t) l.addr[1], out[0]);
      CHECK_EQUAL ((uint64_t) l.addr[2], out[1]);
      CHECK (l.addr[3] == NULL);
    }

  /* firstprivate of an allocatable: descriptor, data, attachment of the one to the other.  */
  for (int n = 3; n <= 3000; n += 2997)
    {
      int *data = malloc (n * sizeof (int)), sum = 0, expected = 0;
      for (int i = 0; i < n; i++)
	expected += data[i] = i + 1;
      struct { int *data; long n; } desc = { data, n };
      struct list l = LIST (ITEM (&sum, 4, TOFROM),
			    ITEM (&desc, sizeof (desc), FIRSTPRIVATE | ALIGNED (3)),
			    ITEM (data, n * sizeof (int), FIRSTPRIVATE | ALIGNED (2)),
			    ITEM (NULL, 0, ATTACH));
      l.addr[3] = &l.addr[1];
      target_list (&l, sum_array);
      CHECK_EQUAL (sum, expected);
      CHECK_EQUAL (data[n - 1], n);
      CHECK (desc.data == data);
      free (data);
    }
  return result ();
}
