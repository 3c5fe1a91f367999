/* Queries in simd loops, where each lane may ask for itself, and under a condition.
   TEST-MODES: host cpu gpu  */
#include "aux-check.h"

#define N 4096
static int number[N], level[N], team[N], odd[N];

int
main (void)
{
  int threads = 0;
#pragma omp target teams distribute parallel for simd num_teams (4) \
  map (tofrom: number, level, team, odd, threads)
  for (int i = 0; i < N; i++)
    {
      number[i] = omp_get_thread_num () + 1;
      level[i] = omp_get_level () * 10 + omp_in_parallel ();
      team[i] = omp_get_team_num ();
      if (i % 3 == 1)
	odd[i] = omp_get_num_threads () + (omp_is_initial_device () ? 1000 : 0);
      if (i == 1)
	threads = omp_get_num_threads ();
    }
  int device = threads > 0 && odd[1] >= 1000 ? 1000 : 0;
  for (int i = 0; i < N; i++)
    {
      CHECK_EQUAL (number[i] >= 1 && number[i] <= threads, 1);
      CHECK_EQUAL (level[i], threads > 1 ? 11 : 10);
      CHECK_EQUAL (team[i] >= 0 && team[i] < 4, 1);
      CHECK_EQUAL (odd[i], i % 3 == 1 ? threads + device : 0);
      if (failures > 5)
	break;
    }
  return failures != 0;
}
