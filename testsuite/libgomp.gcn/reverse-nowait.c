/* A region that nobody waits for calls the host: a helper serves it, while the program does something else.
   MINGCC: 14  */

#include "aux-gcn.h"
#include <sched.h>
#pragma omp requires reverse_offload

static int arrived;

/* On the host.  */
static void __attribute__ ((noinline))
arrive (int r)
{
  __atomic_store_n (&arrived, r, __ATOMIC_RELEASE);
}

int
main (void)
{
  int r = 0;
#pragma omp target map (tofrom: r) nowait
  {
    int mine = 3;
#pragma omp target device (ancestor: 1) map (tofrom: mine)
    {
      arrive (mine);
      mine = 8;
    }
    r = mine + 1;
  }
  /* The call comes while this thread never waits for the device.  */
  int seen = 0;
  while (seen != 3)
    {
      seen = __atomic_load_n (&arrived, __ATOMIC_ACQUIRE);
      sched_yield ();
    }
#pragma omp taskwait
  CHECK_EQUAL (r, 9);
  return failures != 0;
}
