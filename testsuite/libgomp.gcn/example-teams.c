/* Examples of the interface's description, 6: teams distribute parallel for simd with a reduction; queries.  */
#include "aux-gcn.h"

enum { N = 4096 };
static double a[N], b[N];

int
main (void)
{
  double s = 0;
  int teams = 0, threads = 0, limit = 0, most = 0, procs = 0, level = -1;

  for (int i = 0; i < N; i++)
    a[i] = i, b[i] = i % 7;
#pragma omp target teams distribute parallel for simd map (tofrom: a, b, s) reduction (+: s)
  for (int i = 0; i < N; i++)
    {
      a[i] += b[i] * 2;
      s += a[i];
    }
  double sum = 0;
  for (int i = 0; i < N; i++)
    {
      CHECK_EQUAL (a[i], i + i % 7 * 2);
      sum += i + i % 7 * 2;
    }
  CHECK_EQUAL (s, sum);

#pragma omp target teams num_teams (8) thread_limit (4) map (tofrom: teams, threads, limit, most, procs, level)
  {
#pragma omp parallel
    if (omp_get_team_num () == 0 && omp_get_thread_num () == 0)
      {
	teams = omp_get_num_teams ();
	threads = omp_get_num_threads ();
	limit = omp_get_thread_limit ();
	most = omp_get_max_threads ();
	procs = omp_get_num_procs ();
	level = omp_get_level ();
      }
  }
  CHECK_EQUAL (teams, 8);
  CHECK_EQUAL (threads >= 1 && threads <= 4, 1);
  CHECK_EQUAL (limit >= threads && most >= 1 && procs >= 1, 1);
  CHECK_EQUAL (level, 1);
  return failures != 0;
}
