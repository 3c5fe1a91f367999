/* Boxes with rows larger than the memory for copies between devices, and many dimensions.
   TEST-MODES: cpu cpu2 test gpu
   TEST-ENV: GOMPX_TEST_PLUGIN=memory=200000000  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW ((size_t) 9 << 20)
#define MANY 40

int
main (void)
{
  int h = omp_get_initial_device (), last = omp_get_num_devices () - 1;
  char *a = malloc (3 * ROW), *b = malloc (3 * ROW);
  for (size_t i = 0; i < 3 * ROW; i++)
    a[i] = (char) (i * 31 + (i >> 12));
  memset (b, 0, 3 * ROW);
  char *d = omp_target_alloc (3 * ROW, 0), *e = omp_target_alloc (3 * ROW, last);
  if (d == NULL || e == NULL)
    return printf ("no memory\n"), 1;
  size_t volume[2] = { 2, ROW - 5 }, at[2] = { 1, 3 }, dims[2] = { 3, ROW };
  if (omp_target_memcpy_rect (d, a, 1, 2, volume, at, at, dims, dims, 0, h) != 0
      || omp_target_memcpy_rect (e, d, 1, 2, volume, at, at, dims, dims, last, 0) != 0
      || omp_target_memcpy_rect (b, e, 1, 2, volume, at, at, dims, dims, h, last) != 0)
    return printf ("large rows: not copied\n"), 1;
  for (size_t y = 0; y < 3; y++)
    for (size_t x = 0; x < ROW; x++)
      {
	int inside = y >= 1 && x >= 3 && x < 3 + ROW - 5;
	if (b[y * ROW + x] != (inside ? a[y * ROW + x] : 0))
	  return printf ("byte %zu of row %zu\n", x, y), 1;
      }

  /* 40 dimensions of 1 or 2 elements.  */
  size_t v[MANY], zero[MANY], two[MANY];
  for (int i = 0; i < MANY; i++)
    {
      v[i] = i >= MANY - 4 || i < 2 ? 2 : 1;
      zero[i] = 0;
      two[i] = i >= MANY - 10 || i < 2 ? 2 : 1;
    }
  memset (b, 0, 4096 * 4);
  if (omp_target_memcpy_rect (d, a, 4, MANY, v, zero, zero, two, two, 0, h) != 0
      || omp_target_memcpy_rect (b, d, 4, MANY, v, zero, zero, two, two, h, 0) != 0)
    return printf ("many dimensions: not copied\n"), 1;
  for (int o = 0; o < 4; o++)
    for (int i = 0; i < 1024; i++)
      {
	size_t k = o * 1024 + i;
	if (memcmp (b + 4 * k, i < 16 ? a + 4 * k : "\0\0\0", 4) != 0)
	  return printf ("element %zu of 4096\n", k), 1;
      }
  omp_target_free (d, 0);
  omp_target_free (e, last);
  free (a);
  free (b);
  return 0;
}
