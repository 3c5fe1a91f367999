/* The main thread ends by pthread_exit when it has used the device: other threads go on with it,
   the process ends with the last of them, with status 0, and a handler can use the device once
   more.  No thread of the library stays behind.
   TEST-MODES: host cpu
   TEST-SKIP-SANITIZER: address the C library keeps what dlerror has said in the main thread
   TEST-SKIP-SANITIZER: thread nobody can join the main thread
   TEST-TIMEOUT: 10
   TEST-OUTPUT: ^the thread: 20$
   TEST-OUTPUT: ^the handler: 42$  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_t main_thread;

static void
handler (void)
{
  int x = 41;
#pragma omp target map(tofrom: x)
  x++;
  printf ("the handler: %d\n", x);
}

static void *
work (void *arg)
{
  int x = 0;
  pthread_join (main_thread, NULL);
  for (int i = 0; i < 10; i++)
    {
#pragma omp target map(tofrom: x) nowait depend(inout: x)
      x++;
#pragma omp target map(tofrom: x) depend(inout: x)
      x++;
    }
  printf ("the thread: %d\n", x);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  int x = 0;
  atexit (handler);
  main_thread = pthread_self ();
#pragma omp target map(tofrom: x) nowait
  x = 1;
#pragma omp taskwait
  if (x != 1 || pthread_create (&thread, NULL, work, NULL) != 0)
    return 1;
  pthread_exit (NULL);
}
