/* OMP_NUM_THREADS and OMP_PROC_BIND as lists: entries by nesting level, the last one for what
   is deeper.
   TEST-ENV: OMP_NUM_THREADS=3,2,4
   TEST-ENV: OMP_PROC_BIND=spread,close  */
#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int bad = 0, total = 0;
  bad += omp_get_max_threads () != 3 || omp_get_proc_bind () != omp_proc_bind_spread;
#pragma omp parallel reduction (+: bad, total)
  {
    bad += omp_get_num_threads () != 3 || omp_get_max_threads () != 2
	   || omp_get_proc_bind () != omp_proc_bind_close;
    /* A setter counts in its own task only.  */
    if (omp_get_thread_num () == 1)
      omp_set_num_threads (5);
#pragma omp parallel reduction (+: bad, total)
    {
      bad += omp_get_num_threads () != (omp_get_ancestor_thread_num (1) == 1 ? 5 : 2);
      bad += omp_get_max_threads () != 4;
#pragma omp parallel reduction (+: bad, total)
      {
	bad += omp_get_num_threads () != 4 || omp_get_max_threads () != 4;
	total++;
      }
    }
  }
  if (bad || total != (2 + 5 + 2) * 4)
    printf ("%d wrong, %d leaves\n", bad, total);
  return bad || total != (2 + 5 + 2) * 4;
}
