/* What a region sets is what the next one finds: omp_set_num_teams and omp_set_teams_thread_limit on the
   device.  And the device knows its number.
   TEST-MODES: gpu
   MINGCC: 13  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int before[3], teams = 0, number = -1, limit = 0;

  #pragma omp target map(from: before)
  {
    before[0] = omp_get_max_teams ();
    before[1] = omp_get_teams_thread_limit ();
    before[2] = omp_get_default_device ();
    omp_set_num_teams (3);
    omp_set_teams_thread_limit (2);
  }
  #pragma omp target teams map(from: teams, number, limit)
  #pragma omp parallel num_threads(1)
  if (omp_get_team_num () == 0)
    {
      teams = omp_get_num_teams ();
      number = omp_get_device_num ();
      limit = omp_get_teams_thread_limit ();
    }
  if (before[0] != 0 || before[1] != 0 || before[2] != omp_get_default_device ()
      || teams != 3 || number != omp_get_default_device () || limit != 2)
    {
      printf ("before %d %d %d, then %d teams, device %d, limit %d\n", before[0], before[1], before[2],
	      teams, number, limit);
      return 1;
    }
  return 0;
}
