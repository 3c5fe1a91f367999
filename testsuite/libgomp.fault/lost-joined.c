/* A region dies while another thread waits for its data, and an exit handler waits for that
   thread: the process still ends, some time later.
   TEST-MODES: cpu
   TEST-EXIT: 1
   TEST-TIMEOUT: 60
   TEST-OUTPUT: device 0 \(cpu worker\) is lost: .*signal 9
   TEST-OUTPUT: ^handler$ */

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_t thread;
static int data[16];

static void *
body (void *arg)
{
  usleep (200000);
#pragma omp target map(tofrom: data)
  data[1]++;
  return arg;
}

static void
handler (void)
{
  puts ("handler");
  fflush (stdout);
  pthread_join (thread, NULL);
}

int
main (void)
{
#pragma omp target
  ;
  atexit (handler);
  pthread_create (&thread, NULL, body, NULL);
#pragma omp target map(tofrom: data)
  {
    data[0]++;
    usleep (500000);
    kill (getpid (), SIGKILL);
  }
  return 0;
}
