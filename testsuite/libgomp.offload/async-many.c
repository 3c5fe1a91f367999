/* Thousands of target tasks in flight at once, independent and in chains, made by one thread
   without a region around and by several.
   TEST-MODES: host cpu cpu2 test gpu */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int failures;

static void
independent (int n)
{
  int devices = omp_get_num_devices ();
  int *a = malloc (n * sizeof (*a));
  for (int i = 0; i < n; i++)
    {
      int device = devices > 0 ? i % devices : 0;
#pragma omp target device(device) map(from: a[i]) nowait firstprivate(i)
      a[i] = 3 * i;
    }
#pragma omp taskwait
  for (int i = 0; i < n; i++)
    if (a[i] != 3 * i)
      __atomic_fetch_add (&failures, 1, __ATOMIC_RELAXED);
  free (a);
}

static void
chains (int n, int length)
{
  int *a = calloc (n, sizeof (*a));
#pragma omp target enter data map(to: a[0:n])
  for (int k = 0; k < length; k++)
    for (int i = 0; i < n; i++)
#pragma omp target map(alloc: a[0:n]) nowait depend(inout: a[i]) firstprivate(i, k)
      a[i] = a[i] == k ? k + 1 : -1000;
  for (int i = 0; i < n; i++)
    {
#pragma omp target update from(a[i:1]) nowait depend(inout: a[i])
#pragma omp task depend(inout: a[i]) firstprivate(i)
      a[i]++;
    }
#pragma omp taskwait
  for (int i = 0; i < n; i++)
    if (a[i] != length + 1)
      __atomic_fetch_add (&failures, 1, __ATOMIC_RELAXED);
#pragma omp target exit data map(delete: a[0:n])
  free (a);
}

int
main (void)
{
  independent (5000);
  chains (20, 100);
#pragma omp parallel num_threads(3)
  {
    independent (500);
    chains (10, 20);
  }
  if (failures != 0)
    printf ("%d results are wrong\n", failures);
  return failures != 0;
}
