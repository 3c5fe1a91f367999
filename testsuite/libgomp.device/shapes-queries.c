/* What regions of every number of threads are told: num_threads below and above what the team can have,
   thread_limit, nested regions, if clauses; and what holds again behind them.
   TEST-GPU: ours
   TEST-MODES: host cpu gpu  */
#include "aux-check.h"

int
main (void)
{
  int wrong = 0, limit = 0, most = 0, above = 0;
#pragma omp target map (tofrom: wrong, limit, most, above)
  {
    limit = omp_get_thread_limit ();
    most = limit < 32 ? limit : 32;
    for (int want = 1; want <= 32; want++)
      {
	int expect = want < most ? want : most, seen[32] = { 0 }, bad = 0;
#pragma omp parallel num_threads (want) shared (seen) reduction (+: bad)
	{
	  int me = omp_get_thread_num ();
	  bad += omp_get_num_threads () != expect || me >= expect || omp_get_level () != 1;
	  bad += omp_get_team_size (1) != expect || omp_get_ancestor_thread_num (1) != me;
	  bad += omp_get_ancestor_thread_num (0) != 0 || omp_in_parallel () != (expect > 1);
	  seen[me]++;
	  /* Only one level of regions is active.  */
	  int inner = 0;
#pragma omp parallel num_threads (4) reduction (+: inner)
	  inner += omp_get_num_threads () == 1 && omp_get_level () == 2
		   && omp_get_thread_num () == 0 && omp_get_ancestor_thread_num (1) == me
		   && omp_get_team_size (1) == expect && omp_get_team_size (2) == 1;
	  bad += expect > 1 && inner != 1;
	  bad += omp_get_level () != 1 || omp_get_thread_num () != me;
	}
	for (int i = 0; i < 32; i++)
	  bad += seen[i] != (i < expect);
	bad += omp_get_level () != 0 || omp_get_num_threads () != 1 || omp_in_parallel ();
	wrong += bad;
      }
    int serial = 0;
#pragma omp parallel if (0) reduction (+: serial)
    serial += omp_get_num_threads ();
    wrong += serial != 1;
#pragma omp parallel num_threads (1000)
#pragma omp single
    above = omp_get_num_threads ();
    omp_set_num_threads (3);
    int three = 0;
#pragma omp parallel reduction (+: three)
    three++;
    wrong += three != (most < 3 ? most : 3);
  }
  CHECK_EQUAL (wrong, 0);
  CHECK_EQUAL (most > 0 && above >= most && above <= limit, 1);

  for (int want = 1; want <= 32; want += 5)
    {
      int told = 0, got = 0;
#pragma omp target teams num_teams (2) thread_limit (want) map (tofrom: told, got)
      if (omp_get_team_num () == 0)
	{
#pragma omp parallel num_threads (32)
#pragma omp single
	  {
	    told = omp_get_thread_limit ();
	    got = omp_get_num_threads ();
	  }
	}
      CHECK_EQUAL (told >= 1 && told <= want, 1);
      CHECK_EQUAL (got >= 1 && got <= want, 1);
    }
  return failures != 0;
}
