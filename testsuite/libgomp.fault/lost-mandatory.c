/* A device that the program requires is lost while other threads begin regions: the message tells
   why, and none says only that the device cannot be used.  An exit handler of the thread that
   found it gets to know, too.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=lose=300
   TEST-ENV: OMP_TARGET_OFFLOAD=MANDATORY
   TEST-ENV: OMP_NUM_THREADS=8
   TEST-EXIT: 1
   TEST-OUTPUT: device 0 \(test device 0\) is lost
   TEST-OUTPUT: MANDATORY, but device is lost
   TEST-NO-OUTPUT: cannot be used
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>
#include <stdlib.h>

static void
handler (void)
{
#pragma omp target
  ;
  printf ("not reached\n");
}

int
main (void)
{
#pragma omp target
  ;
  atexit (handler);
#pragma omp parallel
  for (int i = 0; i < 1000; i++)
    {
      int x[100];
      x[5] = i;
#pragma omp target map(tofrom: x)
      x[5]++;
    }
  printf ("not reached\n");
  return 0;
}
