/* Teams and threads: what the program asks for, what it leaves open, and what the user says.
   TEST-MODES: gcnsim
   TEST-IMAGE: gcn
   TEST-ENV: GCN_SIM_CUS=3
   TEST-ENV: GCN_NUM_TEAMS=5
   TEST-ENV: GCN_NUM_THREADS=3
   TEST-ENV: GOMP_INFO=2
   TEST-OUTPUT: main\._omp_fn\.[0-9]+: 5 teams of 3 threads on 3 compute units  */

#include "aux-gcn.h"

int
main (void)
{
  int teams = 0, threads = 0, all = 0;

  /* More than run at a time.  */
#pragma omp target teams num_teams (17) thread_limit (2) map (tofrom: teams, threads, all)
#pragma omp parallel
  if (omp_get_thread_num () == 0)
    {
#pragma omp atomic
      all += 1;
      if (omp_get_team_num () == 0)
	{
	  teams = omp_get_num_teams ();
	  threads = omp_get_num_threads ();
	}
    }
  CHECK_EQUAL (teams, 17);
  CHECK_EQUAL (all, 17);
  CHECK_EQUAL (threads, 2);

#pragma omp target teams map (tofrom: teams, threads)
#pragma omp parallel
  if (omp_get_team_num () == 0 && omp_get_thread_num () == 0)
    {
      teams = omp_get_num_teams ();
      threads = omp_get_num_threads ();
    }
  CHECK_EQUAL (teams, 5);
  CHECK_EQUAL (threads, 3);

#pragma omp target map (tofrom: threads)
#pragma omp parallel
  if (omp_get_thread_num () == 0)
    {
      threads = omp_get_num_threads ();
    }
  CHECK_EQUAL (threads, 3);

  /* More than a team can have.  */
#pragma omp target map (tofrom: threads)
#pragma omp parallel num_threads (40)
  if (omp_get_thread_num () == 0)
    threads = omp_get_num_threads ();
  CHECK_EQUAL (threads >= 1 && threads <= 16, 1);
  return failures != 0;
}
