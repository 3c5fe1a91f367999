/* More callers on the device than there are slots for calls, from several regions on two devices.
   TEST-MODES: cpu2
   TEST-OPTIONS: -I@srcdir@/libgomp.offload
   TEST-TIMEOUT: 60 */

#include "aux-direct.h"

enum { THREADS = 80, CALLS = 25, REGIONS = 4 };
static long calls, sum;

KERNEL (add_up)
{
  void **slot = add_up_arg;
  long *n = slot[0], *big = slot[1];
  __atomic_fetch_add (&calls, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add (&sum, *n, __ATOMIC_RELAXED);
  *n = big[499] + 1;
}

KERNEL (region)
{
  long *good = ((long **) region_arg)[0], count = 0;
  #pragma omp parallel num_threads (THREADS) reduction (+: count)
  {
    long big[500];
    for (int i = 0; i < CALLS; i++)
      {
	long n = omp_get_thread_num () * CALLS + i;
	big[499] = n;
	CALL_HOST (add_up, ITEM (&n, sizeof (n), TOFROM), ITEM (big, sizeof (big), TO));
	count += n == omp_get_thread_num () * CALLS + i + 1;
      }
    if (omp_get_thread_num () == 0)
      count += (THREADS - omp_get_num_threads ()) * CALLS;
  }
  *good = count;
}

int
main (void)
{
  need_device ();
  long good[REGIONS] = { 0 };
  void *args[] = { (void *) -130816L, (void *) 0x200, NULL };
  #pragma omp parallel for num_threads (REGIONS) schedule (static, 1)
  for (int i = 0; i < REGIONS; i++)
    {
      struct list l = LIST (ITEM (&good[i], sizeof (good[i]), TOFROM));
      GOMP_target_ext (i % 2, region, l.n, l.addr, l.size, l.kind, 0, NULL, args);
    }
  for (int i = 0; i < REGIONS; i++)
    CHECK_EQUAL (good[i], THREADS * CALLS);
  CHECK (calls > 0 && calls <= REGIONS * THREADS * CALLS);
  return result ();
}
