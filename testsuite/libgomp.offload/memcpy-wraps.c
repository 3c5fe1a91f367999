/* Copies whose end wraps around the address space are refused, in all routines that can say so.
   TEST-MODES: host cpu cpu2 test gpu
   TEST-GPU: fallback
   TEST-OPTIONS: -L@libdir@  */

#include <errno.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern int omp_target_memcpy_async (void *, const void *, size_t, size_t, size_t, int, int, int,
				    omp_depend_t *);
extern int omp_target_memcpy_rect_async (void *, const void *, size_t, int, const size_t *,
					 const size_t *, const size_t *, const size_t *,
					 const size_t *, int, int, int, omp_depend_t *);

static int failures;
static char a[100];

static void
check (const char *what, int got, int wanted)
{
  if (got != wanted)
    {
      printf ("%s: %d instead of %d\n", what, got, wanted);
      failures = 1;
    }
}

int
main (void)
{
  int h = omp_get_initial_device (), dev = omp_get_default_device ();
  volatile size_t all = SIZE_MAX;
  char *d = omp_target_alloc (100, dev);
  size_t one[2] = { 1, 1 }, zero[2] = { 0, 0 }, dims[2] = { 10, 10 };
  size_t tall[2] = { all / 11, 1 }, wide[2] = { all / 11, all / 11 }, far[2] = { all / 10, 9 };

  check ("length -1 to the device", omp_target_memcpy (d, a, all, 0, 0, dev, h), EINVAL);
  check ("length -1 from the device", omp_target_memcpy (a, d, all, 0, 0, h, dev), EINVAL);
  check ("length -1 in the device", omp_target_memcpy (d, d, all, 0, 0, dev, dev), EINVAL);
  check ("length -1 on the host", omp_target_memcpy (a, a, all, 0, 0, h, h), EINVAL);
  check ("offset -10", omp_target_memcpy (d, a, 20, all - 9, 0, dev, h), EINVAL);
  check ("source offset -10", omp_target_memcpy (a, d, 20, 0, all - 9, h, dev), EINVAL);
  check ("async, length -1", omp_target_memcpy_async (d, a, all, 0, 0, dev, h, 0, NULL), EINVAL);
  check ("async, offset -10", omp_target_memcpy_async (d, a, 20, all - 9, 0, dev, h, 0, NULL),
	 EINVAL);
  check ("rect, all rows", omp_target_memcpy_rect (d, a, 1, 2, tall, zero, zero, dims, dims, dev, h),
	 EINVAL);
  check ("rect, rows and columns",
	 omp_target_memcpy_rect (d, a, 1, 2, wide, zero, zero, dims, dims, dev, h), EINVAL);
  check ("rect, offset", omp_target_memcpy_rect (d, a, 1, 2, one, far, zero, dims, dims, dev, h),
	 EINVAL);
  check ("rect, source offset",
	 omp_target_memcpy_rect (a, d, 1, 2, one, zero, far, dims, dims, h, dev), EINVAL);
  check ("rect, async",
	 omp_target_memcpy_rect_async (d, a, 1, 2, wide, zero, zero, dims, dims, dev, h, 0, NULL),
	 EINVAL);
  check ("nothing, far away", omp_target_memcpy (d, a, 0, all, all, dev, h), 0);
  if (dev != h && omp_get_num_devices () > 0)
    {
      check ("associate, size -1", omp_target_associate_ptr (a, d, all, 0, dev), EINVAL);
      check ("associate, offset -10", omp_target_associate_ptr (a, d, 20, all - 9, dev), EINVAL);
      check ("associate, nothing of it", omp_target_is_present (a, dev), 0);
    }

  /* Nothing is lost.  */
  strcpy (a, "still there");
  check ("copy to", omp_target_memcpy (d, a, 12, 20, 0, dev, h), 0);
  memset (a, 0, 12);
  check ("copy from", omp_target_memcpy (a, d, 12, 0, 20, h, dev), 0);
  check ("what was copied", strcmp (a, "still there"), 0);
  omp_target_free (d, dev);
  return failures;
}
