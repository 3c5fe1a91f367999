/* Locks of a device, taken by the threads of all teams of a kernel.  */

#include <omp.h>
#include <stdio.h>

#define TEAMS 6
#define ROUNDS 50

#pragma omp declare target
omp_lock_t lock, tried;
omp_nest_lock_t nest;
int under_lock, under_tried, under_nest, threads;
#pragma omp end declare target

int
main (void)
{
  int n = 0, locked = 0, was_tried = 0, nested = 0, wrong = 0;
#pragma omp target
  {
    omp_init_lock (&lock);
    omp_init_lock (&tried);
    omp_init_nest_lock (&nest);
    under_lock = under_tried = under_nest = threads = 0;
  }
#pragma omp target teams num_teams (TEAMS) thread_limit (4) map (tofrom: wrong)
#pragma omp parallel num_threads (4)
  {
#pragma omp atomic
    threads++;
    for (int i = 0; i < ROUNDS; i++)
      {
	omp_set_lock (&lock);
	under_lock++;
	omp_unset_lock (&lock);
	omp_set_nest_lock (&nest);
	omp_set_nest_lock (&nest);
	under_nest++;
	if (omp_test_nest_lock (&nest) != 3)
	  {
#pragma omp atomic
	    wrong++;
	  }
	for (int j = 0; j < 3; j++)
	  omp_unset_nest_lock (&nest);
      }
    for (int i = 0; i < ROUNDS; )
      if (omp_test_lock (&tried))
	{
	  under_tried++;
	  omp_unset_lock (&tried);
	  i++;
	}
  }
#pragma omp target map (from: n, locked, was_tried, nested)
  {
    n = threads * ROUNDS;
    locked = under_lock;
    was_tried = under_tried;
    nested = under_nest;
    omp_destroy_lock (&lock);
    omp_destroy_lock (&tried);
    omp_destroy_nest_lock (&nest);
  }
  if (n >= ROUNDS && locked == n && was_tried == n && nested == n && wrong == 0)
    return 0;
  printf ("%d times, %d with a lock, %d tried, %d nested, %d wrong\n", n, locked, was_tried, nested,
	  wrong);
  return 1;
}
