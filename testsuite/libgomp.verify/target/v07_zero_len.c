/* Zero-length sections and bare pointers: translated if mapped, otherwise value kept.
   MINGCC: 12
   TEST-MODES: host cpu gpu
EXPECT BOTH:
3
5
1
33 55
END
   BOTH = host fallback and non-shared-memory device; DEV lines are derived from the OpenMP specification. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
  int *p = malloc (40), *q = malloc (40), z = 0, n = 10, ok = 0; uintptr_t v = 0;
  for (int i = 0; i < 10; i++) p[i] = i;
  #pragma omp target data map(tofrom: p[0:n])
  {
    #pragma omp target map(from: ok)
    { ok = p[3]; p[3] = 33; }
    printf ("%d\n", ok);
    int *m = p + 4;
    #pragma omp target map(m[0:z]) map(from: ok)
    { ok = m[1]; m[1] = 55; }
    printf ("%d\n", ok);
    #pragma omp target map(q[0:z]) map(from: v)
    v = (uintptr_t) q;
    printf ("%d\n", v == (uintptr_t) q);
  }
  printf ("%d %d\n", p[3], p[5]);
  free (p); free (q);
  return 0;
}
