/* A thread that a reverse call has made, and waits for, ends the program: exit does not wait for the
   deferred region, which waits for the call.
   TEST-MODES: cpu
   TEST-OPTIONS: -pthread
   TEST-OUTPUT: ^handler$
   TEST-NO-OUTPUT: libgomp:|over
   TEST-EXIT: 5 */

#include "aux-direct.h"

#include <pthread.h>
#include <unistd.h>

#ifndef DETACHED	/* see reverse-exit-detached.c */
# define DETACHED 0
#endif

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
  pthread_attr_t attr;
  pthread_t thread;
  (void) on_host_arg;
  if (pthread_attr_init (&attr) == 0
      && (!DETACHED || pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED) == 0)
      && pthread_create (&thread, &attr, end, NULL) == 0 && !DETACHED)
    pthread_join (thread, NULL);
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
  /* A detached thread ends the program sooner or later.  */
  if (DETACHED)
    sleep (60);
  printf ("the region is over\n");
  return 1;
}
