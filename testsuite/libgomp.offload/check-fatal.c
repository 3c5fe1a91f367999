/* GOMP_CHECK=map,fatal: a finding ends the program.
   TEST-MODES: cpu
   TEST-OPTIONS: -O1
   TEST-ENV: GOMP_CHECK=map,fatal
   TEST-EXIT: 1
   TEST-OUTPUT: ^libgomp: check: uninitialized read
   TEST-OUTPUT: ^libgomp: ended by GOMP_CHECK=fatal
   TEST-OUTPUT: ^libgomp: check: 1 finding
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>

int
main (void)
{
  int n, m;
#pragma omp target map (alloc: n) map (from: m)
  m = n + 1;
  printf ("not reached %d\n", m);
  return 0;
}
