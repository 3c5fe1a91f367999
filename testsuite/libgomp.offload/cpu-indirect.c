/* Pointers to functions with `indirect' are called on the device by the host's address.
   MINGCC: 14
   TEST-MODES: host cpu gpu  */

#include <stdio.h>

#pragma omp begin declare target indirect
int add (int a, int b) { return a + b; }
int multiply (int a, int b) { return a * b; }
#pragma omp end declare target

int
main (void)
{
  int (*f[2]) (int, int) = { add, multiply };
  int result[2] = { 0, 0 };

  for (int round = 0; round < 3; round++)
    {
#pragma omp target map (to: f) map (from: result)
      for (int i = 0; i < 2; i++)
	result[i] = f[i] (6, 7);
      if (result[0] != 13 || result[1] != 42)
	{
	  printf ("%d %d\n", result[0], result[1]);
	  return 1;
	}
    }
  return 0;
}
