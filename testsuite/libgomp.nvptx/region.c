/* Regions on a GPU: data goes there and back, nowait regions keep the order of their dependences, a
   hard pause releases everything the driver gave.
   TEST-ENV: FAKE_CUDA_LEAKS=1
   TEST-ENV: FAKE_CUDA_DELAY_US=200  */

#define _GNU_SOURCE 1
#include "aux-image.h"

#include <omp.h>

enum { N = 5000 };

int
main (void)
{
  static int a[N], b[N];
  int sum = 0;

  for (int i = 0; i < N; i++)
    a[i] = i;
  if (omp_get_num_devices () != 1)
    return printf ("%d devices\n", omp_get_num_devices ()), 1;
#pragma omp target map(to: a) map(from: b) map(tofrom: sum)
  for (int i = 0; i < N; i++)
    {
      b[i] = a[i] + 1;
      sum += a[i];
    }
  for (int i = 0; i < N; i++)
    if (b[i] != i + 1)
      return printf ("b[%d] = %d\n", i, b[i]), 1;
  if (sum != N * (N - 1) / 2)
    return printf ("sum %d\n", sum), 1;

#pragma omp target enter data map(to: a)
  for (int k = 0; k < 20; k++)
    {
#pragma omp target nowait depend(inout: a)
      a[7] = 2 * a[7] % 1001;
    }
#pragma omp target exit data map(from: a) nowait depend(inout: a)
#pragma omp taskwait
  int x = 7;
  for (int k = 0; k < 20; k++)
    x = 2 * x % 1001;
  if (a[7] != x)
    return printf ("a[7] = %d, not %d\n", a[7], x), 1;
  if (omp_pause_resource (omp_pause_hard, 0) != 0)
    return printf ("pause failed\n"), 1;
  return 0;
}
