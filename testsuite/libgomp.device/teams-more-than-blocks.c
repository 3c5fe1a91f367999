/* Many more teams than can run at a time: each number comes once, and every team finds all
   constructs as new, whatever ran before it where it runs.
   TEST-MODES: host cpu gpu  */
#include "aux-check.h"

#define TEAMS 3000
static int ran[TEAMS], wrong[TEAMS];

int
main (void)
{
  int teams = 0;
#pragma omp target teams num_teams (TEAMS) map (tofrom: ran, wrong, teams)
  {
    int me = omp_get_team_num (), n = 0, order = 0, bad = 0, sum = 0, copy = 0, sections = 0;
    if (me == 0)
      teams = omp_get_num_teams ();
    ran[me]++;
#pragma omp parallel num_threads (1 + me % 9) reduction (+: bad)
    {
      int mine = 0;
#pragma omp for schedule (dynamic, 2) reduction (+: sum) nowait
      for (int i = 0; i < 50; i++)
	sum += i;
#pragma omp for schedule (guided) nowait
      for (int i = 30; i > 0; i -= 3)
#pragma omp atomic
	n++;
#pragma omp for ordered schedule (static, 1)
      for (int i = 0; i < 20; i++)
#pragma omp ordered
	{
	  if (order != i)
	    bad++;
	  order = i + 1;
	}
#pragma omp single copyprivate (mine)
      mine = me + 1;
      if (mine != me + 1)
	bad++;
#pragma omp sections
      {
#pragma omp section
#pragma omp atomic
	sections++;
#pragma omp section
#pragma omp atomic
	sections++;
#pragma omp section
#pragma omp atomic
	sections++;
      }
#pragma omp masked
      copy = mine;
    }
    wrong[me] = bad + (sum != 1225) + (n != 10) + (order != 20) + (copy != me + 1) + (sections != 3);
  }
  CHECK_EQUAL (teams > 0 && teams <= TEAMS, 1);
  for (int i = 0; i < TEAMS; i++)
    {
      CHECK_EQUAL (ran[i], i < teams);
      CHECK_EQUAL (wrong[i], 0);
      if (failures > 5)
	break;
    }
  return failures != 0;
}
