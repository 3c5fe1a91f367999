/* Examples of the interface's description, 9: tasks, taskloop, dependences, locks, cancel.  */
#include "aux-gcn.h"

int
main (void)
{
  int r = 0, x = 0, nested = 0, cancelled = 0;

#pragma omp target map (tofrom: r, x, nested, cancelled)
  {
    omp_lock_t l;
    omp_nest_lock_t nl;
    omp_init_lock (&l);
    omp_init_nest_lock (&nl);
#pragma omp parallel
#pragma omp single
    {
      for (int i = 0; i < 10; i++)
	{
#pragma omp task firstprivate (i) depend (inout: x)
	  {
	    omp_set_lock (&l);
	    x += i;
	    omp_unset_lock (&l);
	  }
	}
#pragma omp taskwait
#pragma omp taskgroup
      {
#pragma omp taskloop grainsize (2)
	for (int i = 0; i < 20; i++)
	  {
#pragma omp atomic
	    r += i;
	  }
      }
    }
#pragma omp parallel num_threads (2)
    {
      omp_set_nest_lock (&nl);
      nested++;
      omp_unset_nest_lock (&nl);
#pragma omp for
      for (int i = 0; i < 10; i++)
	{
	  if (i == 5)
	    {
#pragma omp cancel for
	    }
#pragma omp atomic
	  cancelled++;
	}
    }
    omp_destroy_nest_lock (&nl);
    omp_destroy_lock (&l);
  }
  CHECK_EQUAL (x, 45);
  CHECK_EQUAL (r, 190);
  CHECK_EQUAL (nested >= 1 && nested <= 2, 1);
  /* Cancellation is off unless OMP_CANCELLATION is set.  */
  CHECK_EQUAL (cancelled, 10);
  return failures != 0;
}
