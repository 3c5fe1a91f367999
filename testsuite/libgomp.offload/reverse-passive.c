/* Reverse calls where nobody polls.
   TEST-MODES: cpu
   TEST-ENV: OMP_WAIT_POLICY=passive */

#include "aux-direct.h"

static int calls;

KERNEL (on_host)
{
  int *n = ((int **) on_host_arg)[0];
  calls++;
  *n += 1;
}

KERNEL (region)
{
  int *n = ((int **) region_arg)[0], big[1000];
  big[999] = *n;
  CALL_HOST (on_host, ITEM (&big[999], sizeof (int), TOFROM), ITEM (big, sizeof (big) - 4, TOFROM));
  *n = big[999];
}

int
main (void)
{
  need_device ();
  int n = 1;
  for (int i = 0; i < 4; i++)
    {
      TARGET (region, ITEM (&n, sizeof (n), TOFROM));
      CHECK_EQUAL (omp_pause_resource (omp_pause_hard, 0), 0);
    }
  CHECK_EQUAL (n, 5);
  CHECK_EQUAL (calls, 4);
  return result ();
}
