/* Scans and conditional lastprivate use the runtime's shared memory for a loop.  */
#include <stdio.h>

#define N 300
int
main (void)
{
  static long a[N], b[N];
  long sum = 0, last = -1;
  for (int i = 0; i < N; i++)
    a[i] = i % 7;
#pragma omp parallel num_threads (3)
  {
    for (int round = 0; round < 5; round++)
      {
#pragma omp single
	sum = 0;
#pragma omp for reduction (inscan, +: sum)
	for (int i = 0; i < N; i++)
	  {
	    sum += a[i];
#pragma omp scan inclusive (sum)
	    b[i] = sum;
	  }
#pragma omp for schedule (dynamic, 3) lastprivate (conditional: last)
	for (int i = 0; i < N; i++)
	  if (a[i] == 5)
	    last = i;
      }
  }
  long expect = 0, expect_last = 0;
  for (int i = 0; i < N; i++)
    {
      expect += a[i];
      if (a[i] == 5)
	expect_last = i;
      if (b[i] != expect)
	return printf ("b[%d] is %ld, not %ld\n", i, b[i], expect), 1;
    }
  if (sum != expect || last != expect_last)
    return printf ("sum %ld, last %ld\n", sum, last), 1;
  return 0;
}
