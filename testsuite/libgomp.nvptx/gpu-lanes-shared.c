/* With GOMP_NVPTX_LANES=auto and nothing in the cache kernels begin with threads that are warps, and go over to lanes when these are linked.  What both count in
   declare target variables and under a lock is the same variable, and what the host writes there is seen by both, whether lanes come or not.
   TEST-MODES: ptxlanes gpu
   TEST-IMAGE: nvptx
   TEST-ENV: GOMP_NVPTX_LANES=auto
   TEST-TIMEOUT: 120  */
#include <omp.h>
#include <stdio.h>

#pragma omp declare target
static long calls, under_lock;
static double factors[3] = { 1, 2, 4 };
static double *factor = &factors[1];
#pragma omp end declare target

/* Seconds, and rounds when threads have been lanes.  */
enum { N = 1000, MOST = 4, MORE = 60 };

#define REGION(name, what)							\
  static __attribute__ ((noinline)) void					\
  name (double *x, int *threads)						\
  {									\
    _Pragma ("omp target teams distribute parallel for map (tofrom: x[0:N]) map (from: threads[0:1])")	\
    for (int i = 0; i < N; i++)						\
      {									\
	x[i] += what;							\
	if (i % 10 == 0)						\
	  {								\
	    _Pragma ("omp atomic")					\
	    calls++;							\
	  }								\
	if (i == 0)							\
	  threads[0] = omp_get_num_threads ();				\
      }									\
  }
REGION (first, factors[i % 3])
REGION (second, *factor * i)
REGION (third, factors[0] + factors[2] * (i % 7))

/* Threads that are lanes come one after the other here.  */
static void
locked (void)
{
#pragma omp target parallel for num_threads (8)
  for (int i = 0; i < 40; i++)
    {
#pragma omp critical
      under_lock += i % 3;
    }
}

int
main (void)
{
  static double x[N], y[N];
  int threads = 0, lanes = 0, round = 0;
  double end = omp_get_wtime () + MOST;

  for (; lanes < MORE && omp_get_wtime () < end; round++)
    {
      switch (round % 3)
	{
	case 0: first (x, &threads); break;
	case 1: second (x, &threads); break;
	case 2: third (x, &threads); break;
	}
      lanes += threads > 32 || lanes > 0;
      locked ();
      for (int i = 0; i < N; i++)
	y[i] += round % 3 == 0 ? factors[i % 3] : round % 3 == 1 ? factors[1] * i : factors[0] + factors[2] * (i % 7);
#pragma omp target update from (calls, under_lock)
      if (calls != (round + 1) * (N / 10l) || under_lock != (round + 1) * 39l)
	{
	  printf ("round %d: %ld calls and %ld under the lock\n", round, calls, under_lock);
	  return 1;
	}
      factors[1] = round % 5;
#pragma omp target update to (factors)
    }
  for (int i = 0; i < N; i++)
    if (x[i] != y[i])
      {
	printf ("%d: %g, not %g, after %d rounds, %d since there are lanes\n", i, x[i], y[i], round, lanes);
	return 1;
      }
  return 0;
}
