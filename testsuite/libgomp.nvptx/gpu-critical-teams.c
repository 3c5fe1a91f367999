/* Critical constructs that many threads of many teams enter: for what is the team's, what is all teams',
   and both; with a name and without; and what a thread has stored to memory of all teams before such a
   section for the team, others of the team see behind one.
   TEST-MODES: cpu ptxours ptxlanes gpu
   TEST-IMAGE: nvptx
   TEST-ENV: GOMP_NVPTX_LANES=force  */
#include <omp.h>
#include <stdio.h>

enum { TEAMS = 512, THREADS = 96, MOST = 40, PRIME = 1000003 };
#define SECONDS 2

static int out[TEAMS][THREADS + 2], threads[TEAMS], data[TEAMS][THREADS];
static int teams;			/* more from time to time */
static long counter;
static int bad;

/* What N threads make of 0, each by one step.  */
static int
steps (long n)
{
  int x = 0;
  for (long i = 0; i < n; i++)
    x = (int) (x * 3L % PRIME) + 1;
  return x;
}

static void
expect (const char *what, int team, long got, long want)
{
  if (got != want && bad++ < 20)
    printf ("%s: %ld instead of %ld in team %d\n", what, got, want, team);
}

/* The team's list of its threads, and a number in which no step may be lost.  */
static void
for_team (void)
{
#pragma omp target teams num_teams (teams) thread_limit (THREADS) map (from: out, threads)
  {
    int list[THREADS], count = 0, x = 0, team = omp_get_team_num ();
#pragma omp parallel num_threads (THREADS)
    {
      int t = omp_get_thread_num ();
      for (int k = t; k < THREADS; k += omp_get_num_threads ())
	list[k] = -1;
#pragma omp barrier
#pragma omp critical
      {
	list[count] = t;
	count++;
	x = (int) (x * 3L % PRIME) + 1;
      }
#pragma omp barrier
      for (int k = t; k < THREADS; k += omp_get_num_threads ())
	out[team][k] = list[k];
      if (t == 0)
	threads[team] = count == omp_get_num_threads () ? x : -count;
    }
  }
  for (int team = 0; team < teams; team++)
    {
      int n = 0, seen[THREADS] = { 0 };
      for (; n < THREADS && out[team][n] >= 0; n++)
	expect ("team, once", team, seen[out[team][n]]++, 0);
      for (int t = 0; t < n; t++)
	expect ("team, each", team, seen[t], 1);
      expect ("team, steps", team, threads[team], steps (n));
    }
}

/* A number of all teams.  */
static void
for_all (void)
{
  int x = 0;
  counter = 0;
#pragma omp target teams num_teams (teams) thread_limit (THREADS) map (from: threads) map (tofrom: counter, x)
  {
    int team = omp_get_team_num ();
#pragma omp parallel num_threads (THREADS)
    {
#pragma omp critical
      {
	counter++;
	x = (int) (x * 3L % PRIME) + 1;
      }
      if (omp_get_thread_num () == 0)
	threads[team] = omp_get_num_threads ();
    }
  }
  long all = 0;
  for (int team = 0; team < teams; team++)
    all += threads[team];
  expect ("all, number", -1, counter, all);
  expect ("all, steps", -1, x, steps (all));
}

/* Both in one section: each draws a number of all teams' for its team's list.  And both in sections of
   their own, which have one name or none.  */
static void
for_both (void)
{
  int x = 0, y = 0, z = 0;
  counter = 0;
#pragma omp target teams num_teams (teams) thread_limit (THREADS) map (from: out, threads) \
  map (tofrom: counter, x, y, z)
  {
    int list[THREADS], count = 0, own = 0, other = 0, team = omp_get_team_num ();
#pragma omp parallel num_threads (THREADS)
    {
      int t = omp_get_thread_num ();
#pragma omp critical
      {
	list[count++] = (int) counter++;
      }
#pragma omp critical
      own = (int) (own * 3L % PRIME) + 1;
      if (t % 2 == 0)
#pragma omp critical (named)
	x = (int) (x * 3L % PRIME) + 1;
      else
#pragma omp critical (named)
	other = (int) (other * 3L % PRIME) + 1;
#pragma omp critical (second)
      y = (int) (y * 3L % PRIME) + 1;
#pragma omp critical (first)
#pragma omp critical (second)
      z = (int) (z * 3L % PRIME) + 1;
#pragma omp barrier
      for (int k = t; k < count; k += omp_get_num_threads ())
	out[team][k] = list[k];
      if (t == 0)
	{
	  threads[team] = count;
	  out[team][THREADS] = own;
	  out[team][THREADS + 1] = other;
	}
    }
  }
  long all = 0, even = 0, sum = 0;
  for (int team = 0; team < teams; team++)
    {
      all += threads[team];
      even += (threads[team] + 1) / 2;
      for (int k = 0; k < threads[team]; k++)
	{
	  sum += out[team][k];
	  expect ("both, order", team, k > 0 && out[team][k] <= out[team][k - 1], 0);
	}
      expect ("both, own", team, out[team][THREADS], steps (threads[team]));
      expect ("both, odd", team, out[team][THREADS + 1], steps (threads[team] / 2));
    }
  expect ("both, number", -1, counter, all);
  expect ("both, sum", -1, sum, all * (all - 1) / 2);
  expect ("both, even", -1, x, steps (even));
  expect ("both, second", -1, y, steps (all));
  expect ("both, within", -1, z, steps (all));
}

/* What others stored before they were in the list.  */
static void
before (int round)
{
#pragma omp target teams num_teams (teams) thread_limit (THREADS) map (from: out, threads) map (tofrom: data)
  {
    int list[THREADS], count = 0, team = omp_get_team_num ();
#pragma omp parallel num_threads (THREADS)
    {
      int t = omp_get_thread_num (), wrong = 0;
      data[team][t] = t + round;
#pragma omp critical
      list[count++] = t;
      for (int k = 0; k < 4; k++)
	{
	  int last;
#pragma omp critical
	  last = list[count - 1];
	  wrong += data[team][last] != last + round;
	}
      out[team][t] = wrong;
      if (t == 0)
	threads[team] = omp_get_num_threads ();
    }
  }
  for (int team = 0; team < teams; team++)
    for (int t = 0; t < threads[team]; t++)
      expect ("before", team, out[team][t], 0);
}

int
main (void)
{
  double begin = omp_get_wtime ();
  for (int round = 0; round < MOST && (round == 0 || omp_get_wtime () - begin < SECONDS) && bad == 0; round++)
    {
      teams = 4 << round < TEAMS && round < 10 ? 4 << round : TEAMS;
      for_team ();
      for_all ();
      for_both ();
      before (round * THREADS + 1);
    }
  return bad != 0;
}
