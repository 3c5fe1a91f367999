/* A value of GOMP_INFO that is no number.
   TEST-ENV: GOMP_INFO=yes
   TEST-OUTPUT: Invalid value for environment variable GOMP_INFO: yes
   TEST-NO-OUTPUT: summary  */

#include <stdio.h>

int
main (void)
{
  int x = 0;
#pragma omp target map(tofrom: x)
  x = 42;
  return x != 42;
}
