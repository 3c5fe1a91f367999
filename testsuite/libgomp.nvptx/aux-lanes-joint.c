/* aux-lanes-joint.c -- target regions for lanes-joint.sh: updates that all lanes of a warp can make at once, and others.

   EXPECT: FUNCTION NUMBER		so many updates in its kernels are joint ones, from -O1 to -Ofast

   The numbers are such that sums and products have the same bits in any grouping, but for those that tell whether it was the one
   that is written.  */

#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEAMS = 2, N = 150, T = 96 };

typedef unsigned uint;
typedef unsigned long ulong;

static int in[N];
static int failures;

static void
expect (const char *name, int n, double got, double want)
{
  if (got != want && failures++ < 20)
    printf ("%s, %d: %.17g instead of %.17g\n", name, n, got, want);
}

#define STRING(...) _Pragma (#__VA_ARGS__)

/* Each thread sees the team's number behind the loop, and the initial thread does behind the region.  Of 50 iterations some lanes of a
   warp have none, and with 7 whole warps.  */
#define REDUCTION(op, type, first, element, update)							\
  for (int n = 7; n <= N; n += n == 7 ? 43 : 100)							\
    {													\
      type out[TEAMS], seen[TEAMS * T];									\
      STRING (omp target teams num_teams (TEAMS) thread_limit (T) map (to: in) map (from: out, seen))	\
      {													\
	type s = first;											\
	int team = omp_get_team_num ();									\
	STRING (omp parallel num_threads (T))								\
	{												\
	  STRING (omp for schedule (static, 1) reduction (op: s))					\
	  for (int k = 0; k < n; k++)									\
	    { int i = in[k] + team; type e = element; update; }						\
	  for (int i = omp_get_thread_num (); i < T; i += omp_get_num_threads ())			\
	    seen[team * T + i] = s;									\
	}												\
	out[team] = s;											\
      }													\
      for (int team = 0; team < TEAMS; team++)								\
	{												\
	  type s = first;										\
	  for (int k = 0; k < n; k++)									\
	    { int i = in[k] + team; type e = element; update; }						\
	  expect (__func__, n, (double) out[team], (double) s);						\
	  for (int i = 0; i < T; i += T - 1)								\
	    expect (__func__, n + i, (double) seen[team * T + i], (double) s);				\
	}												\
    }
#define INTEGERS(op, first, element, update)								\
  REDUCTION (op, int, first, element, update) REDUCTION (op, uint, first, element, update)		\
  REDUCTION (op, long, first, element, update) REDUCTION (op, ulong, first, element, update)
#define FLOATS(op, first, element, update)								\
  REDUCTION (op, float, first, element, update) REDUCTION (op, double, first, element, update)

/* At -O3 GCC 12 copies some updates.
   EXPECT: sums 6-8 */
static void
sums (void)
{
  INTEGERS (+, 3, i, s += e)
  FLOATS (+, 0.5f, i, s += e)
}

/* EXPECT: differences 6-8 */
static void
differences (void)
{
  INTEGERS (+, 3, i, s -= e)
  FLOATS (+, 0.5f, i, s -= e)
}

/* EXPECT: products 6 */
static void
products (void)
{
  INTEGERS (*, 3, i % 37 == 0 ? 3 : i % 2 ? 1 : -1, s *= e)
  FLOATS (*, 3, i % 2 ? 2 : i % 4 ? 0.5f : -1, s *= e)
}

/* EXPECT: least 6 */
static void
least (void)
{
  INTEGERS (min, 1000, i * 5 % 149 + 3, s = e < s ? e : s)
  FLOATS (min, 1000, i * 5 % 149 - 3, s = e < s ? e : s)
}

/* EXPECT: greatest 6 */
static void
greatest (void)
{
  INTEGERS (max, 3, i * 5 % 149, s = e > s ? e : s)
  FLOATS (max, -1000, -i * 5 % 149, s = e > s ? e : s)
}

/* GCC 12's loops around a compare-and-swap for 64 bits are none of those that are known.
   EXPECT: masks 4-8 */
static void
masks (void)
{
  INTEGERS (&, -3, ~(1 << i % 31), s &= e)
  INTEGERS (|, 1, 1 << i % 31, s |= e)
}

/* EXPECT: exclusives 2-4 */
static void
exclusives (void)
{
  INTEGERS (^, 7, i * 77, s ^= e)
}

/* Once nothing is 0, once one number is.
   EXPECT: all 12 */
static void
all (void)
{
  INTEGERS (&&, 4, i + 1, s = s && e)
  FLOATS (&&, 4, i + 1, s = s && e)
  INTEGERS (&&, 4, i - 44, s = s && e)
  FLOATS (&&, 4, i - 44, s = s && e)
}

/* At -O3 GCC 12 has a number of threads that is 1 where it means 1.
   EXPECT: any 8-12 */
static void
any (void)
{
  INTEGERS (||, 0, i < 0, s = s || e)
  FLOATS (||, 0, i < 0, s = s || e)
  INTEGERS (||, 0, i == 45 ? 2 : 0, s = s || e)
  FLOATS (||, 0, i == 45 ? 2 : 0, s = s || e)
}

/* Another number from which on an addition of 1 changes nothing: none of the threads' changes it, in whatever order, but 32 of
   them together do.  */
#define LARGE 0x1p24f

/* A region of each team, where x, a float, is LARGE, and y an integer, 0.  LEAST and MOST are what x may be behind it, without
   LARGE and if the team has all the threads, NUMBER what y must be, and z 0.  */
#define BEGIN												\
  {													\
    float out[TEAMS];											\
    int numbers[TEAMS], bad[TEAMS], sizes[TEAMS];							\
    STRING (omp target teams num_teams (TEAMS) thread_limit (T) map (to: in, ones) map (from: out, numbers, bad, sizes))	\
    {													\
      float x = LARGE;											\
      unsigned y = 0;											\
      int z = 0, size = 0, team = omp_get_team_num ();							\
      STRING (omp parallel num_threads (T))								\
      {													\
	int t = omp_get_thread_num (), threads = omp_get_num_threads ();
#define END(least, most, number)									\
	if (t == 0)											\
	  size = threads;										\
      }													\
      out[team] = x;											\
      numbers[team] = y;										\
      bad[team] = z;											\
      sizes[team] = size;										\
    }													\
    for (int team = 0; team < TEAMS; team++)								\
      {													\
	float added = sizes[team] == T ? out[team] - LARGE : (least);					\
	if (added < (least) || added > (most))								\
	  expect (__func__, -1, added, least);								\
	expect (__func__, -2, numbers[team], number);							\
	expect (__func__, -3, bad[team], 0);								\
      }													\
  }

static float ones[T];
static int together;		/* lanes of a warp are, where they can be */

/* A sum of floats.
   EXPECT: regrouped 1 */
static void
regrouped (void)
{
  BEGIN
#pragma omp for schedule (static, 1) reduction (+: x)
      for (int i = 0; i < T; i++)
	x += ones[i];
  END (together ? T : 0, T, 0)
}

/* What isn't one, or is not known to be: a number that was not added up from 0; one of several updates in a loop; one behind which
   a thread does something else.
   EXPECT: atomic 0 */
static void
atomic (void)
{
  BEGIN
      float mine = ones[t];
#pragma omp atomic
      x += mine;
#pragma omp barrier
      if (x != LARGE)
	z = 1;
  END (0, 0, 0)
  BEGIN
      for (int k = 0; k < 3; k++)
	{
	  float mine = 0;
	  for (int i = t; i < T; i += threads)
	    mine += ones[i];
#pragma omp atomic
	  x += mine;
#pragma omp barrier
	}
  END (0, 0, 0)
  BEGIN
      float mine = 0;
      for (int i = t; i < T; i += threads)
	mine += ones[i];
#pragma omp atomic
      x += mine;
      if (t == 0)
	z = mine != 1 && threads == T;
  END (0, 0, 0)
}

/* What was there before is used: each power of 3, once.  The sum of their exponents is a joint update.
   EXPECT: captured 1 */
static void
captured (void)
{
  BEGIN
      unsigned was, power = 1, factor = 2 + (unsigned) ones[t];
      int n = 0;
      if (t == 0)
	y = 1;
#pragma omp barrier
#pragma omp atomic capture
      { was = y; y *= factor; }
      for (; n < threads && power != was; n++)
	power *= 3;
#pragma omp atomic
      z += n;
#pragma omp barrier
      if (t == 0)
	{
	  z -= threads * (threads - 1) / 2;
	  for (; n < threads; n++)
	    power *= 3;
	  if (y != power)
	    z = 1;
	  y = 0;
	}
  END (0, 0, 0)
}

/* Products in a loop, whose places differ from lane to lane, and are the same: any grouping will do, and each thread sees its own.
   EXPECT: scattered 1 */
static void
scattered (void)
{
  int out[TEAMS][8], bad[TEAMS];
#pragma omp target teams num_teams (TEAMS) thread_limit (T) map (to: in) map (from: out, bad)
  {
    int x[8], z = 0, team = omp_get_team_num ();
    for (int i = 0; i < 8; i++)
      x[i] = 1;
#pragma omp parallel num_threads (T)
    {
      int t = omp_get_thread_num ();
      for (int i = t; i < 2 * T; i += omp_get_num_threads ())
	{
	  int *at = &x[i < T ? in[i] % 8 : i % 32 == 5 ? 1 : 0];
#pragma omp atomic
	  *at *= i % 16 == 3 ? 3 : -1;
	  int now;
#pragma omp atomic read
	  now = *at;
	  if (now % 3 != 0 && i % 16 == 3)
	    z = 1;
	}
    }
    for (int i = 0; i < 8; i++)
      out[team][i] = x[i];
    bad[team] = z;
  }
  for (int team = 0; team < TEAMS; team++)
    {
      int x[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
      for (int i = 0; i < 2 * T; i++)
	x[i < T ? in[i] % 8 : i % 32 == 5 ? 1 : 0] *= i % 16 == 3 ? 3 : -1;
      for (int i = 0; i < 8; i++)
	expect ("scattered", i, out[team][i], x[i]);
      expect ("scattered", -3, bad[team], 0);
    }
}

/* Integers need no barrier; who goes on sees its own update.  Instructions have places of their own: they stay as they are.
   EXPECT: counted 1 */
static void
counted (void)
{
  BEGIN
      unsigned now;
#pragma omp atomic
      y += ones[t] == 1;
#pragma omp atomic read
      now = y;
      if (now < 1)
	z = 1;
#pragma omp barrier
      if (t == 0)
	y -= threads;
  END (0, 0, 0)
  int out[TEAMS][5];
#pragma omp target teams num_teams (TEAMS) thread_limit (T) map (to: in) map (from: out)
  {
    int x[4] = { 0, 0, 0, 0 }, threads = 0, team = omp_get_team_num ();
#pragma omp parallel num_threads (T)
    {
      int t = omp_get_thread_num ();
      if (t == 0)
	threads = omp_get_num_threads ();
#pragma omp atomic
      x[in[t] % 4] += 5;
    }
    for (int i = 0; i < 4; i++)
      out[team][i] = x[i];
    out[team][4] = threads;
  }
  for (int team = 0; team < TEAMS; team++)
    expect ("counted", -4, out[team][0] + out[team][1] + out[team][2] + out[team][3], 5 * out[team][4]);
}

/* Reductions in a loop: those of integers.
   EXPECT: again 2-3 */
static void
again (void)
{
  int out[TEAMS];
  double most[TEAMS];
#pragma omp target teams num_teams (TEAMS) thread_limit (T) map (to: in) map (from: out, most)
  {
    int x = 0;
    long y = 0;
    double z = 0;
#pragma omp parallel num_threads (T)
    for (int k = 0; k < 3; k++)
      {
#pragma omp for schedule (static, 1) reduction (+: x)
	for (int i = 0; i < N; i++)
	  x += i % 2 ? in[i] : -in[i];
#pragma omp for schedule (static, 1) reduction (max: y)
	for (int i = 0; i < N; i++)
	  y = in[i] + x > y ? in[i] + x : y;
#pragma omp for schedule (static, 1) reduction (+: z)
	for (int i = 0; i < N; i++)
	  z += in[i] + y;
      }
    out[omp_get_team_num ()] = x;
    most[omp_get_team_num ()] = z;
  }
  int x = 0;
  long y = 0;
  double z = 0;
  for (int k = 0; k < 3; k++)
    {
      for (int i = 0; i < N; i++)
	x += i % 2 ? in[i] : -in[i];
      for (int i = 0; i < N; i++)
	y = in[i] + x > y ? in[i] + x : y;
      for (int i = 0; i < N; i++)
	z += in[i] + y;
    }
  for (int team = 0; team < TEAMS; team++)
    {
      expect ("again", team, out[team], x);
      expect ("again, sum", team, most[team], z);
    }
}

/* Teams with a part of a warp, and two loops.
   EXPECT: partly 2 */
static void
partly (void)
{
  float out[TEAMS];
#pragma omp target teams num_teams (TEAMS) thread_limit (T) map (to: in) map (from: out)
  {
    float x = 0;
    double y = 1;
#pragma omp parallel num_threads (45)
    {
#pragma omp for schedule (static, 1) reduction (+: x)
      for (int i = 0; i < N; i++)
	x += in[i];
      float least = x;
#pragma omp for schedule (static, 1) reduction (max: y)
      for (int i = 0; i < N; i++)
	y = in[i] - least > y ? in[i] - least : y;
    }
    out[omp_get_team_num ()] = x + y;
  }
  for (int team = 0; team < TEAMS; team++)
    expect ("partly", team, out[team], N * (N - 1) / 2 + 1);
}

int
main (void)
{
  together = getenv ("TOGETHER") != NULL;
  for (int i = 0; i < T; i++)
    ones[i] = 1;
  for (int i = 0; i < N; i++)
    in[i] = i * 7 % N;
  sums ();
  differences ();
  products ();
  least ();
  greatest ();
  masks ();
  exclusives ();
  all ();
  any ();
  regrouped ();
  atomic ();
  captured ();
  scattered ();
  counted ();
  again ();
  partly ();
  return failures != 0;
}
