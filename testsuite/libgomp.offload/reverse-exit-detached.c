/* A detached thread that a reverse call has made ends the program: the call's function goes on and returns, so the
   deferred region ends, and exit gives up nothing.
   TEST-MODES: cpu
   TEST-OPTIONS: -pthread
   TEST-OUTPUT: ^handler$
   TEST-NO-OUTPUT: libgomp:|over
   TEST-EXIT: 5 */

#include "aux-direct.h"

#include <pthread.h>
#include <unistd.h>

static void
handler (void)
{
  printf ("handler\n");
}

static void *
end (void *arg)
{
  (void) arg;
  exit (5);
}

KERNEL (on_host)
{
  pthread_attr_t detached;
  pthread_t thread;
  (void) on_host_arg;
  if (pthread_attr_init (&detached) == 0
      && pthread_attr_setdetachstate (&detached, PTHREAD_CREATE_DETACHED) == 0)
    pthread_create (&thread, &detached, end, NULL);
}

KERNEL (region)
{
  int *n = ((int **) region_arg)[0];
  CALL_HOST (on_host, ITEM (n, sizeof (*n), TO));
}

int
main (void)
{
  static int n;
  void *args[] = { (void *) -130816L, (void *) 0x200, NULL };
  struct list l = LIST (ITEM (&n, sizeof (n), TOFROM));
  need_device ();
  atexit (handler);
  GOMP_target_ext (0, region, l.n, l.addr, l.size, l.kind, 1, NULL, args);
#pragma omp taskwait
  /* The thread ends the program sooner or later.  */
  sleep (60);
  printf ("the program is not over\n");
  return 1;
}
