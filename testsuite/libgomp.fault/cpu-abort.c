/* abort in a region.
   TEST-MODES: cpu
   TEST-EXIT: 1
   TEST-OUTPUT: is lost: worker process [0-9]+: signal 6 \(Aborted\)
   TEST-OUTPUT: it was running the region main._omp_fn
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
#pragma omp target
  abort ();
  printf ("not reached\n");
  return 0;
}
