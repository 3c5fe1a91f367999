/* The table of functions with `indirect', which GCC 14 and newer make, written by hand: calls by
   the host's address find the device's function, in helper threads, too.
   TEST-OPTIONS: -O1 -fPIE -pie  */

#include <stdio.h>

#define LISTED __attribute__ ((section (".gnu.offload_ind_funcs"), used))

#pragma omp declare target
static int __attribute__ ((noinline)) add (int a, int b) { return a + b; }
static int __attribute__ ((noinline)) multiply (int a, int b) { return a * b; }
#pragma omp end declare target

static int (*listed_add) (int, int) LISTED = add;
static int (*listed_multiply) (int, int) LISTED = multiply;

int
main (void)
{
  int (*f[2]) (int, int) = { listed_add, listed_multiply };
  int result[2] = { 0, 0 }, sum = 0;

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
#pragma omp target parallel for num_threads (3) map (to: f) map (tofrom: sum) reduction (+: sum)
  for (int i = 0; i < 30; i++)
    sum += f[i % 2] (i, 1);
  if (sum != 225 + 225)
    {
      printf ("sum %d\n", sum);
      return 1;
    }
  return 0;
}
