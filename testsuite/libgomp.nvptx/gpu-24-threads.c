/* 24 threads of the program use one device at once: mapping, regions, deferred regions, memory.
   TEST-MODES: gpu
   TEST-GPU: alone
   TEST-TIMEOUT: 60  */

#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 24, ROUNDS = 100, N = 1000 };
static int shared[N];
static int failures;

static void *
work (void *arg)
{
  int me = (int) (long) arg, own[N];
  for (int round = 0; round < ROUNDS; round++)
    {
      int sum = 0, deferred[4] = { 0 };
      for (int i = 0; i < N; i++)
	own[i] = me + i;
#pragma omp target data map (tofrom: own)
      {
#pragma omp target map (to: shared) map (tofrom: own)
	for (int i = 0; i < N; i++)
	  own[i] += shared[i] + round;
	for (int k = 0; k < 4; k++)
#pragma omp target map (tofrom: deferred[k]) map (to: own) nowait firstprivate (k)
	  deferred[k] = own[k];
#pragma omp target map (tofrom: sum)
	for (int i = 0; i < N; i++)
	  sum += own[i];
#pragma omp taskwait
      }
      int *p = omp_target_alloc (1 + 977 * ((me + round) % 50), 0);
      omp_target_free (p, 0);
      int wrong = p == NULL || sum != N * (me + round) + 3 * (N * (N - 1) / 2);
      for (int k = 0; k < 4; k++)
	wrong += deferred[k] != me + round + 3 * k;
      for (int i = 0; i < N; i++)
	wrong += own[i] != me + round + 3 * i;
      if (wrong)
	__atomic_fetch_add (&failures, 1, __ATOMIC_RELAXED);
    }
  return NULL;
}

int
main (void)
{
  pthread_t threads[THREADS];
  for (int i = 0; i < N; i++)
    shared[i] = 2 * i;
#pragma omp target enter data map (to: shared)
  for (long i = 0; i < THREADS; i++)
    if (pthread_create (&threads[i], NULL, work, (void *) i) != 0)
      return 77;
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
#pragma omp target exit data map (delete: shared)
  if (failures)
    printf ("%d rounds are wrong\n", failures);
  return failures != 0;
}
