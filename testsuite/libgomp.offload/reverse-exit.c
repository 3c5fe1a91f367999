/* The program ends in a reverse call of a deferred region, while others are under way: the end of the
   process does not wait for the region, which waits for the call.
   TEST-MODES: cpu cpu2
   TEST-OUTPUT: ^handler$
   TEST-EXIT: 5 */

#include "aux-direct.h"

static void
handler (void)
{
  printf ("handler\n");
}

KERNEL (on_host)
{
  if (*((int **) on_host_arg)[0] == 3)
    exit (5);
}

KERNEL (region)
{
  int *n = ((int **) region_arg)[0];
  CALL_HOST (on_host, ITEM (n, sizeof (*n), TO));
  ++*n;
}

static void
start (int *n)
{
  void *args[] = { (void *) -130816L, (void *) 0x200, NULL };
  struct list l = LIST (ITEM (n, sizeof (*n), TOFROM));
  GOMP_target_ext (0, region, l.n, l.addr, l.size, l.kind, 1, NULL, args);
}

int
main (void)
{
  int n[6];
  need_device ();
  atexit (handler);
  for (int i = 0; i < 6; i++)
    {
      n[i] = i;
      start (&n[i]);
    }
  #pragma omp taskwait
  printf ("a region that has ended the program is over\n");
  return 1;
}
