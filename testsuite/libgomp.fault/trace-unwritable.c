/* A trace that cannot be written: told once, the program runs on.
   TEST-MODES: host cpu
   TEST-ENV: GOMP_TRACE=/no/such/directory/trace.json
   TEST-OUTPUT: cannot write the trace to /no/such/directory/trace.json, the value of GOMP_TRACE: No such file
   TEST-OUTPUT: x = 42  */

#include <stdio.h>

int
main (void)
{
  int x = 0;
#pragma omp target map(tofrom: x)
  x = 42;
  printf ("x = %d\n", x);
  return x != 42;
}
