/* Regions that random threads cancel at random places, among regions that nobody cancels: all
   threads come out, and what comes next finds everything as it should be.
   TEST-ENV: OMP_CANCELLATION=true
   TEST-TIMEOUT: 60  */
#include <omp.h>
#include <stdio.h>

static unsigned seed = 1;
static unsigned
rnd (unsigned n)
{
  seed = seed * 1103515245 + 12345;
  return (seed >> 8) % n;
}

static __attribute__ ((noinline)) void
orphaned_barrier (void)
{
#pragma omp barrier
}

static long
cancelled_region (int threads, int who, int where)
{
  long work = 0;
#pragma omp parallel num_threads (threads)
  {
    int me = omp_get_thread_num ();
    for (int k = 0; k < 5; k++)
      {
#pragma omp single nowait
	__atomic_fetch_add (&work, 1, __ATOMIC_RELAXED);
#pragma omp task
	__atomic_fetch_add (&work, 1, __ATOMIC_RELAXED);
#pragma omp for schedule (dynamic) nowait
	for (int i = 0; i < 6; i++)
	  __atomic_fetch_add (&work, 1, __ATOMIC_RELAXED);
	if (me == who && k == where)
	  {
#pragma omp cancel parallel
	  }
#pragma omp for schedule (static, 1) ordered
	for (int i = 0; i < threads; i++)
#pragma omp ordered
	  __atomic_fetch_add (&work, 1, __ATOMIC_RELAXED);
	if (me == who && k == where - 5)
	  {
#pragma omp cancel parallel
	  }
#pragma omp for schedule (dynamic) ordered (1) nowait
	for (int i = 0; i < 2 * threads; i++)
	  {
#pragma omp ordered depend (sink: i - 1)
	    __atomic_fetch_add (&work, 1, __ATOMIC_RELAXED);
#pragma omp ordered depend (source)
	  }
	orphaned_barrier ();
#pragma omp cancellation point parallel
#pragma omp sections
	{
#pragma omp section
	  __atomic_fetch_add (&work, 1, __ATOMIC_RELAXED);
#pragma omp section
	  __atomic_fetch_add (&work, 1, __ATOMIC_RELAXED);
	}
#pragma omp barrier
      }
  }
  return work;
}

static long
plain_region (int threads)
{
  long work = 0;
#pragma omp parallel num_threads (threads) reduction (+: work)
  for (int k = 0; k < 3; k++)
    {
#pragma omp single nowait
      work++;
#pragma omp for schedule (dynamic) nowait
      for (int i = 0; i < 10; i++)
	work++;
#pragma omp barrier
#pragma omp task shared (work)
#pragma omp atomic
      work += 1;
      /* The task may be running.  */
#pragma omp single
#pragma omp atomic
      work++;
#pragma omp for ordered schedule (static, 2)
      for (int i = 0; i < 8; i++)
#pragma omp ordered
	work++;
    }
  return work;
}

/* FEW: for a device that is simulated.  */
#ifdef FEW
enum { ROUNDS = 60 };
#else
enum { ROUNDS = 500 };
#endif

int
main (void)
{
  for (int round = 0; round < ROUNDS; round++)
    {
      int threads = round % 10 == 0 ? 16 : 1 + rnd (6);
      int where = rnd (11);	/* 10: nobody cancels */
      long full = 5 * (1 + threads + 6 + threads + 2 * threads + 2);
      long got = cancelled_region (threads, rnd (threads), where);
      if (got > full || (where == 10 && got != full))
	return printf ("round %d: %ld of %ld\n", round, got, full), 1;
      threads = 1 + rnd (6);
      got = plain_region (threads);
      if (got != 3 * (1 + 10 + threads + 1 + 8))
	return printf ("round %d: plain region of %d: %ld\n", round, threads, got), 1;
    }
  return 0;
}
