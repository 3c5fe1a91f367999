/* The thread limit counts the threads of the contention group that are active at a time.
   TEST-ENV: OMP_THREAD_LIMIT=5
   TEST-ENV: OMP_MAX_ACTIVE_LEVELS=3  */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

static int
size (int want)
{
  int n = 0;
#pragma omp parallel num_threads (want) reduction (+: n)
  n++;
  return n;
}

static void *
foreign (void *result)
{
  *(int *) result = size (9);
  return NULL;
}

int
main (void)
{
  int bad = 0;
  for (int i = 0; i < 10; i++)
    {
      int a = size (3), b = size (9), c = size (5);
      if (a != 3 || b != 5 || c != 5)
	printf ("sizes %d %d %d\n", a, b, c), bad++;
    }
  /* Two threads outside: three are left for both inner regions together.  */
  int inner[2] = { 0, 0 };
#pragma omp parallel num_threads (2)
  {
    int n = 0;
#pragma omp parallel num_threads (4) reduction (+: n)
    {
      n++;
#pragma omp atomic
      inner[0]++;
      /* The counting is over only when both regions run at the same time or one after the
	 other; in either case none has more than 1 + 3.  */
    }
    if (n < 1 || n > 4)
#pragma omp atomic
      inner[1]++;
  }
  if (inner[1] || inner[0] < 2)
    printf ("nested: %d threads, %d regions of wrong size\n", inner[0], inner[1]), bad++;
  if (size (9) != 5)
    puts ("the limit was not given back"), bad++;
  /* Another contention group.  */
  int n = 0;
  pthread_t t;
#pragma omp parallel num_threads (4)
#pragma omp single
  {
    pthread_create (&t, NULL, foreign, &n);
    pthread_join (t, NULL);
  }
  if (n != 5)
    printf ("foreign thread: %d\n", n), bad++;
  if (omp_get_thread_limit () != 5)
    puts ("omp_get_thread_limit"), bad++;
  return bad != 0;
}
