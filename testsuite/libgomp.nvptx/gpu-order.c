/* With GOMP_NVPTX_TEAMS=off sums of floating-point numbers have the same bits in each run: those of threads and teams that add
   their parts in the order of their numbers.  Reductions of one variable, of several, of an array and of a type, in one construct
   or in several, with clauses for teams and threads, by critical constructs and by an atomic one that some do not come to; kernels at
   the same time.
   TEST-MODES: ptxours ptxlanes gpu
   TEST-GPU: ours
   TEST-IMAGE: nvptx
   TEST-OPTIONS: -foffload-options=nvptx-none=-latomic
   TEST-ENV: GOMP_NVPTX_TEAMS=off
   TEST-ENV: PTX_SIM_ORDER=random:7
   TEST-ENV: FAKE_CUDA_ATTRIBUTE=16:6  */

#include <complex.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 2000, RUNS = 3 };
static double x[N];
#pragma omp declare target to (x)
static int failures;

/* Iterations FROM to TO of number ME of N who share them.  */
static void
share (int n, int me, int *from, int *to)
{
  int all = *to - *from, each = all / n, rest = all % n;
  *from += me * each + (me < rest ? me : rest);
  *to = *from + each + (me < rest);
}

/* The sum of x by so many teams and threads, each of which begins with START.  */
static double
expected (int teams, int threads, double start)
{
  double sum = start;
  for (int team = 0; team < teams; team++)
    {
      int from = 0, to = N;
      double part = 0;
      share (teams, team, &from, &to);
      /* A team without iterations has no threads.  */
      for (int thread = 0; thread < threads && from < to; thread++)
	{
	  int begin = from, end = to;
	  double own = 0;
	  share (threads, thread, &begin, &end);
	  for (int i = begin; i < end; i++)
	    own += x[i];
	  part += own;
	}
      sum += part;
    }
  return sum;
}

static void
check (const char *what, int run, double got, double want)
{
  if (memcmp (&got, &want, sizeof (got)) != 0)
    {
      printf ("%s, run %d: %a and not %a\n", what, run, got, want);
      failures++;
    }
}

/* WHAT has the same result in each run, and the expected one where that is KNOWN.  */
static void
same (const char *what, double (*sum) (int), int argument, int known, double want)
{
  for (int run = 0; run < RUNS; run++)
    {
      double got = sum (argument);
      if (run == 0 && !known)
	want = got;
      check (what, run, got, want);
    }
}

static int teams_now, threads_now;

static double
combined (int argument)
{
  double s = 0.25;
  int n = 0, t = 0;
  (void) argument;
  #pragma omp target teams distribute parallel for reduction (+: s) map (tofrom: s, n, t)
  for (int i = 0; i < N; i++)
    {
      if (i == 0)
	{
	  n = omp_get_num_teams ();
	  t = omp_get_num_threads ();
	}
      s += x[i];
    }
  teams_now = n;
  threads_now = t;
  return s;
}

static double
limited (int teams)
{
  double s = 0.25;
  #pragma omp target teams distribute parallel for reduction (+: s) map (tofrom: s) num_teams (teams) num_threads (5)
  for (int i = 0; i < N; i++)
    s += x[i];
  return s;
}

static double
one_team (int threads)
{
  double s = 0.25;
  #pragma omp target parallel for reduction (+: s) map (tofrom: s) num_threads (threads)
  for (int i = 0; i < N; i++)
    s += x[i];
  return s;
}

static double
no_threads (int teams)
{
  double s = 0.25;
  #pragma omp target teams distribute reduction (+: s) map (tofrom: s) num_teams (teams)
  for (int i = 0; i < N; i++)
    s += x[i];
  return s;
}

static double
with_barrier (int argument)
{
  double s = 0, all = 0;
  #pragma omp target teams reduction (+: all) map (tofrom: all) num_teams (argument) private (s)
  {
    s = 0;
    #pragma omp parallel
    {
      #pragma omp for reduction (+: s) schedule (static, 3)
      for (int i = 0; i < N; i++)
	s += x[i];
      #pragma omp for reduction (+: s)
      for (int i = 0; i < N; i++)
	s += x[i] * s;
    }
    all += s;
  }
  return all;
}

static double
several (int argument)
{
  double s = 0, p = 1;
  float f = 0;
  double _Complex c = 0;
  (void) argument;
  #pragma omp target teams distribute parallel for reduction (+: s, f, c) reduction (*: p) map (tofrom: s, f, c, p)
  for (int i = 0; i < N; i++)
    {
      s += x[i];
      f += (float) x[i];
      c += x[i] * (1 + 2 * I);
      p *= 1 + x[i] / 64;
    }
  return s + f + p + creal (c) + cimag (c);
}

static double
array (int argument)
{
  double s[3] = { 0, 1, 2 };
  (void) argument;
  #pragma omp target teams distribute parallel for reduction (+: s) map (tofrom: s)
  for (int i = 0; i < N; i++)
    s[i % 3] += x[i];
  return s[0] + 2 * s[1] + 4 * s[2];
}

static double
simd (int argument)
{
  double s = 0;
  (void) argument;
  #pragma omp target teams distribute parallel for simd reduction (+: s) map (tofrom: s)
  for (int i = 0; i < N; i++)
    s += x[i];
  return s;
}

/* Threads add nothing; where they can be lanes, they are.  */
static double
of_teams (int teams)
{
  double s = 0.25;
  #pragma omp target teams distribute reduction (+: s) map (tofrom: s) num_teams (teams)
  for (int k = 0; k < 20; k++)
    {
      double v[64];
      #pragma omp parallel for
      for (int i = 0; i < 64; i++)
	v[i] = x[20 * i + k] / 3;
      for (int i = 0; i < 64; i++)
	s += v[i];
    }
  return s;
}

static double
expected_of_teams (int teams)
{
  double s = 0.25;
  for (int team = 0; team < teams; team++)
    {
      int from = 0, to = 20;
      double part = 0;
      share (teams, team, &from, &to);
      for (int k = from; k < to; k++)
	for (int i = 0; i < 64; i++)
	  part += x[20 * i + k] / 3;
      s += part;
    }
  return s;
}

struct pair { double a, b; };
#pragma omp declare target
static void
add_pair (struct pair *to, const struct pair *from)
{
  to->a += from->a;
  to->b = to->b * 0.5 + from->b;
}
#pragma omp end declare target
#pragma omp declare reduction (add: struct pair: add_pair (&omp_out, &omp_in)) initializer (omp_priv = { 0, 0 })

static double
typed (int argument)
{
  struct pair s = { 0, 0 };
  (void) argument;
  #pragma omp target teams distribute parallel for reduction (add: s) map (tofrom: s)
  for (int i = 0; i < N; i++)
    {
      s.a += x[i];
      s.b += x[i];
    }
  return s.a + s.b;
}

static double
critical (int argument)
{
  double s = 0;
  #pragma omp target parallel map (tofrom: s) num_threads (8)
  {
    double own = 0;
    for (int i = omp_get_thread_num (); i < N; i += 8)
      own += x[i];
    if (argument == 0)
      {
	#pragma omp critical
	s += own;
      }
    else
      {
	#pragma omp critical (named)
	s = s * 0.5 + own;
      }
  }
  return s;
}

/* Threads add to what all teams share.  */
static double
shared (int argument)
{
  double s = 0.25;
  #pragma omp target teams map (tofrom: s) num_teams (20)
  #pragma omp parallel num_threads (8)
  if (omp_get_thread_num () % 3 != argument)
    {
      #pragma omp atomic
      s += x[omp_get_thread_num () + 8 * omp_get_team_num ()];
    }
  return s;
}

static double
expected_shared (int argument)
{
  double s = 0.25;
  for (int i = 0; i < 8 * 20; i++)
    if (i % 8 % 3 != argument)
      s += x[i];
  return s;
}

int
main (void)
{
  unsigned long long state = 1;

  /* Of all sizes, so that nearly each order gives another sum.  */
  for (int i = 0; i < N; i++)
    {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      x[i] = ((double) (state >> 33) / (1u << 31) - 0.5) * (1u << state % 29) / (1 << 20);
    }
  #pragma omp target update to (x)

  combined (0);
  same ("a combined construct", combined, 0, 1, expected (teams_now, threads_now, 0.25));
  same ("a team", limited, 1, 1, expected (1, 5, 0.25));
  same ("7 teams", limited, 7, 1, expected (7, 5, 0.25));
  same ("100 teams", limited, 100, 1, expected (100, 5, 0.25));
  same ("8 threads", one_team, 8, 1, expected (1, 8, 0.25));
  same ("a thread", one_team, 1, 1, expected (1, 1, 0.25));
  same ("9 teams of a thread", no_threads, 9, 1, expected (9, 1, 0.25));
  same ("teams alone", of_teams, 9, 1, expected_of_teams (9));
  same ("barriers", with_barrier, 3, 0, 0);
  same ("several variables", several, 0, 0, 0);
  same ("an array", array, 0, 0, 0);
  same ("simd", simd, 0, 0, 0);
  same ("a type", typed, 0, 0, 0);
  same ("critical", critical, 0, 0, 0);
  same ("critical with a name", critical, 1, 0, 0);
  same ("all threads of all teams", shared, 3, 1, expected_shared (3));
  same ("some threads of all teams", shared, 0, 1, expected_shared (0));

  double want = expected (11, 5, 0.25), got[8];
  #pragma omp parallel for num_threads (4) schedule (static, 1)
  for (int i = 0; i < 8; i++)
    got[i] = limited (11);
  for (int i = 0; i < 8; i++)
    check ("at the same time", i, got[i], want);
  return failures != 0;
}
