/* A transfer of omp_target_memcpy fails: it says so, and the next one works.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=fail_copy=1  */

#include <errno.h>
#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int x = 42, y = 0, h = omp_get_initial_device ();
  int *d = omp_target_alloc (sizeof (int), 0);
  int first = omp_target_memcpy (d, &x, sizeof (int), 0, 0, 0, h);
  int second = omp_target_memcpy (d, &x, sizeof (int), 0, 0, 0, h);
  int third = omp_target_memcpy (&y, d, sizeof (int), 0, 0, h, 0);
  if (first != EINVAL || second != 0 || third != 0 || y != 42)
    return printf ("%d %d %d, y = %d\n", first, second, third, y), 1;
  return 0;
}
