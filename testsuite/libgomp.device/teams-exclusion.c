/* Critical constructs and locks of one name exclude the threads of all teams; different ones are independent.
   TEST-MODES: host cpu gpu  */
#include "aux-check.h"

int
main (void)
{
  long plain = 0, named = 0, locked = 0, nested = 0, threads = 0;
  omp_lock_t lock;
  omp_nest_lock_t nest;

#pragma omp target enter data map (alloc: lock, nest)
#pragma omp target map (alloc: lock, nest)
  {
    omp_init_lock (&lock);
    omp_init_nest_lock (&nest);
  }
#pragma omp target teams num_teams (19) map (tofrom: plain, named, locked, nested, threads) \
  map (alloc: lock, nest)
#pragma omp parallel num_threads (8)
  {
#pragma omp atomic
    threads++;
    for (int i = 0; i < 20; i++)
      {
#pragma omp critical
	plain++;
#pragma omp critical (name)
	{
#pragma omp critical (inner)
	  named++;
	}
	omp_set_lock (&lock);
	locked++;
	omp_unset_lock (&lock);
	omp_set_nest_lock (&nest);
	omp_set_nest_lock (&nest);
	nested++;
	omp_unset_nest_lock (&nest);
	nested++;
	omp_unset_nest_lock (&nest);
      }
  }
#pragma omp target exit data map (delete: lock, nest)
  CHECK_EQUAL (threads > 0, 1);
  CHECK_EQUAL (plain, 20 * threads);
  CHECK_EQUAL (named, 20 * threads);
  CHECK_EQUAL (locked, 20 * threads);
  CHECK_EQUAL (nested, 40 * threads);
  return failures != 0;
}
