/* Simple locks: exclusion, testing, unlocking by another thread, zeroed memory.  */

#include <omp.h>
#include <stdio.h>
#include <string.h>

#define THREADS 8
#define ROUNDS 5000

static omp_lock_t zeroed;	/* never initialised: unlocked */
static int failures;

static void
check (int ok, const char *what)
{
  if (!ok)
    {
      printf ("FAIL: %s\n", what);
      failures++;
    }
}

int
main (void)
{
  omp_lock_t lock;
  long count = 0, inside = 0, overlaps = 0, got = 0, tries = 0;

  check (sizeof (omp_lock_t) == 4 && _Alignof (omp_lock_t) == 4, "size of omp_lock_t");
  memset (&lock, 0xff, sizeof lock);
  omp_init_lock (&lock);
  check (omp_test_lock (&lock) == 1, "test of a new lock");
  check (omp_test_lock (&lock) == 0, "test of a lock that we hold");
  omp_unset_lock (&lock);
  check (omp_test_lock (&lock) == 1, "test of a released lock");

#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num () == 1)
      {
	if (omp_test_lock (&lock))
	  check (0, "test of another thread's lock");
	omp_unset_lock (&lock);	/* thread 0 set it */
      }
#pragma omp barrier
    if (omp_get_thread_num () == 0)
      {
	omp_set_lock (&lock);
	omp_unset_lock (&lock);
      }
  }

#pragma omp parallel num_threads(THREADS) reduction(+:overlaps)
  for (int i = 0; i < ROUNDS; i++)
    {
      omp_set_lock (&lock);
      if (inside++ != 0)
	overlaps++;
      count++;
      inside--;
      omp_unset_lock (&lock);
    }
  check (count == THREADS * ROUNDS, "no increment is lost");
  check (overlaps == 0, "one thread at a time");

  /* Testing in a loop also gets it, and only then.  */
  count = 0;
#pragma omp parallel num_threads(THREADS) reduction(+:got,tries)
  for (int i = 0; i < ROUNDS; )
    {
      tries++;
      if (omp_test_lock (&zeroed))
	{
	  count++;
	  omp_unset_lock (&zeroed);
	  got++;
	  i++;
	}
    }
  check (count == got && got == THREADS * ROUNDS && tries >= got, "counts of tested locks");

  omp_destroy_lock (&lock);
  return failures != 0;
}
