/* A thread may be any number of constructs ahead of the others: nothing waits, nothing is
   mixed up, and memory does not grow with the number of constructs.  */
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>

#define AHEAD 2000
static int hits[AHEAD * 4], singles[AHEAD];

static long
max_rss_kb (void)
{
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

int
main (void)
{
  int bad = 0, first_through = 0;
  /* Thread 1 waits until thread 0 has met all constructs.  */
#pragma omp parallel num_threads (3) reduction (+: bad)
  {
    if (omp_get_thread_num () == 1)
      while (!__atomic_load_n (&first_through, __ATOMIC_ACQUIRE))
	sched_yield ();
    for (int k = 0; k < AHEAD; k++)
      {
#pragma omp for schedule (dynamic) nowait
	for (int i = 0; i < 2; i++)
	  __atomic_fetch_add (&hits[k * 4 + i], 1, __ATOMIC_RELAXED);
#pragma omp single nowait
	__atomic_fetch_add (&singles[k], 1, __ATOMIC_RELAXED);
#pragma omp sections nowait
	{
#pragma omp section
	  __atomic_fetch_add (&hits[k * 4 + 2], 1, __ATOMIC_RELAXED);
#pragma omp section
	  __atomic_fetch_add (&hits[k * 4 + 3], 1, __ATOMIC_RELAXED);
	}
      }
    if (omp_get_thread_num () == 0)
      __atomic_store_n (&first_through, 1, __ATOMIC_RELEASE);
  }
  for (int k = 0; k < AHEAD; k++)
    bad += singles[k] != 1;
  for (int k = 0; k < AHEAD * 4; k++)
    bad += hits[k] != 1;
  if (bad)
    printf ("%d wrong\n", bad);

  /* Many more constructs with the threads about level.  */
  long before = max_rss_kb (), sum = 0;
#pragma omp parallel num_threads (2) reduction (+: sum)
  for (int k = 0; k < 100000; k++)
    {
#pragma omp for schedule (dynamic) nowait
      for (int i = 0; i < 2; i++)
	sum++;
      if (k % 64 == 0)
	{
#pragma omp barrier
	}
    }
  long growth = max_rss_kb () - before;
  if (sum != 200000 || growth > 20000)
    printf ("sum %ld, memory grew by %ld KB\n", sum, growth), bad++;
  return bad != 0;
}
