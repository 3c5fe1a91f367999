/* Tasks in many teams at the same time: recursion, dependences, groups; each team waits for its own only.
   TEST-GPU: ours
   TEST-MODES: host cpu gpu  */
#include "aux-check.h"

#define TEAMS 64
static int wrong[TEAMS];

#pragma omp declare target
static int
fibonacci (int n)
{
  int a, b;
  if (n < 2)
    return n;
#pragma omp task shared (a)
  a = fibonacci (n - 1);
#pragma omp task shared (b)
  b = fibonacci (n - 2);
#pragma omp taskwait
  return a + b;
}
#pragma omp end declare target

int
main (void)
{
  int teams = 0;
#pragma omp target teams num_teams (TEAMS) map (tofrom: wrong, teams)
  {
    int me = omp_get_team_num (), fib = 0, chain = 1, want = 1, group = 0, late = 0, loops = 0;
    if (me == 0)
      teams = omp_get_num_teams ();
    for (int i = 0; i < 20; i++)
      want = (want * 3 + i) % 10007;
#pragma omp parallel num_threads (1 + me % 8)
    {
#pragma omp single nowait
      fib = fibonacci (6);
#pragma omp single
      {
	for (int i = 0; i < 20; i++)
#pragma omp task depend (inout: chain) shared (chain) firstprivate (i)
	  chain = (chain * 3 + i) % 10007;
#pragma omp taskgroup
	{
	  for (int i = 0; i < 10; i++)
#pragma omp task shared (group)
	    {
#pragma omp task shared (group)
#pragma omp atomic
	      group++;
	    }
	}
	late = group;
#pragma omp taskloop grainsize (3) shared (loops)
	for (int i = 0; i < 40; i++)
#pragma omp atomic
	  loops += i;
      }
    }
    wrong[me] = (fib != 8) + (chain != want) + (late != 10) + (loops != 780);
  }
  CHECK_EQUAL (teams > 0, 1);
  for (int i = 0; i < teams; i++)
    CHECK_EQUAL (wrong[i], 0);
  return failures != 0;
}
