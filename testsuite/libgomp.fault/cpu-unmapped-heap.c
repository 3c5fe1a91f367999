/* A region that uses memory of the host by its address ends the program with a message that names
   the region, the address and whose memory it is.
   TEST-MODES: cpu
   TEST-SKIP-SANITIZER: thread its heap has the same addresses in both processes
   TEST-SKIP-SANITIZER: address its heap has the same addresses in both processes
   TEST-EXIT: 1
   TEST-OUTPUT: device 0 \(cpu worker\) is lost: worker process [0-9]+: signal 11
   TEST-OUTPUT: it was running the region main._omp_fn
   TEST-OUTPUT: it wrote to the host address 0x[0-9a-f]+ at main._omp_fn
   TEST-OUTPUT: this is host memory .*not mapped
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
  int *p = malloc (1000 * sizeof (int));
  p[500] = 1;
#pragma omp target is_device_ptr (p)
  p[500]++;
  printf ("not reached: %d\n", p[500]);
  return 0;
}
