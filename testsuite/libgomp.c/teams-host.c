/* teams on the host: numbers, limits, ICVs of their own, and parallel regions inside.  */
#include <omp.h>
#include <stdio.h>

static int bad;

static void
check (int ok, const char *what)
{
  if (!ok)
    {
      printf ("wrong: %s\n", what);
      __atomic_fetch_add (&bad, 1, __ATOMIC_RELAXED);
    }
}

static int seen, threads;

static void
one_team (void)
{
  int team = omp_get_team_num ();
  check (omp_get_num_teams () == 4, "number of teams");
  check (omp_get_thread_limit () == 3, "limit inside");
  check (omp_get_level () == 0 && !omp_in_parallel () && omp_get_num_threads () == 1, "level");
  check (omp_get_max_threads () == 2, "inherited nthreads");
  omp_set_num_threads (7);
  __atomic_fetch_add (&seen, 1 << (4 * team), __ATOMIC_RELAXED);
#pragma omp parallel num_threads (8)
  {
    check (omp_get_team_num () == team && omp_get_num_teams () == 4, "in a region");
    check (omp_get_num_threads () == 3, "limited region");
    __atomic_fetch_add (&threads, 1, __ATOMIC_RELAXED);
  }
}

int
main (void)
{
  check (omp_get_team_num () == 0 && omp_get_num_teams () == 1, "outside");
  omp_set_num_threads (2);
#pragma omp teams num_teams (4) thread_limit (3)
  one_team ();
  check (seen == 0x1111, "each team once");
  check (threads == 12, "threads of all teams");
  check (omp_get_max_threads () == 2, "nthreads after the construct");
  check (omp_get_thread_limit () != 3, "limit after the construct");
  check (omp_get_team_num () == 0 && omp_get_num_teams () == 1, "after");

  int n = 0;
#pragma omp teams reduction (+: n)
  n++;
  check (n == 3, "default number");
  omp_set_num_teams (2);
  omp_set_teams_thread_limit (1);
  n = 0;
#pragma omp teams reduction (+: n)
  {
#pragma omp parallel num_threads (4) reduction (+: n)
    n++;
  }
  check (n == 2, "omp_set_num_teams, omp_set_teams_thread_limit");
  long sum = 0;
#pragma omp teams distribute parallel for num_teams (3) thread_limit (2) reduction (+: sum)
  for (int i = 0; i < 1000; i++)
    sum += i;
  check (sum == 499500, "distribute parallel for");
  return bad != 0;
}
