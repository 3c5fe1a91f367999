/* Recursive functions with local variables in memory: with warps these are on the soft stack, with
   lanes on the GPU's own, one set for each call.  lanes-recursion.sh wants to see which regions can
   have a thread for each lane: direct, and what needs nothing of the library; warps, and why not.
   TEST-MODES: ptxsim ptxours ptxlanes gpu  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 192, TEAMS = 3, T = 64, DEPTH = 12 };

#define FUNCTION __attribute__ ((noipa))

struct pair
{
  long a, b;
};

static long found[N], wanted[N];

#pragma omp declare target
static int calls;

/* In a circle, with a structure by value that is in the caller's frame.  */
FUNCTION static long odd (struct pair, int);

FUNCTION static long
even (struct pair p, int depth)
{
  struct pair q = { p.b + depth, p.a };
  return depth == 0 ? p.a - p.b : odd (q, depth - 1) * 3 + q.a - p.b;
}

FUNCTION static long
odd (struct pair p, int depth)
{
  struct pair q = { p.a * 5, p.b ^ depth };
  return depth == 0 ? p.a + p.b : even (q, depth - 1) + (q.b ^ p.a) * 7;
}

/* Each call changes its caller's array, and needs its own one behind the call.  */
FUNCTION static long
down (long *above, int depth, long seed, long other)
{
  long own[2] = { seed, above[depth & 1] + other };
  if (depth > 0)
    {
      long below = down (own, depth - 1, other + 1, seed ^ depth);
      above[depth & 1] += own[1] * 3 + below;
      return below * 5 + own[0] - other * seed;
    }
  above[0]++;
  return own[0] ^ own[1];
}

/* Of an array of the thread's, in pieces.  */
FUNCTION static void
sort (int *x, int n)
{
  while (n > 1)
    {
      int middle = x[(n - 1) / 2], i = -1, j = n;
      for (;;)
	{
	  while (x[++i] < middle)
	    continue;
	  while (x[--j] > middle)
	    continue;
	  if (i >= j)
	    break;
	  int t = x[i];
	  x[i] = x[j];
	  x[j] = t;
	}
      sort (x, j + 1);
      x += j + 1;
      n -= j + 1;
    }
}

/* With an atomic update in each call, which warps make for one lane.  */
FUNCTION static int
count (int n)
{
#pragma omp atomic
  calls++;
  return n < 2 ? n : count (n - 1) + count (n - 2);
}

/* It computes, and nothing else.  */
FUNCTION static int
power (int base, int n)
{
  int half = n == 0 ? 0 : power (base, n / 2);
  return n == 0 ? 1 : half * half * (n % 2 == 1 ? base : 1);
}

/* More in memory than its calls take otherwise.  */
FUNCTION static long
large (const long *above, int depth)
{
  long own[64];
  for (int i = 0; i < 64; i++)
    own[i] = above[i] + depth;
  return depth == 0 ? own[5] : large (own, depth - 1) + own[depth];
}
#pragma omp end declare target

static int failures;

static void
check (const char *name)
{
  for (int i = 0; i < N; i++)
    if (found[i] != wanted[i])
      {
	if (failures++ < 20)
	  printf ("%s: number %d is %ld instead of %ld\n", name, i, found[i], wanted[i]);
      }
    else
      found[i] = -1;
}

static long
in_circle (int i)
{
  return even ((struct pair) { i, i * 7 % 5 }, DEPTH + i % 3);
}

static long
down_from (int i)
{
  long own[2] = { i, 4 };
  long below = down (own, DEPTH - i % 5, i, 3);
  return below + own[0] * 3 + own[1];
}

static long
sorted (int i)
{
  int own[24];
  long sum = 0;
  for (int k = 0; k < 24; k++)
    own[k] = (k * 7919 + i * 31) % 101;
  sort (own, 24);
  for (int k = 0; k < 24; k++)
    sum = sum * 3 + own[k];
  return sum;
}

#pragma omp declare target (in_circle, down_from, sorted)

/* EXPECT: mutual direct */
static void
mutual (void)
{
#pragma omp target teams distribute parallel for map (from: found)
  for (int i = 0; i < N; i++)
    found[i] = in_circle (i);
  for (int i = 0; i < N; i++)
    wanted[i] = in_circle (i);
  check ("mutual");
}

/* EXPECT: arrays direct */
static void
arrays (void)
{
#pragma omp target teams distribute parallel for map (from: found)
  for (int i = 0; i < N; i++)
    found[i] = down_from (i);
  for (int i = 0; i < N; i++)
    wanted[i] = down_from (i);
  check ("arrays");
}

/* The same functions in another region, whose threads have an array together.
   EXPECT: together direct */
static void
together (void)
{
#pragma omp target teams num_teams (TEAMS) thread_limit (T) map (from: found)
  {
    long part[T];
#pragma omp parallel
    {
      int first = omp_get_team_num () * T, threads = omp_get_num_threads ();
      for (int i = omp_get_thread_num (); i < T; i += threads)
	part[i] = down_from (first + i) - in_circle (first + i);
#pragma omp barrier
      for (int i = omp_get_thread_num (); i < T; i += threads)
	found[first + i] = part[T - 1 - i];
    }
  }
  for (int i = 0; i < N; i++)
    {
      int k = i / T * T + T - 1 - i % T;
      wanted[i] = down_from (k) - in_circle (k);
    }
  check ("together");
}

/* EXPECT: pieces direct */
static void
pieces (void)
{
#pragma omp target teams distribute parallel for map (from: found)
  for (int i = 0; i < N; i++)
    found[i] = sorted (i);
  for (int i = 0; i < N; i++)
    wanted[i] = sorted (i);
  check ("pieces");
}

/* EXPECT: updates direct */
static void
updates (void)
{
  int total = 0;
#pragma omp target map (from: total)
  {
    calls = 0;
    total = 0;
  }
#pragma omp target teams distribute parallel for map (from: found)
  for (int i = 0; i < N; i++)
    found[i] = count (i % 9);
#pragma omp target map (from: total)
  total = calls;
  calls = 0;
  for (int i = 0; i < N; i++)
    wanted[i] = count (i % 9);
  check ("updates");
  if (total != calls && failures++ < 20)
    printf ("updates: %d calls instead of %d\n", total, calls);
}

/* What the target region computes for all threads is recursive, too.
   EXPECT: before direct */
static void
before (int n)
{
#pragma omp target teams num_teams (TEAMS) thread_limit (T) map (from: found) firstprivate (n)
  {
    int factor = power (3, n);
    long part[T];
#pragma omp parallel
    {
      int first = omp_get_team_num () * T, threads = omp_get_num_threads ();
      for (int i = omp_get_thread_num (); i < T; i += threads)
	part[i] = factor + power (first + i, 5);
#pragma omp barrier
      for (int i = omp_get_thread_num (); i < T; i += threads)
	found[first + i] = part[T - 1 - i];
    }
  }
  for (int i = 0; i < N; i++)
    wanted[i] = power (3, n) + power (i / T * T + T - 1 - i % T, 5);
  check ("before");
}

/* EXPECT: framed warps .*too large for a lane.* */
static void
framed (void)
{
#pragma omp target teams distribute parallel for map (from: found)
  for (int i = 0; i < N; i++)
    {
      long own[64] = { i, 3, i * 5 };
      found[i] = large (own, i % 6);
    }
  for (int i = 0; i < N; i++)
    {
      long own[64] = { i, 3, i * 5 };
      wanted[i] = large (own, i % 6);
    }
  check ("framed");
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    {
      /* So deep.  */
      int depth = atoi (argv[1]);
      struct pair p = { 3, 4 };
      long own[2] = { 1, 2 }, there[2] = { 0 };
#pragma omp target teams distribute parallel for map (from: there)
      for (int i = 0; i < 2; i++)
	{
	  long own[2] = { 1, 2 };
	  there[i] = i == 0 ? even (p, depth) : down (own, depth, 5, 6);
	}
      return there[0] != even (p, depth) || there[1] != down (own, depth, 5, 6);
    }
  mutual ();
  arrays ();
  together ();
  pieces ();
  updates ();
  before (9);
  framed ();
  return failures != 0;
}
