/* The worker is killed while nothing runs: the next construct says so, and so do all threads that
   use it, without a hang.
   TEST-OPTIONS: -pthread
   TEST-MODES: cpu
   TEST-EXIT: 1
   TEST-OUTPUT: is lost: worker process [0-9]+ was killed
   TEST-TIMEOUT: 20
   TEST-NO-OUTPUT: not reached  */

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void *
regions (void *arg)
{
  (void) arg;
  int x = 0;
  for (;;)
    {
#pragma omp target map (tofrom: x)
      x++;
    }
  return NULL;
}

int
main (void)
{
  int worker = 0;
  pthread_t t[4];
#pragma omp target map (from: worker)
  worker = getpid ();
  for (int i = 0; i < 4; i++)
    pthread_create (&t[i], NULL, regions, NULL);
  usleep (50000);
  if (worker == getpid () || kill (worker, SIGKILL) != 0)
    return 2;
  for (int i = 0; i < 4; i++)
    pthread_join (t[i], NULL);
  printf ("not reached\n");
  return 0;
}
