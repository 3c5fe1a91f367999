/* abort in a region ends the program with one message that names the region.
   TEST-MODES: gpu
   TEST-EXIT: 1
   TEST-OUTPUT: device 0 .*is lost
   TEST-OUTPUT: main._omp_fn
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
  int x = 0;
#pragma omp target map (tofrom: x)
  if (x == 0)
    abort ();
  printf ("not reached\n");
  return 0;
}
