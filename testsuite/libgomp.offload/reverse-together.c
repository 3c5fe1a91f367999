/* Reverse calls run at the same time: each of four host functions waits for the other three.
   TEST-MODES: cpu */

#include "aux-direct.h"
#include <pthread.h>

enum { CALLERS = 4 };
static pthread_barrier_t barrier;
static int sum, threads_differ;
static pthread_t who[CALLERS];

KERNEL (meet)
{
  void **slot = meet_arg;
  int *n = slot[0];
  who[*n] = pthread_self ();
  pthread_barrier_wait (&barrier);
  __atomic_fetch_add (&sum, *n, __ATOMIC_RELAXED);
  *n += 10;
}

KERNEL (region)
{
  int *ok = ((int **) region_arg)[0], good = 0;
  #pragma omp parallel num_threads (CALLERS) reduction (+: good)
  {
    int n = omp_get_thread_num (), was = n;
    if (omp_get_num_threads () == CALLERS)
      for (int round = 0; round < 20; round++)
	{
	  CALL_HOST (meet, ITEM (&n, sizeof (n), TOFROM));
	  good += n == was + 10;
	  n = was;
	}
  }
  *ok = good;
}

int
main (void)
{
  need_device ();
  int ok = 0;
  pthread_barrier_init (&barrier, NULL, CALLERS);
  TARGET (region, ITEM (&ok, sizeof (ok), TOFROM));
  CHECK_EQUAL (ok, 20 * CALLERS);
  CHECK_EQUAL (sum, 20 * (0 + 1 + 2 + 3));
  for (int i = 1; i < CALLERS; i++)
    threads_differ += !pthread_equal (who[i], who[0]);
  CHECK_EQUAL (threads_differ, CALLERS - 1);
  return result ();
}
