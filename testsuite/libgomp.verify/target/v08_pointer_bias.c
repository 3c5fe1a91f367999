/* Array section with non-zero lower bound keeps indexing; pointer itself also mapped is attached.
   MINGCC: 12
   TEST-MODES: host cpu gpu
EXPECT BOTH:
9 110 114 15
2 203 207 8 1
END
   BOTH = host fallback and non-shared-memory device; DEV lines are derived from the OpenMP specification. */
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
  int *p = malloc (80), *save = p, n = 5;
  for (int i = 0; i < 20; i++) p[i] = i;
  #pragma omp target map(tofrom: p[10:n])
  for (int i = 10; i < 15; i++) p[i] += 100;
  printf ("%d %d %d %d\n", p[9], p[10], p[14], p[15]);
  #pragma omp target map(tofrom: p, p[3:n])
  for (int i = 3; i < 8; i++) p[i] += 200;
  printf ("%d %d %d %d %d\n", p[2], p[3], p[7], p[8], p == save);
  free (save);
  return 0;
}
