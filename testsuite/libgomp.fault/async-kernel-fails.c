/* A deferred region fails while it runs, without killing the device; nobody waits for it yet.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=fail_kernel=2
   TEST-EXIT: 1
   TEST-OUTPUT: device 0 \(test device 0\): .*testEventStatus: an operation failed \(driver error\)
   TEST-OUTPUT: construct: target \(main._omp_fn.1\), called from main
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>

int
main (void)
{
  int x = 0, y = 0;
#pragma omp target map(tofrom: x) nowait depend(inout: x)
  x = 42;
#pragma omp target map(tofrom: y) nowait depend(inout: x)
  y = 43;
#pragma omp task depend(inout: x) shared(x)
  printf ("not reached: %d\n", x);
#pragma omp taskwait
  return 0;
}
