/* Simd loops whose iterations have arrays of their own, larger than what GCC keeps ready for each lane's stack.
   TEST-MODES: host cpu ptxours ptxlanes gpu
   TEST-OPTIONS: -O2  */
#include <stdio.h>
enum { N = 1300, LENGTH = 150 };
static int out[N];
int
main (void)
{
  int failures = 0;
#pragma omp target teams distribute parallel for simd map (from: out) thread_limit (256)
  for (int i = 0; i < N; i++)
    {
      int value[LENGTH];
      for (int k = 0; k < LENGTH; k++)
	value[k] = i * k + (k ^ i);
      for (int n = LENGTH - 1; n > 0; n--)
	for (int k = 0; k < n; k++)
	  value[k] = (value[k + 1] ^ value[k]) + k;
      out[i] = value[0];
    }
  for (int i = 0; i < N; i++)
    {
      int value[LENGTH];
      for (int k = 0; k < LENGTH; k++)
	value[k] = i * k + (k ^ i);
      for (int n = LENGTH - 1; n > 0; n--)
	for (int k = 0; k < n; k++)
	  value[k] = (value[k + 1] ^ value[k]) + k;
      failures += out[i] != value[0];
    }
  printf ("%d failures\n", failures);
  return failures != 0;
}
