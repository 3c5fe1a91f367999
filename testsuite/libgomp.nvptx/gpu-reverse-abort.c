/* A function of the host that a region calls aborts: the program dies by that signal, as it would anywhere.
   MINGCC: 13
   TEST-MODES: gpu
   TEST-EXIT: signal 6
   TEST-OUTPUT: ^on the host$
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>
#include <stdlib.h>

#pragma omp requires reverse_offload

int
main (void)
{
  int x = 0;
#pragma omp target map (tofrom: x)
#pragma omp parallel num_threads (4)
  {
    /* With a condition: compilers take a region that always aborts for one that does not return.  */
#pragma omp target device (ancestor: 1) firstprivate (x)
    if (x == 0)
      {
	printf ("on the host\n");
	fflush (stdout);
	abort ();
      }
    x = 1;
  }
  printf ("not reached: %d\n", x);
  return 0;
}
