/* omp_target_memcpy_rect_async between two devices, also where these cannot do it themselves: any shape,
   larger than what is on the way at a time, in the order of dependences, and without a thread: the
   program's only one looks at memory until everything has arrived.
   TEST-OPTIONS: -D_GNU_SOURCE -ldl
   TEST-MODES: test cpu2 cpu
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=2,memory=134217728
   TEST-ENV: OMP_NUM_THREADS=1  */

#include "aux-device-api.h"

#define MAX 5

struct shape
{
  int n;
  size_t volume[MAX], at[MAX], to[MAX], dims[MAX], to_dims[MAX];
};

static const struct shape shapes[] =
  {
    { 1, { 1000 }, { 3 }, { 7 }, { 1010 }, { 1100 } },
    { 2, { 2, 5 << 20 }, { 1, 0 }, { 0, 5 }, { 3, 5 << 20 }, { 2, (5 << 20) + 5 } },
    { 3, { 30, 40, 7001 }, { 1, 2, 3 }, { 0, 4, 2 }, { 31, 50, 7100 }, { 33, 45, 7003 } },
    { 5, { 3, 2, 4, 5, 2 }, { 1, 1, 0, 1, 1 }, { 0, 0, 2, 3, 0 }, { 4, 3, 4, 6, 3 },
      { 3, 3, 6, 8, 4 } },
    { 4, { 100, 3, 1, 11 }, { 0, 0, 0, 0 }, { 0, 1, 0, 1 }, { 100, 3, 2, 11 },
      { 100, 4, 1, 12 } }
  };

static size_t
bytes (const size_t *dims, int n)
{
  size_t all = 1;
  for (int i = 0; i < n; i++)
    all *= dims[i];
  return all;
}

/* What the destination, which was full of 1, should be.  */
static void
copy (const struct shape *s, unsigned char *dst, const unsigned char *src)
{
  size_t rows = bytes (s->volume, s->n - 1), width = s->volume[s->n - 1];
  for (size_t row = 0; row < rows; row++)
    {
      size_t at[MAX] = { 0 }, from = 0, to = 0, rest = row;
      for (int k = s->n - 2; k >= 0; k--)
	{
	  at[k] = rest % s->volume[k];
	  rest /= s->volume[k];
	}
      for (int k = 0; k < s->n; k++)
	{
	  from = from * s->dims[k] + s->at[k] + at[k];
	  to = to * s->to_dims[k] + s->to[k] + at[k];
	}
      memcpy (dst + to, src + from, width);
    }
}

static int
one (const struct shape *s, int to, int from)
{
  int host = omp_get_initial_device ();
  size_t size = bytes (s->dims, s->n), to_size = bytes (s->to_dims, s->n);
  unsigned char *src = malloc (size), *got = malloc (to_size + 1), *wanted = malloc (to_size);
  char *d = omp_target_alloc (to_size + 1, to), *f = omp_target_alloc (size, from);
  omp_depend_t order;
  int failed = 0;

  for (size_t i = 0; i < size; i++)
    src[i] = 2 + (i + (i >> 13) * 7) % 251;
  memset (got, 1, to_size);
  got[to_size] = 99;
  if (omp_target_memcpy (f, src, size, 0, 0, from, host) != 0
      || omp_target_memcpy (d, got, to_size + 1, 0, 0, to, host) != 0)
    return printf ("FAIL: no memory\n"), 1;
  memset (wanted, 1, to_size);
  copy (s, wanted, src);
  memset (got, 0, to_size + 1);

#pragma omp depobj (order) depend (inout: src[0])
  if (rect_async (d, f, 1, s->n, s->volume, s->to, s->at, s->to_dims, s->dims, to, from, 1, &order) != 0
      || memcpy_async (got, d, to_size + 1, 0, 0, host, to, 1, &order) != 0)
    return printf ("FAIL: not accepted\n"), 1;
#ifndef __SANITIZE_THREAD__	/* this is a race, which does no harm */
  while (*(volatile unsigned char *) &got[to_size] != 99)
    continue;
#endif
#pragma omp taskwait
  for (size_t i = 0; i < to_size && !failed; i++)
    if (got[i] != wanted[i])
      failed = printf ("FAIL: %d dimensions, %d to %d: byte %zu is %d, not %d\n", s->n, from, to, i, got[i],
		       wanted[i]);
#pragma omp depobj (order) destroy
  omp_target_free (d, to);
  omp_target_free (f, from);
  free (src);
  free (got);
  free (wanted);
  return failed;
}

int
main (void)
{
  int failed = 0, last = omp_get_num_devices () - 1;

  get_routines ();
  for (size_t i = 0; i < sizeof (shapes) / sizeof (shapes[0]); i++)
    failed |= one (&shapes[i], last, 0) | one (&shapes[i], 0, last);
  return failed != 0;
}
