/* Variables with "declare target link": regions see what is mapped at the time, through a pointer in the image.
   TEST-SKIP-SANITIZER: thread the simulator is slow there  */
#include "aux-gcn.h"

static int a[100], b = 5;
#pragma omp declare target link (a, b)
#pragma omp declare target
static __attribute__ ((noinline)) int sum (int n)
{
  int s = b;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
#pragma omp end declare target

int
main (void)
{
  int s = 0;
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma omp target map (to: a, b) map (from: s)
  s = sum (100);
  CHECK_EQUAL (s, 4955);
#pragma omp target data map (tofrom: a) map (tofrom: b)
  {
    a[0] = 1000;
#pragma omp target map (from: s)
    {
      s = sum (10);
      a[1] = 11;
      b++;
    }
  }
  CHECK_EQUAL (s, 50);
  CHECK_EQUAL (a[1], 11);
  CHECK_EQUAL (b, 6);
  return failures != 0;
}
