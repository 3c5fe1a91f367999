/* Each team cancels regions, loops, sections and groups of its own; the others go on.
   TEST-GPU: ours
   TEST-MODES: host cpu gpu
   TEST-ENV: OMP_CANCELLATION=true  */
#include "aux-check.h"

#define TEAMS 40
/* FEW: for a device that is simulated.  */
#ifdef FEW
#define ROUNDS 1
#else
#define ROUNDS 5
#endif
static int wrong[TEAMS];

int
main (void)
{
  int on = 0, teams = 0;
#pragma omp target map (from: on)
  on = omp_get_cancellation ();
#pragma omp target teams num_teams (TEAMS) map (tofrom: wrong, teams)
  {
    int me = omp_get_team_num (), bad = 0, ran = 0, tasks = 0, behind = 0, whole = 0;
    if (me == 0)
      teams = omp_get_num_teams ();
    for (int round = 0; round < ROUNDS; round++)
      {
	int cut = (me + round) % 2;
#pragma omp parallel num_threads (4)
	{
#pragma omp for schedule (dynamic)
	  for (int i = 0; i < 100; i++)
	    {
#pragma omp cancel for if (cut && i == 3)
#pragma omp atomic
	      ran++;
#pragma omp cancellation point for
	    }
#pragma omp single
#pragma omp taskgroup
	  {
#pragma omp task if (0)
	    {
#pragma omp cancel taskgroup if (cut)
	    }
	    for (int i = 0; i < 10; i++)
#pragma omp task shared (tasks)
#pragma omp atomic
	      tasks++;
	  }
	}
	bad += cut ? ran > 99 : ran != 100;
	bad += tasks != (cut ? 0 : 10);
#pragma omp parallel num_threads (4)
	{
#pragma omp cancel parallel if (cut && omp_get_thread_num () == 0)
#pragma omp barrier
#pragma omp atomic
	  behind++;
	}
	bad += cut && behind != 0;
#pragma omp parallel num_threads (4)
#pragma omp atomic
	whole++;
	bad += !cut && behind != whole;
	ran = tasks = behind = whole = 0;
      }
    wrong[me] = bad;
  }
  CHECK_EQUAL (on, 1);
  for (int i = 0; i < teams; i++)
    CHECK_EQUAL (wrong[i], 0);
  return failures != 0;
}
