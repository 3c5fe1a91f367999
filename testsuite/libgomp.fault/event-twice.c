/* An event is fulfilled twice, the second time when its task is complete.
   TEST-EXIT: 1
   TEST-OUTPUT: once
   TEST-OUTPUT: libgomp: omp_fulfill_event: 0x[0-9a-f]+ event is invalid or has already been fulfilled! */
#include <omp.h>
#include <stdio.h>

int
main (void)
{
  omp_event_handle_t event, other, handle;
#pragma omp parallel num_threads (2) shared (handle)
#pragma omp single
  {
#pragma omp task detach (event) shared (handle)
    {
      handle = event;
      omp_fulfill_event (event);
    }
#pragma omp taskwait
    puts ("once");
    fflush (stdout);
    /* The object behind the handle may be in use again.  */
#pragma omp task detach (other) shared (handle)
    omp_fulfill_event (handle);
  }
  return 0;
}
