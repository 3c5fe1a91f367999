/* Several threads find the same device dead: one message, no hang.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=lose=300
   TEST-ENV: OMP_NUM_THREADS=4
   TEST-EXIT: 1
   TEST-OUTPUT: device 0 \(test device 0\) is lost
   TEST-NO-OUTPUT: is lost.*is lost  */

#include <stdio.h>

int
main (void)
{
#pragma omp parallel
  for (int i = 0; i < 1000; i++)
    {
      int x[100];
      x[5] = i;
#pragma omp target map(tofrom: x)
      x[5]++;
    }
  printf ("all regions ran\n");
  return 0;
}
