/* Numbers that the device gets with its image, and those that regions leave.
   TEST-ENV: GCN_SIM_AGENTS=2
   TEST-ENV: OMP_DEFAULT_DEVICE=1
   TEST-ENV: OMP_NUM_TEAMS_DEV_1=3
   TEST-ENV: OMP_TEAMS_THREAD_LIMIT_DEV_0=2
   MINGCC: 14  */

#include "aux-gcn.h"

int
main (void)
{
  if (omp_get_num_devices () < 2)
    return 77;
  for (int d = 0; d < 2; d++)
    {
      int number = -1, teams = -1, limit = -1;
#pragma omp target device (d) map (from: number, teams, limit)
      {
	number = omp_get_device_num ();
	teams = omp_get_max_teams ();
	limit = omp_get_teams_thread_limit ();
      }
      CHECK_EQUAL (number, d);
      CHECK_EQUAL (teams, d == 1 ? 3 : 0);
      CHECK_EQUAL (limit, d == 0 ? 2 : 0);
    }

  /* What a region sets holds for the next ones on that device.  */
  int teams = 0, other = -1;
#pragma omp target device (1)
  omp_set_num_teams (2);
#pragma omp target teams device (1) map (tofrom: teams)
#pragma omp parallel
  if (omp_get_team_num () == 0 && omp_get_thread_num () == 0)
    teams = omp_get_num_teams ();
#pragma omp target device (0) map (from: other)
  other = omp_get_max_teams ();
  CHECK_EQUAL (teams, 2);
  CHECK_EQUAL (other, 0);
  return failures != 0;
}
