/* exit in a region that nobody waits for at once: the program ends when it is noticed, with the region's status;
   exit handlers of the host run.  (With other threads GCC's library may end as by abort: they notice, too.)
   TEST-MODES: gcn
   TEST-ENV: GCN_NUM_THREADS=1
   TEST-EXIT: 5
   TEST-OUTPUT: said before
   TEST-OUTPUT: handler
   TEST-NO-OUTPUT: not reached  */
#include "aux-gcn.h"

static void
handler (void)
{
  printf ("handler\n");
  fflush (stdout);
}

int
main (void)
{
  int n = 0;
  atexit (handler);
#pragma omp target map (tofrom: n) nowait
  {
    printf ("said before\n");
    if (n == 0)
      exit (5);
  }
#pragma omp taskwait
  printf ("not reached: %d\n", n);
  return 0;
}
