/* masked, with and without filter, master, and their combinations with taskloop: only the thread
   that is named executes them, and there is no barrier.  */
#include <omp.h>
#include <stdio.h>

static int bad;
#define CHECK(ok)							\
  do									\
    if (!(ok))								\
      {									\
	printf ("line %d: wrong: %s\n", __LINE__, #ok);			\
	__atomic_fetch_add (&bad, 1, __ATOMIC_RELAXED);			\
      }									\
  while (0)

int
main (void)
{
  int outside = 0;
#pragma omp masked
  outside++;
#pragma omp masked filter (1)
  outside += 10;
#pragma omp master
  outside++;
  CHECK (outside == 2);

  for (int threads = 1; threads <= 4; threads++)
    {
      int count[5] = { 0, 0, 0, 0, 0 }, entered = 0, hits[100];
      for (int i = 0; i < 100; i++)
	hits[i] = 0;
#pragma omp parallel num_threads (threads)
      {
	for (int n = 0; n < 5; n++)
	  {
#pragma omp masked filter (n)
	    {
	      CHECK (omp_get_thread_num () == n);
	      count[n]++;
	    }
	  }
	/* Each thread has its own idea: all of them are meant.  */
#pragma omp masked filter (omp_get_thread_num ())
	__atomic_fetch_add (&entered, 1, __ATOMIC_RELAXED);
#pragma omp master
	{
	  CHECK (omp_get_thread_num () == 0);
	  count[0] += 10;
	}
#pragma omp masked taskloop filter (threads - 1) grainsize (3)
	for (int i = 0; i < 100; i++)
	  hits[i]++;
#pragma omp barrier
	for (int i = 0; i < 100; i++)
	  CHECK (hits[i] == 1);
      }
      for (int n = 0; n < 5; n++)
	CHECK (count[n] == (n < threads) + (n == 0 ? 10 : 0));
      CHECK (entered == threads);
      long sum = 0;
#pragma omp parallel masked taskloop num_threads (threads) reduction (+: sum) num_tasks (8)
      for (int i = 0; i < 100; i++)
	sum += i;
#pragma omp parallel master taskloop simd num_threads (threads) reduction (+: sum)
      for (int i = 0; i < 100; i++)
	sum += i;
      CHECK (sum == 9900);
    }
  return bad != 0;
}
