/* reverse-library-lib.c -- a library with a region that calls the host.  */

#include "aux-direct.h"

int library_calls;

KERNEL (library_on_host)
{
  int *n = ((int **) library_on_host_arg)[0];
  library_calls++;
  *n += 5;
}

KERNEL (library_region)
{
  int *n = ((int **) library_region_arg)[0], copy = *n;
  CALL_HOST (library_on_host, ITEM (&copy, sizeof (copy), TOFROM));
  *n = copy;
}

int library_test (void);
int
library_test (void)
{
  int n = 1;
  TARGET (library_region, ITEM (&n, sizeof (n), TOFROM));
  return n == 6 && library_calls == 1 ? result () : 1;
}
