/* Sizes on both sides of the limit for packing, alignments, and what lies beside what: every byte
   arrives and nothing else changes.
   TEST-MODES: test cpu */
#include "aux-direct.h"

enum { N = 9 };
static const size_t sizes[N] = { 1, 7, 64, 4095, 4096, 4097, 65536, 300001, 2000000 };

static unsigned char
pattern (size_t i, int seed)
{
  return i * 7 + i / 251 + seed;
}

/* Slot 0: sizes; 1: results; then the arrays, the last of them from only.  */
KERNEL (invert)
{
  void **s = invert_arg;
  size_t *size = s[0], *bad = s[1];
  for (int k = 0; k < N; k++)
    {
      unsigned char *p = s[2 + k], *q = s[2 + N + k];
      bad[k] = 0;
      bad[N + k] = (uint64_t) p & ((1 << k) - 1);
      for (size_t i = 0; i < size[k]; i++)
	{
	  bad[k] += p[i] != (unsigned char) (i * 7 + i / 251 + k);
	  q[i] = ~p[i];
	  p[i] += 1;
	}
    }
}

static unsigned char *in[N], *out[N];
static size_t bad[2 * N];

static void
check (const char *what)
{
  for (int k = 0; k < N; k++)
    {
      size_t wrong = 0;
      for (size_t i = 0; i < sizes[k]; i++)
	wrong += (in[k][i] != (unsigned char) (pattern (i, k) + 1)
		  || out[k][i] != (unsigned char) ~pattern (i, k));
      if (wrong != 0 || bad[k] != 0 || bad[N + k] != 0)
	{
	  printf ("%s: size %zu: %zu wrong here, %zu there, alignment %zu\n", what, sizes[k], wrong,
		  bad[k], bad[N + k]);
	  failures++;
	}
      CHECK_EQUAL (in[k][sizes[k]], 0xee);
      CHECK_EQUAL (out[k][sizes[k]], 0xee);
      for (size_t i = 0; i < sizes[k]; i++)
	in[k][i] = pattern (i, k);
      memset (out[k], 0xee, sizes[k]);
    }
}

int
main (void)
{
  struct list l = LIST (ITEM (sizes, sizeof (sizes), TO), ITEM (bad, sizeof (bad), FROM));

  need_device ();
  for (int k = 0; k < N; k++)
    {
      in[k] = malloc (sizes[k] + 1);
      out[k] = malloc (sizes[k] + 1);
      memset (out[k], 0xee, sizes[k] + 1);
      in[k][sizes[k]] = 0xee;
      for (size_t i = 0; i < sizes[k]; i++)
	in[k][i] = pattern (i, k);
      add (&l, in[k], sizes[k], TOFROM | ALIGNED (k));
    }
  for (int k = 0; k < N; k++)
    add (&l, out[k], sizes[k], FROM | ALIGNED (k));

  struct list again = l;
  target_list (&again, invert);
  check ("target");
  again = l;
  data_list (&again);
  target_list (&again, invert);
  END_DATA ();
  check ("target data");
  for (int k = 0; k < N; k++)
    {
      ENTER (ITEM (in[k], sizes[k], TO | ALIGNED (k)));
      ENTER (ITEM (out[k], sizes[k], ALLOC | ALIGNED (k)));
    }
  again = l;
  target_list (&again, invert);
  for (int k = N - 1; k >= 0; k--)
    EXIT (ITEM (in[k], sizes[k], FROM), ITEM (out[k], sizes[k], FROM));
  check ("enter and exit data");

  struct list enter = { .n = 0 };
  for (size_t i = 2; i < l.n; i++)
    add (&enter, l.addr[i], l.size[i], TO | (l.kind[i] & 0xff00));
  GOMP_target_enter_exit_data (-1, enter.n, enter.addr, enter.size, enter.kind, 0, NULL);
  again = l;
  target_list (&again, invert);
  for (size_t i = 0; i < enter.n; i++)
    enter.kind[i] = FROM;
  GOMP_target_enter_exit_data (-1, enter.n, enter.addr, enter.size, enter.kind, 2, NULL);
  check ("enter and exit data together");
  for (int k = 0; k < N; k++)
    {
      CHECK (!IS_PRESENT (in[k]));
      free (in[k]);
      free (out[k]);
    }
  return result ();
}
