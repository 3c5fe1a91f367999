/* omp_target_associate_ptr and _disassociate_ptr, and how associated memory is mapped.
   TEST-MODES: host cpu test gpu
   TEST-GPU: fallback  */

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int failures;

static void
check (const char *what, long got, long wanted)
{
  if (got != wanted)
    {
      printf ("%s: %ld instead of %ld\n", what, got, wanted);
      failures = 1;
    }
}

#define N 10

int
main (void)
{
  int h = omp_get_initial_device (), other = 7;
  int a[N], b[N], sum = 0;

  check ("host", omp_target_associate_ptr (a, b, sizeof (a), 0, h), EINVAL);
  check ("-1", omp_target_associate_ptr (a, b, sizeof (a), 0, -1), EINVAL);
  check ("bad device", omp_target_associate_ptr (a, b, sizeof (a), 0, h + 9), EINVAL);
  check ("disassociate on the host", omp_target_disassociate_ptr (a, h), EINVAL);
  check ("present on the host", omp_target_is_present (a, h), 1);
  check ("present, NULL", omp_target_is_present (NULL, h), 0);
  if (h == 0)
    return failures;

  int *d = omp_target_alloc (2 * sizeof (a), 0);
  for (int i = 0; i < N; i++)
    {
      a[i] = i;
      b[i] = 100 + i;
    }
  check ("memcpy", omp_target_memcpy (d, b, sizeof (b), sizeof (a), 0, 0, h), 0);
  check ("associate with nothing", omp_target_associate_ptr (a, NULL, sizeof (a), 0, 0), EINVAL);
  check ("associate nothing", omp_target_associate_ptr (NULL, d, sizeof (a), 0, 0), EINVAL);
  check ("not present yet", omp_target_is_present (a, 0), 0);
  check ("associate", omp_target_associate_ptr (a, d, sizeof (a), sizeof (a), 0), 0);
  check ("present", omp_target_is_present (a, 0), 1);
  check ("present inside", omp_target_is_present (&a[N - 1], 0), 1);
  check ("present behind", omp_target_is_present (a + N, 0), 0);
  check ("again, the same", omp_target_associate_ptr (a, d, sizeof (a), sizeof (a), 0), 0);
  check ("again, elsewhere", omp_target_associate_ptr (a, d, sizeof (a), 0, 0), EINVAL);
  check ("again, more", omp_target_associate_ptr (a, d, 2 * sizeof (a), sizeof (a), 0), EINVAL);

  /* Permanent: no copies, except for always and update.  */
#pragma omp target map(tofrom: a, sum)
  for (int i = 0; i < N; i++)
    sum += a[i];
  check ("sum of the device's values", sum, 100 * N + N * (N - 1) / 2);
  check ("host value untouched", a[3], 3);
#pragma omp target exit data map(delete: a)
  check ("present after delete", omp_target_is_present (a, 0), 1);
#pragma omp target update from(a)
  check ("after update", a[3], 103);
  a[4] = 1;
#pragma omp target update to(a[4:1])
  sum = 0;
#pragma omp target map(tofrom: sum) map(to: a)
  sum = a[4];
  check ("after update to", sum, 1);

  check ("disassociate inside", omp_target_disassociate_ptr (&a[1], 0), EINVAL);
  check ("disassociate something else", omp_target_disassociate_ptr (&other, 0), EINVAL);
  check ("disassociate", omp_target_disassociate_ptr (a, 0), 0);
  check ("disassociate twice", omp_target_disassociate_ptr (a, 0), EINVAL);
  check ("not present", omp_target_is_present (a, 0), 0);
#pragma omp target data map(to: b)
  check ("disassociate what is mapped", omp_target_disassociate_ptr (b, 0), EINVAL);
  omp_target_free (d, 0);
  return failures;
}
