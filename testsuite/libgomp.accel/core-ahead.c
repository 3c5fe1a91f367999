/* A thread may be as many constructs ahead of the others as a team has descriptors, four, without waiting;
   and with threads that come and go at different times the constructs do not get mixed up.  */

#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 200

static int hits[ROUNDS][8];

static void
four (int round)
{
#pragma omp for schedule (dynamic) nowait
  for (int i = 0; i < 2; i++)
    __atomic_fetch_add (&hits[round][i], 1, __ATOMIC_RELAXED);
#pragma omp sections nowait
  {
#pragma omp section
    __atomic_fetch_add (&hits[round][2], 1, __ATOMIC_RELAXED);
#pragma omp section
    __atomic_fetch_add (&hits[round][3], 1, __ATOMIC_RELAXED);
  }
#pragma omp for schedule (guided) nowait
  for (long long i = 9; i > 5; i -= 2)
    __atomic_fetch_add (&hits[round][4 + (9 - i) / 2], 1, __ATOMIC_RELAXED);
#pragma omp for schedule (monotonic: dynamic, 3) nowait
  for (unsigned long long i = 0; i < 2; i++)
    __atomic_fetch_add (&hits[round][6 + i], 1, __ATOMIC_RELAXED);
}

int
main (void)
{
  int bad = 0;
  for (int threads = 2; threads <= 8; threads += 3)
    for (int round = 0; round < ROUNDS; round++)
      {
	int through = 0;
	for (int i = 0; i < 8; i++)
	  hits[round][i] = 0;
#pragma omp parallel num_threads (threads)
	{
	  if (omp_get_thread_num () == 1)
	    while (!__atomic_load_n (&through, __ATOMIC_ACQUIRE))
	      sched_yield ();
	  four (round);
	  if (omp_get_thread_num () == 0)
	    __atomic_store_n (&through, 1, __ATOMIC_RELEASE);
	}
	for (int i = 0; i < 8; i++)
	  bad += hits[round][i] != 1;
      }

  /* Many constructs in one region; another thread is slow each time.  */
  memset (hits, 0, sizeof hits);
  int singles = 0;
#pragma omp parallel reduction (+: singles)
  for (int round = 0; round < ROUNDS; round++)
    {
      if (round % omp_get_num_threads () == omp_get_thread_num ())
	sched_yield ();
      four (round);
#pragma omp single nowait
      singles++;
    }
  for (int k = 0; k < ROUNDS; k++)
    for (int i = 0; i < 8; i++)
      bad += hits[k][i] != 1;
  bad += singles != ROUNDS;
  if (bad)
    printf ("%d wrong\n", bad);
  return bad != 0;
}
