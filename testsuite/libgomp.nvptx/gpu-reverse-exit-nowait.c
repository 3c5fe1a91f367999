/* The same for a deferred region, whose calls a helper serves: the end of the process does not wait for
   the region, which waits for the call.
   MINGCC: 13
   TEST-MODES: gpu
   TEST-EXIT: 5
   TEST-OUTPUT: ^handler$
   TEST-NO-OUTPUT: not reached|libgomp:  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#pragma omp requires reverse_offload

static void
handler (void)
{
  printf ("handler\n");
}

int
main (void)
{
  int x = 0;

  atexit (handler);
#pragma omp target nowait map (tofrom: x)
  {
    /* With a condition: compilers take a region that always exits for one that does not return.  */
#pragma omp target device (ancestor: 1) firstprivate (x)
    if (x == 0)
      exit (5);
    x = 1;
  }
  /* Not in the library: nobody waits for the device.  */
  sleep (30);
  printf ("not reached\n");
  return 1;
}
