/* A slow device, with the wait policy that does not poll.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=delay_us=300
   TEST-ENV: OMP_WAIT_POLICY=passive  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int a[1000], sum = 0, h = omp_get_initial_device ();
  for (int i = 0; i < 1000; i++)
    a[i] = i;
#pragma omp target data map(to: a)
  {
    for (int round = 0; round < 5; round++)
      {
#pragma omp target map(tofrom: sum)
	for (int i = 0; i < 1000; i++)
	  sum += a[i]++;
#pragma omp target update from(a[10:5])
	if (a[9] != 9 || a[10] != 11 + round || a[14] != 15 + round)
	  {
	    printf ("round %d: %d %d %d\n", round, a[9], a[10], a[14]);
	    sum = -1000000;
	  }
      }
  }
  int *d = omp_target_alloc (sizeof (a), 0);
  if (omp_target_memcpy (d, a, sizeof (a), 0, 0, 0, h) != 0
      || omp_target_memcpy (a, d, 40, 0, 400, h, 0) != 0 || a[0] != 100)
    return printf ("memcpy: %d\n", a[0]), 1;
  omp_target_free (d, 0);
  if (sum != 5 * 499500 + 1000 * 10)
    return printf ("sum = %d\n", sum), 1;
  return 0;
}
