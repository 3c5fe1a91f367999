/* A helper thread of a team in a region has not enough stack.
   TEST-MODES: cpu
   TEST-EXIT: 1
   TEST-OUTPUT: signal 11 \(Segmentation fault\), stack overflow
   TEST-SKIP-SANITIZER: address frames are much larger, and may jump over the guard pages
   TEST-NO-OUTPUT: not reached  */

#include <omp.h>
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
  int x = 1 << 30, y = 0;
#pragma omp target parallel num_threads (3) map (to: x) map (tofrom: y)
  if (omp_get_thread_num () == 2)
    y = deep (x);
  printf ("not reached: %d\n", y);
  return 0;
}
