/* A program ends while a target task of another thread runs for ever: it is given up, with a message,
   and the exit status is the program's.  A target task of the thread that ends is waited for.
   TEST-MODES: cpu test
   TEST-EXIT: 3
   TEST-OUTPUT: target tasks of other threads do not end: they are abandoned at exit
   TEST-OUTPUT: ^x 7$
   TEST-SKIP-SANITIZER: thread the abandoned region of the mode test still runs in a thread  */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int x;
static sem_t begun;

static void *
body (void *arg)
{
  int forever = arg == NULL;
#pragma omp target nowait
  while (forever)
    usleep (1000);
  sem_post (&begun);
  pause ();
  return NULL;
}

static void
handler (void)
{
  printf ("x %d\n", x);
}

int
main (void)
{
  pthread_t thread;

  atexit (handler);
  sem_init (&begun, 0, 0);
  if (pthread_create (&thread, NULL, body, NULL) != 0)
    return 1;
  sem_wait (&begun);
#pragma omp target map(from: x) nowait
  {
    usleep (100000);
    x = 7;
  }
  exit (3);
}
