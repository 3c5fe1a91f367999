/* What the copying routines refuse, before they copy anything.
   TEST-MODES: host cpu test gpu
   TEST-GPU: fallback  */

#include <errno.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int failures;
static char a[64], b[64];

static void
check (const char *what, int got, int wanted)
{
  if (got != wanted)
    {
      printf ("%s: %d instead of %d\n", what, got, wanted);
      failures = 1;
    }
  for (int i = 0; i < 64; i++)
    if (b[i] != 0)
      {
	printf ("%s: something was copied\n", what);
	failures = 1;
	memset (b, 0, sizeof (b));
      }
}

int
main (void)
{
  int h = omp_get_initial_device (), bad = h + 5;
  size_t one[3] = { 1, 1, 1 }, zero[3] = { 0, 0, 0 }, dims[3] = { 4, 4, 4 };
  size_t huge[3] = { 1, SIZE_MAX / 2, SIZE_MAX / 2 }, big[3] = { SIZE_MAX / 2, 4, 4 };
  size_t none[3] = { 0, SIZE_MAX / 2, 2 };

  memset (a, 1, sizeof (a));
  check ("memcpy to a bad device", omp_target_memcpy (b, a, 8, 0, 0, bad, h), EINVAL);
  check ("memcpy from a bad device", omp_target_memcpy (b, a, 8, 0, 0, h, bad), EINVAL);
  check ("memcpy from -2", omp_target_memcpy (b, a, 8, 0, 0, h, -2), EINVAL);
  check ("memcpy of nothing", omp_target_memcpy (b, a, 0, 0, 0, h, h), 0);
  check ("memcpy of nothing to a device", omp_target_memcpy (NULL, a, 0, 0, 0, 0, h), 0);
  check ("rect to a bad device",
	 omp_target_memcpy_rect (b, a, 1, 3, one, zero, zero, dims, dims, bad, h), EINVAL);
  check ("rect of no dimensions",
	 omp_target_memcpy_rect (b, a, 1, 0, one, zero, zero, dims, dims, h, h), EINVAL);
  check ("rect of -1 dimensions",
	 omp_target_memcpy_rect (b, a, 1, -1, one, zero, zero, dims, dims, h, h), EINVAL);
  check ("dimensions overflow",
	 omp_target_memcpy_rect (b, a, 1, 3, one, zero, zero, huge, dims, h, h), EINVAL);
  check ("the other dimensions overflow",
	 omp_target_memcpy_rect (b, a, 1, 3, one, zero, zero, dims, huge, h, h), EINVAL);
  check ("offset overflows",
	 omp_target_memcpy_rect (b, a, 1, 3, one, big, zero, dims, dims, h, h), EINVAL);
  check ("volume overflows",
	 omp_target_memcpy_rect (b, a, 8, 3, big, zero, zero, dims, dims, h, h), EINVAL);
  check ("volume overflows, but is empty",
	 omp_target_memcpy_rect (b, a, 8, 3, none, zero, zero, dims, dims, h, h), EINVAL);
  check ("empty", omp_target_memcpy_rect (b, a, 1, 3, zero, zero, zero, dims, dims, h, h), 0);
  /* The outermost dimension is not used for anything.  */
  size_t outer[3] = { SIZE_MAX, 4, 4 };
  check ("outermost dimension",
	 omp_target_memcpy_rect (a, a, 1, 3, one, zero, zero, outer, outer, h, h), 0);
  return failures;
}
