/* What a thread of a team does that a reverse call has started is part of the call: a region that uses the
   outer region's data does not wait for that one, which waits for the call; exit does not either.
   TEST-MODES: cpu
   TEST-OUTPUT: ^handler$
   TEST-NO-OUTPUT: libgomp:|over
   TEST-EXIT: 5 */

#include "aux-direct.h"

enum { THREADS = 3 };

static void
handler (void)
{
  printf ("handler\n");
}

KERNEL (inner)
{
  ++*((int **) inner_arg)[0];
}

KERNEL (on_host)
{
  int *n = ((int **) on_host_arg)[0], local[THREADS] = { 0 };
#pragma omp parallel num_threads (THREADS)
  {
    int me = omp_get_thread_num ();
    TARGET (inner, ITEM (&local[me], sizeof (int), TOFROM), ITEM (n, sizeof (int), TOFROM));
  }
  for (int i = 0; i < THREADS; i++)
    if (local[i] != 1)
      exit (1);
#pragma omp parallel num_threads (THREADS)
  if (omp_get_thread_num () == THREADS - 1)
    exit (5);
}

KERNEL (region)
{
  int *n = ((int **) region_arg)[0];
  CALL_HOST (on_host, ITEM (n, sizeof (*n), TO));
}

int
main (void)
{
  static int n[2];
  void *args[] = { (void *) -130816L, (void *) 0x200, NULL };
  struct list l = LIST (ITEM (n, sizeof (n), TOFROM));
  need_device ();
  atexit (handler);
  GOMP_target_ext (0, region, l.n, l.addr, l.size, l.kind, 1, NULL, args);
#pragma omp taskwait
  printf ("the region is over\n");
  return 1;
}
