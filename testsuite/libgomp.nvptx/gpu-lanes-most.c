/* Teams of 1024 threads, which count on that number, in code that would like to have more registers than
   there are for so many.
   TEST-MODES: ptxlanes gpu
   TEST-GPU: ours
   TEST-IMAGE: nvptx  */
#include <omp.h>
#include <stdio.h>

enum { THREADS = 1024, TEAMS = 3, SUMS = 40, ROUNDS = 3 };

static double out[TEAMS][THREADS], in[SUMS * ROUNDS];

static double
one (int t, int team)
{
  double sums[SUMS], total = 0;

  for (int k = 0; k < SUMS; k++)
    sums[k] = k * t;
  for (int r = 0; r < ROUNDS; r++)
    for (int k = 0; k < SUMS; k++)
      sums[k] = sums[k] * in[r * SUMS + k] + sums[(k + 7) % SUMS] + team;
  for (int k = 0; k < SUMS; k++)
    total += sums[k] * (k & 3);
  return total;
}
#pragma omp declare target to (one, in)

int
main (void)
{
  int few = 0, bad = 0;

  for (int i = 0; i < SUMS * ROUNDS; i++)
    in[i] = i % 3;
#pragma omp target update to (in)
#pragma omp target teams num_teams (TEAMS) thread_limit (THREADS) map (from: out) map (tofrom: few)
  {
    double part[THREADS];
#pragma omp parallel num_threads (THREADS)
    {
      int t = omp_get_thread_num (), team = omp_get_team_num ();
      if (omp_get_num_threads () != THREADS)
#pragma omp atomic write
	few = omp_get_num_threads ();
      part[t] = one (t, team);
#pragma omp barrier
      out[team][t] = part[THREADS - 1 - t];
    }
  }
  if (few != 0)
    {
      printf ("%d threads instead of %d\n", few, THREADS);
      return 1;
    }
  for (int team = 0; team < TEAMS; team++)
    for (int t = 0; t < THREADS; t++)
      bad += out[team][t] != one (THREADS - 1 - t, team);
  if (bad > 0)
    printf ("%d numbers are wrong\n", bad);
  return bad != 0;
}
