/* Copies to and from addresses where a cpu device has no memory fail, and the device goes on.
   TEST-MODES: cpu  */

#include <errno.h>
#include <omp.h>
#include <stddef.h>
#include <stdio.h>

static char a[100];

int
main (void)
{
  int h = omp_get_initial_device (), bad = 0, x = 1;
  size_t far = (size_t) 1 << 46;

  if (omp_get_num_devices () == 0)
    return 77;
  char *d = omp_target_alloc (100, 0);
  bad |= (omp_target_memcpy (d, a, 100, far, 0, 0, h) == EINVAL) ? 0 : 1;
  bad |= (omp_target_memcpy (a, d, 100, 0, far, h, 0) == EINVAL) ? 0 : 2;
  bad |= (omp_target_memcpy (d, d, 100, 0, far, 0, 0) == EINVAL) ? 0 : 4;
  bad |= (omp_target_memcpy (d, a, far, 0, 0, 0, h) == EINVAL) ? 0 : 8;
  /* What a region has allocated is memory.  */
  char *own = NULL;
#pragma omp target map(from: own)
  own = __builtin_malloc (100);
  bad |= omp_target_memcpy (own, a, 100, 0, 0, 0, h) == 0 ? 0 : 16;
  bad |= omp_target_memcpy (a, own, 100, 0, 0, h, 0) == 0 ? 0 : 32;
#pragma omp target map(tofrom: x)
  x++;
  if (bad != 0 || x != 2)
    printf ("bad %#x, x %d\n", bad, x);
  return bad != 0 || x != 2;
}
