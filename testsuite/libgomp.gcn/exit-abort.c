/* abort in a region: the host gets the signal, and what was printed before is there.
   TEST-MODES: gcn
   TEST-EXIT: signal 6
   TEST-OUTPUT: said before
   TEST-NO-OUTPUT: not reached  */
#include "aux-gcn.h"

int
main (void)
{
  int n = 0;
#pragma omp target map (tofrom: n)
  {
    printf ("said before\n");
    if (n == 0)
      abort ();
  }
  printf ("not reached: %d\n", n);
  return 0;
}
