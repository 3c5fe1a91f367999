/* The stand-in for a device: a thread that the program makes is not of the block.  */
/* TEST-EXIT: signal 6 */
/* TEST-OUTPUT: ^accel-host: the device runtime is called by a thread that is not of the block$ */
#include <pthread.h>

static void *
run (void *data)
{
#pragma omp barrier
  return data;
}

int
main (void)
{
  pthread_t thread;
  if (pthread_create (&thread, NULL, run, NULL))
    return 2;
  pthread_join (thread, NULL);
  return 1;
}
