/* A value of GOMP_CPU_DEVICES that is no number: no device, the reason is told once, and the program
   runs on.
   TEST-MODES: host
   TEST-ENV: GOMP_CPU_DEVICES=two
   TEST-OUTPUT: ^libgomp: plugin cpu: GOMP_CPU_DEVICES=two is not a number of devices between 0 and 16: ignored$
   TEST-NO-OUTPUT: is not a number(.|\n)*is not a number
   TEST-OUTPUT: ^reached 43$  */

#include <stdio.h>

int
main (void)
{
  int x = 41;
#pragma omp target map (x)
  x++;
#pragma omp target map (x)
  x++;
  printf ("reached %d\n", x);
  return 0;
}
