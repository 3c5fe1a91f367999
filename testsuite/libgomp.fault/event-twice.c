/* An event is fulfilled twice, after its task is complete.
   TEST-EXIT: 1
   TEST-OUTPUT: libgomp: omp_fulfill_event: 0x[0-9a-f]+ event is invalid or has already been fulfilled! */
#include <omp.h>

int
main (void)
{
  omp_event_handle_t event, other;
#pragma omp parallel num_threads (2)
#pragma omp single
  {
#pragma omp task detach (event)
    { }
    omp_fulfill_event (event);
#pragma omp taskwait
    /* The object behind the handle may be in use again.  */
#pragma omp task detach (other)
    { }
    omp_fulfill_event (event);
    omp_fulfill_event (other);
  }
  return 0;
}
