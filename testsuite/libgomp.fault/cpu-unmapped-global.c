/* A pointer to a global of the program that is not declare target.
   TEST-OPTIONS: -fPIE -pie
   TEST-MODES: cpu
   TEST-EXIT: 1
   TEST-OUTPUT: is lost: worker process [0-9]+: signal 11
   TEST-OUTPUT: it wrote to the host address 0x[0-9a-f]+
   TEST-OUTPUT: `table\+0x14'
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>

int table[100000];

int
main (void)
{
  int *p = &table[5];
#pragma omp target firstprivate (p)
  p[0] = 1;
  printf ("not reached: %d\n", table[5]);
  return 0;
}
