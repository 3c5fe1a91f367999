/* critical and atomic exclude each other's threads, and the unnamed critical, each named one and
   the atomic lock are different locks.  */
#include <omp.h>
#include <stdio.h>
#include "aux-gomp.h"

static long a, b, c;
#ifndef TESTED			/* A GPU has no type that takes the lock of atomics.  */
static long double ld;
#else
static double ld;
#endif
static void *name;

int
main (void)
{
  int threads = 4, rounds = 3000, bad = 0;
#pragma omp parallel num_threads (threads)
  for (int i = 0; i < rounds; i++)
    {
#pragma omp critical
      a++;
#pragma omp critical (one)
      b++;
#pragma omp critical (two)
      c++;
#pragma omp atomic
      ld += 1;
    }
  long want = (long) threads * rounds;
  if (a != want || b != want || c != want || ld != want)
    printf ("%ld %ld %ld %f, not %ld\n", a, b, c, (double) ld, want), bad++;

  /* All held by one thread at the same time, and by two threads crosswise.  */
  GOMP_critical_start ();
  GOMP_critical_name_start (&name);
  GOMP_atomic_start ();
  GOMP_atomic_end ();
  GOMP_critical_name_end (&name);
  GOMP_critical_end ();
  if (name != NULL)
    puts ("the word of a free critical is not zero"), bad++;
  int step = 0;
#pragma omp parallel num_threads (2)
  if (omp_get_thread_num () == 0)
    {
      GOMP_critical_start ();
      __atomic_store_n (&step, 1, __ATOMIC_RELEASE);
      while (__atomic_load_n (&step, __ATOMIC_ACQUIRE) != 2)
	;
      GOMP_critical_end ();
    }
  else
    {
      while (__atomic_load_n (&step, __ATOMIC_ACQUIRE) != 1)
	;
      GOMP_atomic_start ();
      GOMP_critical_name_start (&name);
      __atomic_store_n (&step, 2, __ATOMIC_RELEASE);
      GOMP_critical_name_end (&name);
      GOMP_atomic_end ();
    }
  return bad != 0;
}
