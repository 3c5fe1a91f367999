/* Regions that nobody waits for call the host: helpers serve, or whoever waits in the end.
   TEST-MODES: cpu cpu2 */

#include "aux-direct.h"
#include <sched.h>

enum { REGIONS = 12 };
static int calls;
static _Atomic (int) called;

KERNEL (on_host)
{
  int *n = ((int **) on_host_arg)[0];
  __atomic_fetch_add (&calls, 1, __ATOMIC_RELAXED);
  *n *= 2;
  called = 1;
}

KERNEL (region)
{
  int *n = ((int **) region_arg)[0];
  CALL_HOST (on_host, ITEM (n, sizeof (*n), ALWAYS_TOFROM));
  int local = *n;
  CALL_HOST (on_host, ITEM (&local, sizeof (local), TOFROM));
  *n = local;
}

static void
start (int *n, int device)
{
  void *args[] = { (void *) -130816L, (void *) 0x200, NULL };
  struct list l = LIST (ITEM (n, sizeof (*n), TOFROM));
  GOMP_target_ext (device, region, l.n, l.addr, l.size, l.kind, 1, NULL, args);
}

int
main (void)
{
  need_device ();
  int n[REGIONS];
  for (int round = 0; round < 3; round++)
    {
      for (int i = 0; i < REGIONS; i++)
	{
	  n[i] = i + 1;
	  start (&n[i], i % omp_get_num_devices ());
	}
      #pragma omp taskwait
      for (int i = 0; i < REGIONS; i++)
	CHECK_EQUAL (n[i], 4 * (i + 1));
    }
  CHECK_EQUAL (calls, 3 * 2 * REGIONS);

  /* There are helpers now: no thread of the program has to wait for the device.  */
  called = 0;
  n[0] = 3;
  start (&n[0], 0);
  while (!called)
    sched_yield ();
  #pragma omp taskwait
  CHECK_EQUAL (n[0], 12);
  return result ();
}
