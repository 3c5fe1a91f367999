/* The worker is killed while several threads serve calls: the death is explained once.
   TEST-MODES: cpu
   TEST-OPTIONS: -I@srcdir@/libgomp.offload
   TEST-EXIT: 1
   TEST-OUTPUT: is lost: worker process [0-9]+ was killed
   TEST-TIMEOUT: 20
   TEST-NO-OUTPUT: is lost.*is lost
   TEST-NO-OUTPUT: not reached  */

#include "aux-direct.h"
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

enum { CALLERS = 3 };
static pthread_barrier_t barrier;

KERNEL (on_host)
{
  int *worker = ((int **) on_host_arg)[0];
  if (pthread_barrier_wait (&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
    kill (*worker, SIGKILL);
}

KERNEL (region)
{
  (void) region_arg;
  #pragma omp parallel num_threads (CALLERS)
  {
    int self = getpid ();
    CALL_HOST (on_host, ITEM (&self, sizeof (self), TOFROM));
    for (;;)
      pause ();
  }
}

int
main (void)
{
  pthread_barrier_init (&barrier, NULL, CALLERS);
  TARGET (region, ITEM (1, 0, VALUE));
  printf ("not reached\n");
  return 0;
}
