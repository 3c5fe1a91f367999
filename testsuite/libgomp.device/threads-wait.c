/* Threads of a region that wait for each other in loops of their own, which nobody makes sleep: a flag that is read with
   acquire order or as a volatile one, locks that are made of an exchange or a compare-and-swap, omp_test_lock.
   TEST-MODES: host cpu gpu
   TEST-SKIP-SANITIZER: thread a volatile flag is a race by the rules of C  */
#include "aux-check.h"

#define THREADS 4
#define ROUNDS 10

int
main (void)
{
  int sum[4] = { 0, 0, 0, 0 }, turns = 0;

#pragma omp target map (tofrom: sum, turns)
  {
    int turn = 0, lock = 0, word = 0;
    volatile int open = 0;
    omp_lock_t simple;
    omp_init_lock (&simple);
#pragma omp parallel num_threads (THREADS)
    {
      int me = omp_get_thread_num ();
      /* In turns.  */
      for (int i = 0; i < ROUNDS; i++)
	{
	  while (__atomic_load_n (&turn, __ATOMIC_ACQUIRE) % THREADS != me)
	    ;
	  sum[0]++;
	  __atomic_fetch_add (&turn, 1, __ATOMIC_RELEASE);
	}
      /* The last one lets the others go on.  */
      if (me == THREADS - 1)
	open = 1;
      while (!open)
	;
#pragma omp atomic
      sum[1] += ROUNDS;
      for (int i = 0; i < ROUNDS; i++)
	{
	  while (__atomic_exchange_n (&lock, 1, __ATOMIC_ACQUIRE) != 0)
	    ;
	  sum[2]++;
	  __atomic_store_n (&lock, 0, __ATOMIC_RELEASE);
	}
      for (int i = 0; i < ROUNDS; i++)
	{
	  int is = 0;
	  while (!__atomic_compare_exchange_n (&word, &is, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
	    is = 0;
	  sum[3]++;
	  __atomic_store_n (&word, 0, __ATOMIC_RELEASE);
	}
      while (!omp_test_lock (&simple))
	;
      turns++;
      omp_unset_lock (&simple);
    }
    omp_destroy_lock (&simple);
  }
  for (int i = 0; i < 4; i++)
    CHECK_EQUAL (sum[i], THREADS * ROUNDS);
  CHECK_EQUAL (turns, THREADS);
  return failures != 0;
}
