/* There is no device memory for a deferred construct: the message is that of one that is not
   deferred.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=memory=1048576
   TEST-EXIT: 1
   TEST-OUTPUT: device memory allocation fail: .* bytes on device 0
   TEST-NO-OUTPUT: not reached  */

#include <omp.h>
#include <stdio.h>

static char big[4 << 20];

int
main (void)
{
  int x = 0;
  omp_event_handle_t event;
#pragma omp task detach(event) depend(out: x)
  { }
#pragma omp target enter data map(to: big) nowait depend(inout: x)
#pragma omp target map(to: big) map(tofrom: x) nowait depend(inout: x)
  x = big[0];
  puts ("made");
  omp_fulfill_event (event);
#pragma omp taskwait
  puts ("not reached");
  return 0;
}
