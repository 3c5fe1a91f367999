/* No event at all.
   TEST-EXIT: 1
   TEST-OUTPUT: libgomp: omp_fulfill_event: 0x7530ab12345 event is invalid or has already been fulfilled! */
#include <omp.h>
#include <stdint.h>

int
main (void)
{
  omp_fulfill_event ((omp_event_handle_t) (uintptr_t) 0x7530ab12345);
  return 0;
}
