/* GOMP_INFO=2: a line for every event, and the summary, also when the program ends by exit.
   TEST-MODES: cpu test gpu
   TEST-ENV: GOMP_INFO=2
   TEST-OUTPUT: info: device 0: image of .* loaded: 1 regions, 1 variables
   TEST-OUTPUT: info: device 0: region main._omp_fn.0 took [0-9.]+ us
   TEST-OUTPUT: info: device 0: omp_target_memcpy copies 400 bytes to the device
   TEST-OUTPUT: info: summary after
   TEST-OUTPUT: launched: 1 regions; 0 ran on the host instead
   TEST-OUTPUT: info:   +1 .* target main._omp_fn.0$  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int data[100];
#pragma omp declare target to(data)

int
main (void)
{
  int x = 1;
#pragma omp target map(tofrom: x)
  x += 41;
  int *p = omp_target_alloc (400, 0);
  omp_target_memcpy (p, data, 400, 0, 0, 0, omp_get_initial_device ());
  omp_target_free (p, 0);
  exit (x != 42);
}
