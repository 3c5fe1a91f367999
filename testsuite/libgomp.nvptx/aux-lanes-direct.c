/* aux-lanes-direct.c -- target regions for lanes-direct.sh.

   "EXPECT: f direct" above a function: with lanes as threads its kernel needs nothing of the library; "EXPECT: f library": it
   must not be so.  Each function checks what its region did, in a way that shows where lanes don't wait for each other,
   compute something else than each other, or see another one's data block.  Prints what is wrong.  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 421 };

static int out[N], more[N];
static int failures;

static void
clear (void)
{
  for (int i = 0; i < N; i++)
    out[i] = more[i] = 5;
}

/* ARRAY has 5 + A * i + B from 0 to N, and 5 behind that.  */
static void
check (const char *name, const int *array, int n, int a, int b)
{
  for (int i = 0; i < N; i++)
    if (array[i] != 5 + (i < n ? a * i + b : 0))
      {
	printf ("%s: %d at %d\n", name, array[i], i);
	failures++;
	return;
      }
}

/* EXPECT: plain direct */
static void
plain (int n, int a)
{
  clear ();
#pragma omp target teams distribute parallel for map (tofrom: out)
  for (int i = 0; i < n; i++)
    out[i] += a * i;
  check ("plain", out, n, a, 0);
}

/* EXPECT: numbered direct */
static void
numbered (int n, int teams)
{
  clear ();
#pragma omp target teams distribute parallel for map (tofrom: out) num_teams (teams)
  for (int i = 0; i < n; i++)
    out[i] += i;
  check ("numbered", out, n, 1, 0);
}

/* EXPECT: nest direct */
static void
nest (int rows, int columns)
{
  clear ();
#pragma omp target teams distribute parallel for collapse (2) map (tofrom: out)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      out[i * columns + j] += i * columns + j;
  check ("nest", out, rows * columns, 1, 0);
}

/* EXPECT: factor direct */
static void
factor (int n, double a)
{
  clear ();
#pragma omp target teams distribute parallel for map (tofrom: out)
  for (int i = 0; i < n; i++)
    out[i] += (int) (a * i);
  check ("factor", out, n, (int) a, 0);
}

/* All threads have the bound before one of them changes it.
   EXPECT: bound direct */
static void
bound (int n)
{
  int limit = n;
  clear ();
#pragma omp target map (tofrom: out, limit)
  {
    int end = limit;
#pragma omp parallel for
    for (int i = 0; i < end; i++)
      {
	out[i] += i;
	if (i == 0)
	  limit = -1;
      }
  }
  check ("bound", out, n, 1, 0);
  if (limit != -1)
    {
      puts ("bound: it was not changed");
      failures++;
    }
}

/* The second loop reads what other threads have written in the first one.
   EXPECT: two direct */
static void
two (int n)
{
  clear ();
#pragma omp target map (tofrom: out, more)
  {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      out[i] += i;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      more[i] = out[(i + 40) % n];
  }
  check ("two", out, n, 1, 0);
  for (int i = 0; i < n; i++)
    more[i] -= (i + 40) % n;
  check ("two", more, n, 0, 0);
}

/* EXPECT: again direct */
static void
again (int n, int times)
{
  clear ();
#pragma omp target map (tofrom: out, more)
  for (int k = 0; k < times; k++)
    {
#pragma omp parallel for
      for (int i = 0; i < n; i++)
	more[i] = out[(i + 40) % n];
#pragma omp parallel for
      for (int i = 0; i < n; i++)
	out[(i + 40) % n] = more[i] + (i + 40) % n;
    }
  check ("again", out, n, times, 0);
}

#pragma omp declare target
static int total;

static __attribute__ ((noinline)) void
count (int i)
{
#pragma omp atomic
  total += i;
}
#pragma omp end declare target

/* EXPECT: calls direct */
static void
calls (int n)
{
  total = 3;
#pragma omp target update to (total)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    count (i);
#pragma omp target update from (total)
  if (total != 3 + n * (n - 1) / 2)
    {
      printf ("calls: %d\n", total);
      failures++;
    }
}

/* What a team computes before its region.
   EXPECT: before direct */
static void
before (int n, int a)
{
  clear ();
#pragma omp target teams map (tofrom: out) num_teams (3)
  {
    int first = omp_get_team_num () * n / omp_get_num_teams (), last = (omp_get_team_num () + 1) * n / omp_get_num_teams ();
    int b = a * 2 + 1;
#pragma omp parallel for
    for (int i = first; i < last; i++)
      out[i] += a * i + b;
  }
  check ("before", out, n, a, a * 2 + 1);
}

/* EXPECT: stores direct */
static void
stores (int n)
{
  clear ();
#pragma omp target map (tofrom: out, more)
  {
    more[0] += 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      out[i] += i + more[0];
  }
  check ("stores", out, n, 1, 6);
}

/* One thread writes the shared variable, which is copied back.
   EXPECT: shared direct */
static void
shared (int n)
{
  int last = 0;
  clear ();
#pragma omp target map (tofrom: out, last)
  {
    int x = 7;
#pragma omp parallel for shared (x)
    for (int i = 0; i < n; i++)
      {
	out[i] += i;
	if (i == n / 2)
	  x = i;
      }
    last = x;
  }
  check ("shared", out, n, 1, 0);
  if (last != n / 2)
    {
      printf ("shared: %d\n", last);
      failures++;
    }
}

/* EXPECT: sum direct */
static void
sum (int n)
{
  int s = 1;
#pragma omp target teams distribute parallel for reduction (+: s)
  for (int i = 0; i < n; i++)
    s += i;
  if (s != 1 + n * (n - 1) / 2)
    {
      printf ("sum: %d\n", s);
      failures++;
    }
}

/* Elements of MORE are 5 and which one of its thread's it is, and LEAST iterations or more have a thread with another one: there are not
   more threads than that allows.  */
static void
check_share (const char *name, int least)
{
  int seconds = 0;
  for (int i = 0; i < N; i++)
    seconds += more[i] > 5;
  if (seconds < least)
    {
      printf ("%s: too many threads: %d share one\n", name, seconds);
      failures++;
    }
}

/* Lanes that are no threads of the region would add another time.
   EXPECT: few direct */
static void
few (int n, int threads)
{
  int which = 0;
  clear ();
#pragma omp target map (tofrom: out, more) firstprivate (which)
#pragma omp parallel for num_threads (threads) firstprivate (which)
  for (int i = 0; i < n; i++)
    {
      out[i] += i;
      more[i] += which++;
    }
  check ("few", out, n, 1, 0);
  if (n == N && threads < 9)
    check_share ("few", N / 2);
}

/* Each region by its own clause, and what one has written is there for the next one.
   EXPECT: in_turn direct */
static void
in_turn (int n, int threads)
{
  clear ();
#pragma omp target map (tofrom: out, more)
  for (int k = 1; k <= 3; k++)
    {
#pragma omp parallel for num_threads (threads * k)
      for (int i = 0; i < n; i++)
	more[i] = out[(i + 40) % n];
#pragma omp parallel for
      for (int i = 0; i < n; i++)
	out[(i + 40) % n] = more[i] + (i + 40) % n;
    }
  check ("in_turn", out, n, 3, 0);
}

/* EXPECT: alone direct */
static void
alone (int n, int together)
{
  int which = 0;
  clear ();
#pragma omp target map (tofrom: out, more) firstprivate (which)
#pragma omp parallel for if (together) firstprivate (which)
  for (int i = 0; i < n; i++)
    {
      out[i] += i;
      more[i] += which++;
    }
  check ("alone", out, n, 1, 0);
  if (n == N && !together)
    check_share ("alone", N / 2);
}

/* EXPECT: limited direct */
static void
limited (int n)
{
  clear ();
#pragma omp target
#pragma omp teams distribute parallel for thread_limit (40)
  for (int i = 0; i < n; i++)
    out[i] += i;
  check ("limited", out, n, 1, 0);
}

/* The limit is not known where the kernel is launched, so the block has more lanes.  A region may ask for more, too.
   EXPECT: narrow direct */
static void
narrow (int n, int limit, int threads)
{
  int which = 0;
  clear ();
#pragma omp target map (tofrom: out, more, limit) firstprivate (which)
#pragma omp teams num_teams (1) thread_limit (limit)
  {
#pragma omp parallel for num_threads (threads) firstprivate (which)
    for (int i = 0; i < n; i++)
      {
	out[i] += i;
	more[i] += which++;
      }
  }
  check ("narrow", out, n, 1, 0);
  if (n == N && limit < 9)
    check_share ("narrow", N / 2);
}

/* Both are more than a block has lanes, and there are more iterations.
   EXPECT: broad direct */
static void
broad (int limit, int threads)
{
  enum { M = 2100 };
  static int many[M];
  int wrong = 0;
  for (int i = 0; i < M; i++)
    many[i] = i;
#pragma omp target map (tofrom: many, limit)
#pragma omp teams num_teams (1) thread_limit (limit)
  {
#pragma omp parallel for num_threads (threads)
    for (int i = 0; i < M; i++)
      many[i] += i;
  }
  for (int i = 0; i < M; i++)
    wrong += many[i] != 2 * i;
  if (wrong > 0)
    {
      printf ("broad: %d are wrong\n", wrong);
      failures++;
    }
}

/* A limit, and no clause.
   EXPECT: narrower direct */
static void
narrower (int n, int limit)
{
  int which = 0;
  clear ();
#pragma omp target map (tofrom: out, more, limit) firstprivate (which)
#pragma omp teams num_teams (1) thread_limit (limit)
  {
#pragma omp parallel for firstprivate (which)
    for (int i = 0; i < n; i++)
      {
	out[i] += i;
	more[i] += which++;
      }
  }
  check ("narrower", out, n, 1, 0);
  if (n == N && limit < 9)
    check_share ("narrower", N / 2);
}

/* EXPECT: asks direct */
static void
asks (int n)
{
  clear ();
#pragma omp target teams distribute parallel for map (tofrom: out) num_teams (3)
  for (int i = 0; i < n; i++)
    out[i] += i + (omp_get_team_num () < 3 ? 0 : 1);
  check ("asks", out, n, 1, 0);
}

/* A data block whose parts are not whole words.
   EXPECT: bytes direct */
static void
bytes (int n, unsigned char a, short b)
{
  clear ();
#pragma omp target teams distribute parallel for map (tofrom: out)
  for (int i = 0; i < n; i++)
    out[i] += a * i + b;
  check ("bytes", out, n, a, b);
}

int
main (void)
{
  static const int sizes[] = { N, 0, 1, 33 };
  for (unsigned k = 0; k < sizeof (sizes) / sizeof (sizes[0]); k++)
    {
      int n = sizes[k];
      plain (n, 3);
      numbered (n, 1);
      numbered (n, 17);
      factor (n, 3.0);
      before (n, 4);
      calls (n);
      two (n);
      again (n, 3);
      bytes (n, 200, -3);
      few (n, 1);
      few (n, 8);
      few (n, 33);
      few (n, 5000);
      alone (n, 0);
      alone (n, 1);
      narrow (n, 7, 1000);
      narrow (n, 50, 3);
      narrow (n, 100000, 40);
      narrower (n, 1);
      narrower (n, 6);
      narrower (n, 45);
    }
  nest (20, 21);
  nest (0, 21);
  bound (N);
  stores (N);
  shared (N);
  sum (N);
  in_turn (N, 1);
  in_turn (N, 13);
  broad (100000, 5000);
  limited (N);
  asks (N);
  return failures != 0;
}
