/* What a reverse call may do on the host: parallel regions, tasks, locks, device routines, target
   constructs (which it need not be able to do), on this device and another, which call back.
   TEST-MODES: cpu2 */

#include "aux-direct.h"

static int of_host, inner_calls, here;

KERNEL (innermost)
{
  (void) innermost_arg;
  __atomic_fetch_add (&inner_calls, 1, __ATOMIC_RELAXED);
}

KERNEL (inner_region)
{
  int *n = ((int **) inner_region_arg)[0];
  CALL_HOST (innermost, ITEM (NULL, 0, VALUE));
  ++*n;
}

KERNEL (on_host)
{
  int *result = ((int **) on_host_arg)[0], sum = 0, x = 5;
  #pragma omp parallel num_threads (3) reduction (+: sum)
  {
    sum++;
    #pragma omp critical
    of_host++;
  }
  #pragma omp task shared (sum)
  sum += 100;
  #pragma omp taskwait
  here = omp_is_initial_device () && omp_get_level () == 0 && omp_get_num_devices () == 2;

  void *p = omp_target_alloc (64, 1), *args[] = { (void *) -130816L, (void *) 0x200, NULL };
  CHECK (p != NULL);
  omp_target_free (p, 1);
  for (int device = 0; device < 2; device++)
    {
      struct list l = LIST (ITEM (&x, sizeof (x), TOFROM));
      GOMP_target_ext (device, inner_region, l.n, l.addr, l.size, l.kind, 0, NULL, args);
    }
  CHECK_EQUAL (x, 7);
  *result = sum;
}

KERNEL (region)
{
  int *ok = ((int **) region_arg)[0], sum = 0;
  CALL_HOST (on_host, ITEM (&sum, sizeof (sum), FROM));
  *ok = sum;
}

int
main (void)
{
  need_device ();
  int ok = 0;
  TARGET (region, ITEM (&ok, sizeof (ok), TOFROM));
  CHECK_EQUAL (ok >= 101, 1);
  CHECK_EQUAL (of_host, ok - 100);
  CHECK_EQUAL (inner_calls, 2);
  CHECK_EQUAL (here, 1);
  return result ();
}
