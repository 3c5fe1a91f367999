/* exit of the only thread of a region ends the program with its status.
   TEST-EXIT: 3
   TEST-OUTPUT: said before
   TEST-NO-OUTPUT: not reached  */
#include "aux-gcn.h"

int
main (void)
{
  int n = 0;
#pragma omp target map (tofrom: n) thread_limit (1)
  {
    printf ("said before\n");
    if (n == 0)
      exit (3);
  }
  printf ("not reached: %d\n", n);
  return 0;
}
