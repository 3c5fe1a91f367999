/* Teams: how many there are, that each iteration of distribute is executed once, reductions over teams, threads
   and lanes, limits, more teams than the device has room for.  */
#include "aux-gcn.h"

enum { N = 3000 };
static int hits[N], team_of[N];
static double a[N], b[N];

int
main (void)
{
  double s = 0, want = 0;
  long count = 0;
  int maximum = -1;
  for (int i = 0; i < N; i++)
    {
      a[i] = i % 13;
      b[i] = i % 7;
      want += a[i] + b[i] * 2;
    }
#pragma omp target teams distribute parallel for simd map (tofrom: a) map (to: b) reduction (+: s, count) \
  reduction (max: maximum) num_teams (6)
  for (int i = 0; i < N; i++)
    {
      a[i] += b[i] * 2;
      s += a[i];
      count++;
      maximum = i > maximum ? i : maximum;
    }
  CHECK_EQUAL (s, want);
  CHECK_EQUAL (count, N);
  CHECK_EQUAL (maximum, N - 1);

  int teams = 0, seen = 0, wrong = 0, limit = 0;
#pragma omp target teams num_teams (7) thread_limit (4) map (tofrom: teams, seen, wrong, limit)
  {
    int threads = 0;
#pragma omp parallel reduction (+: threads)
    threads++;
#pragma omp parallel num_threads (1)
    {
      if (threads > 4 || threads < 1 || omp_get_num_teams () != 7)
#pragma omp atomic
	wrong++;
#pragma omp atomic
      teams++;
#pragma omp atomic
      seen |= 1 << omp_get_team_num ();
      if (omp_get_team_num () == 0)
	limit = omp_get_thread_limit ();
    }
  }
  CHECK_EQUAL (teams, 7);
  CHECK_EQUAL (seen, 0x7f);
  CHECK_EQUAL (wrong, 0);
  CHECK_EQUAL (limit, 4);

  /* Chunks of distribute go round the teams.  */
#pragma omp target teams num_teams (3) map (tofrom: hits) map (from: team_of)
#pragma omp distribute dist_schedule (static, 10)
  for (int i = 0; i < N; i++)
    {
      hits[i]++;
      team_of[i] = omp_get_team_num ();
    }
  for (int i = 0; i < N; i++)
    if (hits[i] != 1 || team_of[i] != i / 10 % 3)
      {
	printf ("iteration %d: %d times, in team %d\n", i, hits[i], team_of[i]);
	failures++;
	break;
      }

  /* More teams than anything can hold at once.  */
  int many = 0;
  long numbers = 0;
#pragma omp target teams num_teams (300) thread_limit (1) reduction (+: many, numbers)
  {
    many++;
    numbers += omp_get_team_num ();
  }
  CHECK_EQUAL (many, 300);
  CHECK_EQUAL (numbers, 300 * 299 / 2);

  /* What the device chooses.  */
  int chosen = 0, largest = 0;
#pragma omp target teams map (tofrom: chosen, largest)
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp atomic
      chosen++;
    }
    if (omp_get_team_num () == 0 && omp_get_thread_num () == omp_get_num_threads () - 1)
      largest = omp_get_num_teams () * 1000 + omp_get_num_threads ();
  }
  CHECK_EQUAL (chosen, largest / 1000);
  if (largest % 1000 < 1 || largest % 1000 > 16)
    printf ("a team of %d threads\n", largest % 1000), failures++;
  return failures != 0;
}
