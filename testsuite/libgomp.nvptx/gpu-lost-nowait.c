/* A deferred region fails while another thread uses the device: one message, no hang.
   TEST-MODES: gpu
   TEST-EXIT: 1
   TEST-OUTPUT: device 0 .*is lost
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
#pragma omp parallel num_threads (4)
  for (int k = 0; k < 1000; k++)
    {
      int x = k;
#pragma omp target map (tofrom: x) nowait
      if (x == 500)
	abort ();
#pragma omp taskwait
    }
  printf ("not reached\n");
  return 0;
}
