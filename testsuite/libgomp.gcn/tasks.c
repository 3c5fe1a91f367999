/* Tasks on the device: dependences, taskwait, taskgroup, taskloop, final ones, task reductions, locks.  */
#include "aux-gcn.h"

int
main (void)
{
  int x = 0, order = 1, sum = 0, reduced = 0, nested = 0, loops = 0, locked = 0, copies = 0, done = 0;
#pragma omp target map (tofrom: x, order, sum, reduced, nested, loops, locked, copies, done)
  {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock (&lock);
    omp_init_nest_lock (&nest);
#pragma omp parallel
#pragma omp single
    {
      for (int i = 0; i < 10; i++)
	{
#pragma omp task firstprivate (i) depend (inout: x)
	  {
	    if (x != i)
	      order = 0;
	    x++;
	  }
	}
#pragma omp task depend (in: x) shared (copies)
      copies += x;
#pragma omp taskwait
#pragma omp taskloop grainsize (2)
      for (int i = 0; i < 20; i++)
	{
#pragma omp atomic
	  loops += i;
	}
#pragma omp taskgroup task_reduction (+: reduced)
      for (int i = 1; i <= 10; i++)
	{
#pragma omp task in_reduction (+: reduced) firstprivate (i)
	  reduced += i;
	}
#pragma omp task final (1)
      {
#pragma omp task
	done += omp_in_final ();
      }
    }
#pragma omp parallel num_threads (4)
    {
      for (int i = 0; i < 5; i++)
	{
	  omp_set_lock (&lock);
	  locked++;
	  omp_unset_lock (&lock);
	  omp_set_nest_lock (&nest);
	  omp_set_nest_lock (&nest);
	  nested++;
	  omp_unset_nest_lock (&nest);
	  omp_unset_nest_lock (&nest);
	}
#pragma omp for reduction (+: sum)
      for (int i = 0; i < 100; i++)
	sum += i;
    }
    nested -= locked;
    omp_destroy_lock (&lock);
    omp_destroy_nest_lock (&nest);
  }
  CHECK_EQUAL (x, 10);
  CHECK_EQUAL (order, 1);
  CHECK_EQUAL (copies, 10);
  CHECK_EQUAL (loops, 190);
  CHECK_EQUAL (reduced, 55);
  CHECK_EQUAL (done, 1);
  CHECK_EQUAL (sum, 4950);
  CHECK_EQUAL (nested, 0);
  CHECK_EQUAL (locked > 0 && locked % 5 == 0, 1);
  return failures != 0;
}
