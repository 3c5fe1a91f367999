/* Declare target variables of the executable and of a shared object, with their initial values on
   the device, large ones too, moved by update only.
   TEST-SHARED: cpu-variables-lib.c
   TEST-OPTIONS: ./cpu-variables-lib.so -Wl,-rpath,$ORIGIN
   TEST-MODES: cpu  */

#include <stdio.h>

#define N 50000
#pragma omp declare target
int small = 7;
double large[N] = { 1.5 };
extern int shared_small;
extern double shared_large[N];
#pragma omp end declare target
extern int region_of_library (int add);

int
main (void)
{
  int failed = 0, a = 0, b = 0;
  double first = 0, sum = 0;

  small = 1;
  shared_small = 2;
#pragma omp target map (from: a, b, first)
  {
    a = small++;
    b = shared_small++;
    first = large[0] + shared_large[N - 1];
  }
  if (a != 7 || b != 70 || first != 4.0)
    {
      printf ("initial values: %d %d %g, not 7 70 4\n", a, b, first);
      failed = 1;
    }
  /* 70 + 1 by the region above.  */
  a = region_of_library (1000);
  if (a != 1071)
    {
      printf ("the library's region has another copy: %d, not 1071\n", a);
      failed = 1;
    }
#pragma omp target update from (small, shared_small)
  if (small != 8 || shared_small != 1071)
    {
      printf ("update from: %d %d, not 8 1071\n", small, shared_small);
      failed = 1;
    }
  for (int i = 0; i < N; i++)
    {
      large[i] = i;
      shared_large[i] = 2 * i;
    }
#pragma omp target update to (large, shared_large)
#pragma omp target map (tofrom: sum)
  for (int i = 0; i < N; i++)
    {
      sum += shared_large[i] - large[i];
      large[i] = -large[i];
    }
  if (sum != (double) N * (N - 1) / 2)
    {
      printf ("update to: the sum is %g\n", sum);
      failed = 1;
    }
#pragma omp target update from (large)
  for (int i = 0; i < N; i++)
    if (large[i] != -i)
      {
	printf ("update from: large[%d] is %g\n", i, large[i]);
	return 1;
      }
  return failed;
}
