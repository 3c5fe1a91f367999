/* The same for a finding that is made when the program ends; notes do not count.
   TEST-MODES: cpu
   TEST-OPTIONS: -O1
   TEST-ENV: GOMP_CHECK= Map , FATAL,notes
   TEST-EXIT: 1
   TEST-OUTPUT: ^reached
   TEST-OUTPUT: ^libgomp: check: stale read: the device used an old value of `n' \(4 bytes\)
   TEST-OUTPUT: ^libgomp: check: 1 finding  */

#include <stdio.h>

int n = 1, k = 1;

int
main (void)
{
  int m;
#pragma omp target enter data map (to: n, k)
#pragma omp target map (tofrom: k)
  k = 2;
#pragma omp target exit data map (release: k)
  n = 2;
#pragma omp target map (to: n) map (from: m)
  m = n + 1;
  puts ("reached");
  return m != 2;
}
