/* A pointer in mapped data that still has the host's address, of the stack.
   TEST-MODES: cpu
   TEST-EXIT: 1
   TEST-OUTPUT: is lost: worker process [0-9]+: signal 11
   TEST-OUTPUT: it read the host address 0x[0-9a-f]+ at main._omp_fn
   TEST-OUTPUT: on the stack of the initial thread
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>

struct holder { int *p; };

int
main (void)
{
  int x = 3, y = 0;
  struct holder h = { &x };
#pragma omp target map (to: h) map (from: y)
  y = *h.p;
  printf ("not reached: %d\n", y);
  return 0;
}
