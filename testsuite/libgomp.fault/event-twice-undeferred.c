/* An undeferred task's event is fulfilled twice.
   TEST-EXIT: 1
   TEST-OUTPUT: libgomp: omp_fulfill_event: 0x[0-9a-f]+ event already fulfilled! */
#include <omp.h>

int
main (void)
{
  omp_event_handle_t event;
#pragma omp task detach (event) if (0)
  {
    omp_fulfill_event (event);
    omp_fulfill_event (event);
  }
  return 0;
}
