/* Without a cpu device there is nothing to check, which is told.
   TEST-MODES: host
   TEST-ENV: GOMP_CHECK=map
   TEST-OUTPUT: ^libgomp: check: nothing was checked: no region ran on a cpu device  */

#include <omp.h>

int
main (void)
{
  int n = omp_get_num_devices ();
#pragma omp target map (tofrom: n)
  n++;
  return n != 1;
}
