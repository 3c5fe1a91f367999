/* GOMP_INFO counts each region, each new entry and each byte once.
   TEST-MODES: cpu gpu
   TEST-ENV: GOMP_INFO=1
   TEST-OUTPUT: mapped:   2 new, 3 found present, 2 unmapped$
   TEST-OUTPUT: copied:   from devices to this one 64 B in 2$
   TEST-OUTPUT: launched: 5 regions; 0 ran on the host instead$
   TEST-OUTPUT: info:   +3 .* target main._omp_fn.[0-9]+$
   TEST-OUTPUT: info:   +2 .* target main._omp_fn.[0-9]+$  */

#include <omp.h>
#include <stdio.h>

static int a[1000];

int
main (void)
{
  int *p = a, x = 0;

#pragma omp target data map (tofrom: p[0:1000])
  for (int k = 0; k < 3; k++)
    {
#pragma omp target map (p[0:1000])
      p[k] += 1;
    }
  for (int k = 0; k < 2; k++)
    {
#pragma omp target firstprivate (x)
      x++;
    }
#pragma omp target enter data map (to: x)
#pragma omp target exit data map (from: x)
  char *q = omp_target_alloc (64, 0);
  if (!q || omp_target_memcpy (q, q, 32, 32, 0, 0, 0) != 0
      || omp_target_memcpy (q, q, 32, 0, 32, 0, 0) != 0)
    return 1;
  omp_target_free (q, 0);
  if (a[0] != 1 || a[1] != 1 || a[2] != 1)
    {
      printf ("a = %d %d %d\n", a[0], a[1], a[2]);
      return 1;
    }
  return 0;
}
