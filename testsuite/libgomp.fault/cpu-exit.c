/* exit in a region: what it has printed is there.
   TEST-MODES: cpu
   TEST-EXIT: 1
   TEST-OUTPUT: is lost: worker process [0-9]+: exit \(3\) was called on the device
   TEST-OUTPUT: ^said before the end$
   TEST-OUTPUT: it was running the region main._omp_fn
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
#pragma omp target
  {
    printf ("said before the end\n");
    exit (3);
  }
  printf ("not reached\n");
  return 0;
}
