/* A region without enough stack.
   TEST-MODES: cpu
   TEST-EXIT: 1
   TEST-OUTPUT: signal 11 \(Segmentation fault\), stack overflow
   TEST-OUTPUT: it was running the region main._omp_fn
   TEST-SKIP-SANITIZER: address frames are much larger, and may jump over the guard pages
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>

static int
deep (int n)
{
  volatile char frame[2000];
  frame[n % 2000] = 1;
  return n == 0 ? 0 : deep (n - 1) + frame[n % 1000];
}

int
main (void)
{
  int x = 1 << 30;
#pragma omp target map (tofrom: x)
  x = deep (x);
  printf ("not reached: %d\n", x);
  return 0;
}
