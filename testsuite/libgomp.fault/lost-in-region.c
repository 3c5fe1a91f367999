/* The device dies in a region: one message, with the region, the maps and the call site.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=lose=2
   TEST-EXIT: 1
   TEST-OUTPUT: device 0 \(test device 0\) is lost: test device 0 died in a kernel
   TEST-OUTPUT: it was running the region main._omp_fn.0
   TEST-OUTPUT: construct: target, called from main
   TEST-OUTPUT: it maps:
   TEST-OUTPUT: 0x[0-9a-f]+, 400, (always, )?tofrom \(`data'\)
   TEST-NO-OUTPUT: the region ran
   TEST-NO-OUTPUT: is lost.*is lost  */

#include <stdio.h>

int data[100];

int
main (void)
{
#pragma omp target map(tofrom: data)
  data[1] = 42;
  printf ("the region ran: %d\n", data[1]);
  return 0;
}
