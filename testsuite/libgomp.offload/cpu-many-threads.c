/* Many threads of the program use the device at once, each with queues of its own.
   TEST-OPTIONS: -pthread
   TEST-MODES: host cpu cpu2 gpu */

#include <omp.h>
#include <pthread.h>
#include <stdio.h>

#define THREADS 12
#define ROUNDS 150

static int failures[THREADS];

static void *
work (void *arg)
{
  int me = (int) (long) arg, data[64], sum;
  int devices = omp_get_num_devices (), device = devices ? me % devices : 0;

  for (int round = 0; round < ROUNDS; round++)
    {
      for (int i = 0; i < 64; i++)
	data[i] = me + i;
      sum = 0;
#pragma omp target data device (device) map (to: data)
      {
#pragma omp target device (device) map (tofrom: sum)
	for (int i = 0; i < 64; i++)
	  {
	    data[i] += round;
	    sum += data[i];
	  }
#pragma omp target update device (device) from (data[10:2])
      }
      if (sum != 64 * (me + round) + 63 * 32 || data[10] != me + 10 + round
	  || data[11] != me + 11 + round)
	failures[me]++;
    }
  return NULL;
}

int
main (void)
{
  pthread_t t[THREADS];
  int failed = 0;
  for (long i = 0; i < THREADS; i++)
    if (pthread_create (&t[i], NULL, work, (void *) i) != 0)
      return 77;
  for (int i = 0; i < THREADS; i++)
    {
      pthread_join (t[i], NULL);
      if (failures[i] != 0)
	{
	  printf ("thread %d: %d wrong results\n", i, failures[i]);
	  failed = 1;
	}
    }
  return failed;
}
