/* Regions of fewer threads than the work-group has, with barriers, copyprivate and loops in them: the waves
   without a part take part in the barriers and are there for the next region, in any order of waves.
   In this order the idle threads of GCC's library give up and abort.
   TEST-MODES: gcnours
   TEST-ENV: GCN_SIM_ORDER=adversarial  */
#include "aux-gcn.h"

int
main (void)
{
  int wrong = 0, met = 0;
#pragma omp target map (tofrom: wrong, met)
  {
    int shared[16], most = 0;
#pragma omp parallel
#pragma omp single
    most = omp_get_num_threads ();
    for (int round = 0; round < 40; round++)
      {
	int n = round * 5 % most + 1;
#pragma omp parallel num_threads (n)
	{
	  int me = omp_get_thread_num (), copy = -1;
	  for (int turn = 0; turn < round % 7; turn++)
	    {
	      shared[me] = 100 * round + turn;
#pragma omp barrier
	      for (int i = 0; i < n; i++)
		if (shared[i] != 100 * round + turn)
		  {
#pragma omp atomic
		    wrong++;
		  }
#pragma omp barrier
	    }
#pragma omp single copyprivate (copy)
	  copy = round;
	  if (copy != round || omp_get_num_threads () != n)
	    {
#pragma omp atomic
	      wrong++;
	    }
#pragma omp for schedule (dynamic)
	  for (int i = 0; i < 2 * n; i++)
	    {
#pragma omp atomic
	      met++;
	    }
	}
	met -= 2 * n;
      }
  }
  if (wrong != 0 || met != 0)
    {
      printf ("wrong %d, met %d\n", wrong, met);
      return 1;
    }
  return 0;
}
