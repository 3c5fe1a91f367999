/* A loop that all lanes of a wave work at: for simulator.sh.  Argument: how many times.  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 65536 };

static float a[N], b[N];

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1;

  for (int i = 0; i < N; i++)
    a[i] = i, b[i] = 1;
  /* Of each element: two loads, a multiplication, an addition, a store.  */
#pragma omp target map(tofrom: a) map(to: b)
  for (int r = 0; r < rounds; r++)
#pragma omp simd
    for (int i = 0; i < N; i++)
      a[i] = a[i] * 0.5f + b[i];
  /* It comes to 2 from above.  */
  for (int i = 0; i < N; i++)
    if (rounds >= 50 && (a[i] < 1.99f || a[i] > 2.01f))
      return printf ("a[%d] is %g\n", i, a[i]), 1;
  return 0;
}
