/* With a passive policy neither the program nor its device ever yields: not while two threads wait for
   regions that call the host, nor where more threads of a region call it than have room.
   TEST-MODES: cpu
   TEST-ENV: OMP_WAIT_POLICY=passive
   TEST-ENV: OMP_THREAD_LIMIT=200 */

#include "aux-direct.h"

enum { CALLERS = 100, REGIONS = 40 };

static int over;

/* In place of the C library's, in both processes.  Sanitizers yield when the program ends.  */
int
sched_yield (void)
{
  if (!over)
    abort ();
  return 0;
}

KERNEL (next)
{
  int *n = ((int **) next_arg)[0];
  *n += 1;
}

KERNEL (one)
{
  int *sum = ((int **) one_arg)[0], n = *sum;
  for (int i = 0; i < 4; i++)
    CALL_HOST (next, ITEM (&n, sizeof (n), TOFROM));
  *sum = n;
}

KERNEL (many)
{
  int *sum = ((int **) many_arg)[0], good = 0;
#pragma omp parallel num_threads (CALLERS) reduction (+: good)
  {
    int n = omp_get_thread_num (), was = n;
    for (int i = 0; i < 4; i++)
      CALL_HOST (next, ITEM (&n, sizeof (n), TOFROM));
    good += n == was + 4;
  }
  *sum = good;
}

int
main (void)
{
  need_device ();
  int sum = 0;
#pragma omp parallel num_threads (2) reduction (+: sum)
  for (int i = 0; i < REGIONS; i++)
    TARGET (one, ITEM (&sum, sizeof (sum), TOFROM));
  CHECK_EQUAL (sum, 2 * REGIONS * 4);
  for (int i = 0; i < 4; i++)
    {
      TARGET (many, ITEM (&sum, sizeof (sum), TOFROM));
      CHECK_EQUAL (sum, CALLERS);
    }
  over = 1;
  return result ();
}
