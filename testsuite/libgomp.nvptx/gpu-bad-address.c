/* A region that writes where nothing is ends the program with one message that names the region and what it maps.
   TEST-MODES: gpu
   TEST-EXIT: 1
   TEST-OUTPUT: device 0 .*is lost
   TEST-OUTPUT: main._omp_fn
   TEST-OUTPUT: it maps:
   TEST-OUTPUT: 0x[0-9a-f]+, 400, tofrom
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>

int
main (void)
{
  int *p = (int *) 0x1000, table[100] = { 0 };
#pragma omp target is_device_ptr (p) map (tofrom: table)
  {
    table[1] = 1;
    *(volatile int *) p = table[1];
  }
  printf ("not reached\n");
  return 0;
}
