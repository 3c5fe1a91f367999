/* omp_target_alloc, _memcpy with offsets in all directions, _free.
   TEST-MODES: host cpu cpu2 test gpu
   TEST-GPU: fallback
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=2  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 100000

int
main (void)
{
  int h = omp_get_initial_device ();
  char *a = malloc (N), *b = malloc (N);
  for (int i = 0; i < N; i++)
    a[i] = (char) (i * 13 + (i >> 8));

  for (int to = 0; to <= h; to++)
    for (int from = 0; from <= h; from++)
      {
	char *s = omp_target_alloc (N, from), *d = omp_target_alloc (N, to);
	if (s == NULL || d == NULL)
	  return printf ("no memory on %d or %d\n", from, to), 1;
	memset (b, 0, N);
	if (omp_target_memcpy (s, a, N, 0, 0, from, h) != 0
	    || omp_target_memcpy (d, s, N - 700, 500, 200, to, from) != 0
	    || omp_target_memcpy (b, d, N - 700, 500, 500, h, to) != 0)
	  return printf ("%d to %d: not copied\n", from, to), 1;
	for (int i = 0; i < N; i++)
	  if (b[i] != (i >= 500 && i < N - 200 ? a[i - 300] : 0))
	    return printf ("%d to %d: byte %d is wrong\n", from, to, i), 1;
	omp_target_free (s, from);
	omp_target_free (d, to);
      }

  /* Blocks do not overlap, whatever the order of freeing.  */
  enum { BLOCKS = 300 };
  static char *p[BLOCKS];
  static size_t size[BLOCKS];
  unsigned seed = 1;
  for (int step = 0; step < 3000; step++)
    {
      int i = (seed = seed * 1103515245 + 12345) / 65536 % BLOCKS;
      if (p[i] != NULL)
	{
	  memset (b, 0, size[i]);
	  omp_target_memcpy (b, p[i], size[i], 0, 0, h, 0);
	  for (size_t k = 0; k < size[i]; k++)
	    if (b[k] != (char) i)
	      return printf ("step %d: block %d was overwritten\n", step, i), 1;
	  omp_target_free (p[i], 0);
	  p[i] = NULL;
	}
      else
	{
	  size[i] = 1 + (seed / 7) % (step % 10 == 0 ? 90000 : 900);
	  p[i] = omp_target_alloc (size[i], 0);
	  if (p[i] == NULL)
	    return printf ("step %d: no %zu bytes\n", step, size[i]), 1;
	  if (h > 0 && (uintptr_t) p[i] % 64 != 0)
	    return printf ("step %d: alignment of %p\n", step, (void *) p[i]), 1;
	  memset (b, i, size[i]);
	  omp_target_memcpy (p[i], b, size[i], 0, 0, 0, h);
	}
    }
  omp_target_free (NULL, 0);
  omp_target_free (NULL, 12345);
  omp_target_free (a, 12345);
  if (omp_target_alloc (8, 12345) != NULL || omp_target_alloc (8, -7) != NULL)
    return printf ("memory of a device that does not exist\n"), 1;
  free (a);
  free (b);
  return 0;
}
