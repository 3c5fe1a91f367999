/* Starting a deferred region fails, when its predecessor, a task of the host, is complete.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=fail_launch=2
   TEST-EXIT: 1
   TEST-OUTPUT: device 0 \(test device 0\): .*testLaunch failed: as ordered by fail_launch \(driver error\)
   TEST-OUTPUT: construct: target \(main._omp_fn
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>

int
main (void)
{
  int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp target map(tofrom: x) nowait depend(inout: x)
    x = 42;
#pragma omp task depend(inout: x) shared(x)
    x++;
#pragma omp target map(tofrom: x) nowait depend(inout: x)
    x = 43;
#pragma omp task depend(inout: x) shared(x)
    printf ("not reached: %d\n", x);
  }
  return 0;
}
