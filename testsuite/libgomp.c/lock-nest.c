/* Nestable locks: counts, owners, exclusion, zeroed memory.  */

#include <omp.h>
#include <stdio.h>
#include <string.h>

#define THREADS 8
#define ROUNDS 3000

static omp_nest_lock_t zeroed;
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

/* Through a recursion that holds it all the way down.  */
static long
deep (omp_nest_lock_t *lock, int n, long *count)
{
  omp_set_nest_lock (lock);
  ++*count;
  long sum = n == 0 ? 1 : 1 + deep (lock, n - 1, count);
  omp_unset_nest_lock (lock);
  return sum;
}

int
main (void)
{
  omp_nest_lock_t lock;
  int other = -1;
  long count = 0, expected = 0;

  check (sizeof (omp_nest_lock_t) == 16 && _Alignof (omp_nest_lock_t) == 8,
	 "size of omp_nest_lock_t");
  memset (&lock, 0xff, sizeof lock);
  omp_init_nest_lock (&lock);
  check (omp_test_nest_lock (&lock) == 1, "first test");
  check (omp_test_nest_lock (&lock) == 2, "second test");
  omp_set_nest_lock (&lock);
  check (omp_test_nest_lock (&lock) == 4, "test after set");
  for (int i = 0; i < 3; i++)
    omp_unset_nest_lock (&lock);

  /* Still held once, by the initial task: no thread of a team gets it, not even the same
     thread in its new task.  */
#pragma omp parallel num_threads(2)
  {
    int mine = omp_test_nest_lock (&lock);
#pragma omp critical
    if (mine != 0 || other < 0)
      other = mine;
  }
  check (other == 0, "the lock belongs to the task");
  omp_unset_nest_lock (&lock);
#pragma omp parallel num_threads(2) reduction(max:other)
  if (omp_get_thread_num () == 1)
    {
      other = omp_test_nest_lock (&lock);
      omp_unset_nest_lock (&lock);
    }
  check (other == 1, "free after the last unset");

#pragma omp parallel num_threads(THREADS) reduction(+:expected)
  for (int i = 0; i < ROUNDS; i++)
    expected += deep (&lock, i % 4, &count);
  check (count == expected && count > 0, "no increment is lost");

  check (omp_test_nest_lock (&zeroed) == 1, "zeroed lock");
  omp_unset_nest_lock (&zeroed);
  omp_destroy_nest_lock (&lock);
  return failures != 0;
}
