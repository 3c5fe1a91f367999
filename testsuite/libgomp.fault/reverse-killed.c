/* The worker is killed while the thread that waits for the region serves a call of it.
   TEST-MODES: cpu
   TEST-OPTIONS: -I@srcdir@/libgomp.offload
   TEST-EXIT: 1
   TEST-OUTPUT: served
   TEST-OUTPUT: is lost: worker process [0-9]+ was killed
   TEST-OUTPUT: it was running the region region of
   TEST-TIMEOUT: 20
   TEST-NO-OUTPUT: not reached  */

#include "aux-direct.h"
#include <signal.h>
#include <unistd.h>

KERNEL (on_host)
{
  int *worker = ((int **) on_host_arg)[0];
  kill (*worker, SIGKILL);
  printf ("served\n");
  *worker = 0;
}

KERNEL (region)
{
  int buffer[10000];
  (void) region_arg;
  buffer[9999] = getpid ();
  CALL_HOST (on_host, ITEM (buffer + 9999, sizeof (int), TOFROM),
	     ITEM (buffer, sizeof (buffer) - sizeof (int), TOFROM));
}

int
main (void)
{
  TARGET (region, ITEM (1, 0, VALUE));
  printf ("not reached\n");
  return 0;
}
