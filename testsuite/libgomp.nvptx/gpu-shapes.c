/* Teams and threads of many numbers: every iteration is done once, by whom it should be; teams run
   as many as were asked for, whatever number of blocks the runtime takes.
   TEST-MODES: gpu
   TEST-OPTIONS: -foffload-options=nvptx-none=-latomic  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 100003 };
static int a[N];
static int failures;

static void
check (const char *what, int teams, int threads)
{
  for (int i = 0; i < N; i++)
    if (a[i] != i + 1)
      {
	printf ("%s, %d teams, %d threads: a[%d] is %d\n", what, teams, threads, i, a[i]);
	failures++;
	return;
      }
}

int
main (void)
{
  static const int teams[] = { 1, 2, 7, 132, 400, 3000 }, threads[] = { 1, 3, 8, 28, 32, 128 };

  for (unsigned t = 0; t < sizeof teams / sizeof teams[0]; t++)
    for (unsigned l = 0; l < sizeof threads / sizeof threads[0]; l++)
      {
	int n = teams[t], limit = threads[l], seen = 0, most = 0;
	for (int i = 0; i < N; i++)
	  a[i] = i;
#pragma omp target teams distribute parallel for num_teams (n) thread_limit (limit)
	for (int i = 0; i < N; i++)
	  a[i]++;
	check ("for", n, limit);
	for (int i = 0; i < N; i++)
	  a[i] = i;
#pragma omp target teams distribute parallel for simd num_teams (n)
	for (int i = 0; i < N; i++)
	  a[i]++;
	check ("for simd", n, 0);
#pragma omp target teams num_teams (n) map (tofrom: seen, most)
#pragma omp parallel num_threads (1)
	{
#pragma omp atomic
	  seen++;
	  if (omp_get_team_num () == omp_get_num_teams () - 1)
	    most = omp_get_num_teams ();
	}
	if (seen != n || most != n)
	  {
	    printf ("%d teams: %d came, the last one says %d\n", n, seen, most);
	    failures++;
	  }
      }
  double sum = 0;
  long count = 0;
#pragma omp target teams distribute parallel for reduction (+: sum, count) map (to: a)
  for (int i = 0; i < N; i++)
    {
      sum += a[i];
      count++;
    }
  if (sum != (double) N * (N + 1) / 2 || count != N)
    {
      printf ("reduction: %g, %ld\n", sum, count);
      failures++;
    }
  return failures != 0;
}
