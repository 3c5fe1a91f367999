/* Queries in a region; some of them by single iterations of simd code.  */

#include <omp.h>
#include <stdio.h>

#define N 2048

int
main (void)
{
  static int values[N];
  int wrong = 0;
#pragma omp target map (tofrom: wrong)
  {
    int before = omp_get_max_threads ();
    wrong += omp_get_level () != 0 || omp_in_parallel () || omp_get_thread_num () != 0
	     || omp_get_num_threads () != 1 || omp_get_team_num () != 0 || omp_get_num_teams () != 1
	     || omp_get_team_size (0) != 1 || omp_get_ancestor_thread_num (1) != -1 || before < 1
	     || omp_get_num_procs () < 1 || omp_get_thread_limit () < 1;
    omp_set_num_threads (3);
    omp_set_schedule (omp_sched_guided, 5);
#pragma omp parallel num_threads (2) reduction (+: wrong)
    {
      omp_sched_t kind;
      int chunk;
      omp_get_schedule (&kind, &chunk);
      wrong += omp_get_max_threads () != 3 || kind != omp_sched_guided || chunk != 5;
      omp_set_num_threads (4 + omp_get_thread_num ());
      wrong += omp_get_max_threads () != 4 + omp_get_thread_num () || omp_get_level () != 1;
#pragma omp parallel num_threads (1) reduction (+: wrong)
      wrong += omp_get_level () != 2 || omp_get_thread_num () != 0
	       || omp_get_team_size (1) < 1 || omp_get_ancestor_thread_num (0) != 0;
    }
    wrong += omp_get_max_threads () != 3;
    double tick = omp_get_wtick (), start = omp_get_wtime (), now = start;
    wrong += !(tick > 0 && tick < 1e-2);
    for (int i = 0; i < 1000000 && now == start; i++)
      now = omp_get_wtime ();
    wrong += !(now > start);
  }
  if (wrong)
    printf ("%d wrong in a region\n", wrong);

  /* Not all lanes of a warp ask.  */
#pragma omp target teams distribute parallel for simd num_teams (2) thread_limit (4) map (from: values)
  for (int i = 0; i < N; i++)
    {
      int value = 0;
      if (i % 3 == 0)
	value = 1000 + omp_get_thread_num () + 10 * omp_get_team_num ()
		+ 500 * (omp_get_num_threads () > 4) + 500 * (omp_get_num_teams () > 2);
      else if (i % 5 == 0)
	value = omp_get_level () + omp_get_team_size (0) + (omp_get_wtime () < 0)
		+ omp_get_ancestor_thread_num (0);
      values[i] = value;
    }
  for (int i = 0; i < N; i++)
    {
      int v = values[i];
      if (i % 3 == 0 ? v < 1000 || v > 1013 : v != (i % 5 == 0 ? 2 : 0))
	{
	  printf ("iteration %d: %d\n", i, v);
	  wrong++;
	  break;
	}
    }
  return wrong != 0;
}
