/* Reductions over the league and over the teams' regions, with distribute, parallel regions and
   task reductions inside; ICVs of the surrounding task stay.  */
#include <omp.h>
#include <stdio.h>

static int bad;
#define CHECK(ok)							\
  do									\
    if (!(ok))								\
      {									\
	printf ("line %d: wrong: %s\n", __LINE__, #ok);			\
	__atomic_fetch_add (&bad, 1, __ATOMIC_RELAXED);			\
      }									\
  while (0)

static long
one_team (void)
{
  long mine = 0;
#pragma omp taskgroup task_reduction (+: mine)
  {
    for (int i = 0; i < 10; i++)
#pragma omp task in_reduction (+: mine)
	mine += i;
  }
#pragma omp parallel num_threads (3) reduction (task, +: mine)
  {
#pragma omp task in_reduction (+: mine)
    mine += 100;
  }
#pragma omp taskloop reduction (+: mine)
  for (int i = 0; i < 10; i++)
    mine += i;
  CHECK (omp_get_level () == 0 && omp_get_num_threads () == 1);
  return mine;
}

int
main (void)
{
  long sum = 1, product = 1, arr[4] = { 0, 0, 0, 0 };
  double most = -1;
#pragma omp teams num_teams (5) reduction (+: sum, arr) reduction (*: product) reduction (max: most)
  {
    sum += omp_get_team_num ();
    product *= 2;
    arr[omp_get_team_num () % 4] += 10;
    most = omp_get_team_num ();
  }
  CHECK (sum == 11 && product == 32 && most == 4);
  CHECK (arr[0] == 20 && arr[1] == 10 && arr[3] == 10);

  sum = 0;
#pragma omp teams distribute parallel for num_teams (3) num_threads (3) reduction (+: sum)	\
  schedule (dynamic) dist_schedule (static, 7)
  for (int i = 0; i < 1000; i++)
    sum += i;
  CHECK (sum == 499500);

  /* Each team is of one thread with tasks of its own.  */
  sum = 0;
#pragma omp teams num_teams (3) reduction (+: sum)
  {
    sum += one_team ();
  }
  CHECK (sum == 3 * 390);

  /* Around a loop over teams, and a loop inside of each.  */
  sum = 0;
  for (int k = 0; k < 20; k++)
    {
#pragma omp teams reduction (+: sum) thread_limit (2)
      {
#pragma omp parallel num_threads (4) reduction (+: sum)
	sum += omp_get_num_threads () == 2;
      }
    }
  CHECK (sum == 20 * 3 * 2);
  CHECK (omp_get_num_teams () == 1 && omp_get_team_num () == 0 && omp_get_level () == 0);
  return bad != 0;
}
