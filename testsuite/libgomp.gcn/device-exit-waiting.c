/* One thread calls exit while the others wait: at a barrier, for a lock, for a task.  They end as well,
   and the program exits with the status.
   TEST-MODES: gcnours
   TEST-ENV: GCN_SIM_ORDER=random:7
   TEST-EXIT: 5
   TEST-NO-OUTPUT: not reached  */
#include "aux-gcn.h"

int
main (void)
{
  int x = 0, done = 0;
#pragma omp target map (tofrom: x, done)
  {
    omp_lock_t lock;
    omp_init_lock (&lock);
    omp_set_lock (&lock);
#pragma omp parallel
    {
      int me = omp_get_thread_num ();
#pragma omp barrier
      if (me == 1)
	{
	  omp_set_lock (&lock);
	  x = 1;
	}
      else if (me == 2)
	{
#pragma omp task depend (in: x) shared (x)
	  x = 2;
#pragma omp taskwait
	}
      else if (me == 3)
	exit (5);
#pragma omp barrier
      done = 1;
    }
  }
  printf ("not reached: %d %d\n", x, done);
  return 0;
}
