/* A region calls the host while other threads of the program use the device.
   MINGCC: 13
   TEST-MODES: gpu  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>

#pragma omp requires reverse_offload

static int calls, failures;

int
main (void)
{
  uintptr_t counter = (uintptr_t) &calls;

#pragma omp parallel num_threads (3)
  for (int round = 0; round < 5; round++)
    if (omp_get_thread_num () == 0)
      {
#pragma omp target firstprivate (counter)
	for (int k = 0; k < 50; k++)
	  {
#pragma omp target device (ancestor: 1) firstprivate (counter)
	    ++*(int *) counter;
	  }
      }
    else
      for (int k = 0; k < 20; k++)
	{
	  int x = k;
#pragma omp target map (tofrom: x)
	  x += 5;
	  if (x != k + 5)
#pragma omp atomic
	    failures++;
	}
  if (calls != 250 || failures != 0)
    return printf ("%d calls, %d failures\n", calls, failures), 1;
  return 0;
}
