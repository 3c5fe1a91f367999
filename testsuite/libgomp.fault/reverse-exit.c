/* Host functions that a region calls end the program, in the waiting thread or in a helper, while
   others are being served.
   TEST-MODES: cpu
   TEST-OPTIONS: -I@srcdir@/libgomp.offload
   TEST-EXIT: 3
   TEST-OUTPUT: handler ran
   TEST-TIMEOUT: 20
   TEST-NO-OUTPUT: libgomp: |not reached  */

#include "aux-direct.h"
#include <pthread.h>
#include <unistd.h>

enum { CALLERS = 3 };
static pthread_barrier_t barrier;

KERNEL (on_host)
{
  (void) on_host_arg;
  if (pthread_barrier_wait (&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
    exit (3);
  pause ();
}

KERNEL (region)
{
  (void) region_arg;
  #pragma omp parallel num_threads (CALLERS)
  CALL_HOST (on_host, ITEM (1, 0, VALUE));
}

static void
handler (void)
{
  printf ("handler ran\n");
}

int
main (void)
{
  atexit (handler);
  pthread_barrier_init (&barrier, NULL, CALLERS);
  TARGET (region, ITEM (1, 0, VALUE));
  printf ("not reached\n");
  return 0;
}
