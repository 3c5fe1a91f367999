/* A region goes wrong while a call of another thread of it is served.
   TEST-MODES: cpu
   TEST-OPTIONS: -I@srcdir@/libgomp.offload
   TEST-EXIT: 1
   TEST-OUTPUT: is lost: worker process [0-9]+: signal 11
   TEST-OUTPUT: it wrote to
   TEST-TIMEOUT: 20
   TEST-SKIP-SANITIZER: address it reports the access itself
   TEST-NO-OUTPUT: not reached  */

#include "aux-direct.h"
#include <poll.h>
#include <unistd.h>

KERNEL (on_host)
{
  int *flag = ((int **) on_host_arg)[0];
  *flag = 1;
}

KERNEL (wait_long)
{
  /* Until the device is gone, for all that it knows.  */
  (void) wait_long_arg;
  poll (NULL, 0, 300);
}

KERNEL (region)
{
  (void) region_arg;
  #pragma omp parallel num_threads (2)
  {
    int flag = 0;
    CALL_HOST (on_host, ITEM (&flag, sizeof (flag), TOFROM));
    if (omp_get_thread_num () == 0)
      CALL_HOST (wait_long, ITEM (1, 0, VALUE));
    else
      *(volatile int *) 8 = flag;
  }
}

int
main (void)
{
  TARGET (region, ITEM (1, 0, VALUE));
  printf ("not reached\n");
  return 0;
}
