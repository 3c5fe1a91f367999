/* omp_target_memcpy_rect in 1 to 5 dimensions, in all directions, against a plain loop.
   TEST-MODES: host cpu cpu2 test gpu
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=2
   TEST-TIMEOUT: 120  */

#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIMS 5

static unsigned long state = 88172645463325252ul;
static unsigned
randomly (unsigned n)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % n;
}

static size_t element, volume[MAX_DIMS], dst_off[MAX_DIMS], src_off[MAX_DIMS],
  dst_dims[MAX_DIMS], src_dims[MAX_DIMS];

static size_t
bytes (const size_t *dims, int n)
{
  size_t all = element;
  for (int i = 0; i < n; i++)
    all *= dims[i];
  return all;
}

/* The meaning, element by element.  */
static void
reference (char *dst, const char *src, int n)
{
  size_t at[MAX_DIMS] = { 0 };
  for (int i = 0; i < n; i++)
    if (volume[i] == 0)
      return;
  for (;;)
    {
      size_t d = 0, s = 0;
      for (int i = 0; i < n; i++)
	{
	  d = d * dst_dims[i] + dst_off[i] + at[i];
	  s = s * src_dims[i] + src_off[i] + at[i];
	}
      memcpy (dst + d * element, src + s * element, element);
      int i = n - 1;
      while (i >= 0 && ++at[i] == volume[i])
	at[i--] = 0;
      if (i < 0)
	return;
    }
}

static char *
fresh (size_t size, int salt)
{
  char *p = malloc (size);
  for (size_t i = 0; i < size; i++)
    p[i] = (char) (i * 7 + salt);
  return p;
}

static int
one (int n, int dst_dev, int src_dev)
{
  int h = omp_get_initial_device (), failed = 0;
  static const size_t elements[] = { 1, 2, 3, 4, 8, 16, 20 };
  element = elements[randomly (7)];
  for (int i = 0; i < n; i++)
    {
      size_t limit = n == 1 ? 3000 : n == 2 ? 60 : n == 3 ? 15 : n == 4 ? 7 : 5;
      /* Now and then whole dimensions, single elements, nothing.  */
      int kind = randomly (8);
      dst_dims[i] = 1 + randomly (limit);
      src_dims[i] = 1 + randomly (limit);
      if (kind < 2)
	src_dims[i] = dst_dims[i];
      size_t most = dst_dims[i] < src_dims[i] ? dst_dims[i] : src_dims[i];
      volume[i] = kind < 3 ? most : kind == 3 ? 1 : 1 + randomly (most);
      if (kind == 7 && randomly (6) == 0)
	volume[i] = 0;
      dst_off[i] = randomly (dst_dims[i] - volume[i] + 1);
      src_off[i] = randomly (src_dims[i] - volume[i] + 1);
    }
  size_t dst_size = bytes (dst_dims, n), src_size = bytes (src_dims, n);
  char *dst = fresh (dst_size, 1), *src = fresh (src_size, 100);
  char *wanted = fresh (dst_size, 1), *got = fresh (dst_size, 55);
  reference (wanted, src, n);

  char *d = omp_target_alloc (dst_size, dst_dev), *s = omp_target_alloc (src_size, src_dev);
  if (d == NULL || s == NULL
      || omp_target_memcpy (d, dst, dst_size, 0, 0, dst_dev, h) != 0
      || omp_target_memcpy (s, src, src_size, 0, 0, src_dev, h) != 0)
    {
      printf ("no memory for the test\n");
      return 1;
    }
  int result = omp_target_memcpy_rect (d, s, element, n, volume, dst_off, src_off, dst_dims,
				       src_dims, dst_dev, src_dev);
  if (result != 0 || omp_target_memcpy (got, d, dst_size, 0, 0, h, dst_dev) != 0
      || memcmp (got, wanted, dst_size) != 0)
    {
      printf ("%d dims, element %zu, device %d to %d: result %d\n", n, element, src_dev, dst_dev,
	      result);
      for (int i = 0; i < n; i++)
	printf ("  volume %zu, to %zu of %zu, from %zu of %zu\n", volume[i], dst_off[i],
		dst_dims[i], src_off[i], src_dims[i]);
      failed = 1;
    }
  omp_target_free (d, dst_dev);
  omp_target_free (s, src_dev);
  free (dst);
  free (src);
  free (wanted);
  free (got);
  return failed;
}

int
main (void)
{
  int h = omp_get_initial_device ();
  if (omp_target_memcpy_rect (NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, h, h) != INT_MAX
      || omp_target_memcpy_rect (NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, 99, 99)
	 != INT_MAX)
    return printf ("any number of dimensions can be copied\n"), 1;
  for (int round = 0; round < 40; round++)
    for (int n = 1; n <= MAX_DIMS; n++)
      for (int to = 0; to <= h; to++)
	for (int from = 0; from <= h; from++)
	  if (one (n, to, from))
	    return 1;
  return 0;
}
