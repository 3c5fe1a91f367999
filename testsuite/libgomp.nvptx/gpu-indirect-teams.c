/* The first kernel of a program has many teams, and all of them call functions by the host's
   addresses.
   MINGCC: 14
   TEST-MODES: gpu  */

#include <stdio.h>

#pragma omp begin declare target indirect
int one (int x) { return x + 1; }
int two (int x) { return x + 2; }
#pragma omp end declare target

enum { N = 20000 };
static int a[N];

int
main (void)
{
  int (*f[2]) (int) = { one, two };
#pragma omp target teams distribute parallel for map (to: f) map (tofrom: a)
  for (int i = 0; i < N; i++)
    a[i] = f[i % 2] (i);
  for (int i = 0; i < N; i++)
    if (a[i] != i + 1 + i % 2)
      return printf ("a[%d] is %d\n", i, a[i]), 1;
  return 0;
}
