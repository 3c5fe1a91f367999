/* exit while another thread is in a target region: the region goes on while the exit handlers
   run, which may even wait for it, and the exit status is the program's.
   TEST-MODES: host cpu test
   TEST-EXIT: 3
   TEST-OUTPUT: ^the handler has seen 1$
   TEST-NO-OUTPUT: lost */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_t thread;
static int result;

#pragma omp declare target
static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}
#pragma omp end declare target

static void *
body (void *arg)
{
  int x = 0;
  (void) arg;
#pragma omp target map(tofrom: x)
  {
    double start = now ();
    while (now () < start + 0.7)
      ;
    x = 1;
  }
  result = x;
  return NULL;
}

static void
handler (void)
{
  pthread_join (thread, NULL);
  printf ("the handler has seen %d\n", result);
}

int
main (void)
{
  /* Before the library's own handler, which means that it runs later.  */
  atexit (handler);
#pragma omp target
  ;
  pthread_create (&thread, NULL, body, NULL);
  usleep (200000);
  exit (3);
}
