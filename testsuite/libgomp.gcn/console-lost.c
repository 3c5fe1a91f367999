/* What a region has printed before it dies appears before the message.
   TEST-MODES: gcnsim
   TEST-IMAGE: gcn
   TEST-EXIT: 1
   TEST-OUTPUT: (?n)gcn-sim: fault
   TEST-OUTPUT: last words\n(.*\n)*libgomp: device 0 .* is lost
   TEST-NO-OUTPUT: not reached  */

#include "aux-gcn.h"

int
main (void)
{
  long where = 8;
#pragma omp target map (tofrom: where)
  {
    printf ("last words\n");
    *(volatile int *) where = 1;
  }
  printf ("not reached %ld\n", where);
  return 0;
}
