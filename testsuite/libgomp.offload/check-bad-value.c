/* Values of GOMP_CHECK that are not understood are told, and nothing is checked.
   TEST-MODES: cpu
   TEST-ENV: GOMP_CHECK=map;notes
   TEST-OUTPUT: ^libgomp: Invalid value for environment variable GOMP_CHECK: map;notes
   TEST-NO-OUTPUT: libgomp: check  */

int
main (void)
{
  int n, m = 0;
#pragma omp target map (alloc: n) map (from: m)
  m = n * 0;
  return m;
}
