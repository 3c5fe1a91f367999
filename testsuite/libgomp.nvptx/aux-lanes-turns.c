/* aux-lanes-turns.c -- sections that a lock excludes, for lanes-turns.sh.

   "EXPECT: f turns": with lanes as threads the section in f's region is executed in turns under one taking of the lock;
   "EXPECT: f widens": and the lock is one of the team until memory of others is met;
   "EXPECT: f no": it must not be.  Prints what is wrong.  With TURNS_OF_TEAMS set there are only
   sections that need no more.  */

#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 90, THREADS = 40, CELLS = 8 };

struct least { float value; int index; };
#pragma omp declare reduction (least: struct least: omp_out = omp_in.value < omp_out.value \
  || (omp_in.value == omp_out.value && omp_in.index < omp_out.index) ? omp_in : omp_out) \
  initializer (omp_priv = (struct least) { 1e30f, INT_MAX })

static int a[N], failures;

static void
check (const char *name, long got, long want)
{
  if (got == want)
    return;
  printf ("%s: %ld instead of %ld\n", name, got, want);
  failures++;
}

/* EXPECT: argmin widens */
static void
argmin (int n)
{
  struct least found = { 1e30f, INT_MAX };
#pragma omp target teams distribute parallel for reduction (least: found) map (tofrom: found) map (to: a) \
		   num_teams (2) num_threads (THREADS)
  for (int i = 0; i < n; i++)
    if ((float) a[i] < found.value || ((float) a[i] == found.value && i < found.index))
      {
	found.value = (float) a[i];
	found.index = i;
      }
  int at = 0;
  for (int i = 0; i < n; i++)
    at = a[i] < a[at] ? i : at;
  check ("argmin", found.index, at);
  check ("argmin's value", (long) found.value, a[at]);
}

/* EXPECT: sums widens */
static void
sums (int n)
{
  double x = 0, y = 0, want_x = 0, want_y = 0;
  /* Who asks for the team has a clone.  */
#pragma omp target teams distribute parallel for reduction (+: x, y) map (to: a) num_teams (2) num_threads (THREADS)
  for (int i = 0; i < n; i++)
    {
      x += a[i] + (omp_get_team_num () < 0);
      y += (double) a[i] * a[i];
    }
  for (int i = 0; i < n; i++)
    {
      want_x += a[i];
      want_y += (double) a[i] * a[i];
    }
  check ("the sum", (long) x, (long) want_x);
  check ("the sum of squares", (long) y, (long) want_y);
}

/* The same lock for what teams share and for what each has of its own, one after the other: neither loses anything.
   EXPECT: shared widens */
static void
shared (int n)
{
  __int128 total = 0;
  double x = 0, y = 0, want_x = 0, want_y = 0;
#pragma omp target teams distribute parallel for reduction (+: x, y) map (tofrom: total) map (to: a) num_teams (4) \
		   num_threads (THREADS)
  for (int i = 0; i < n; i++)
    {
      if (i % 3 != 1)
	{
#pragma omp atomic
	  total += ((__int128) i << 70) + a[i];
	}
      x += a[i];
      y += i;
    }
  long want_low = 0, want_high = 0;
  for (int i = 0; i < n; i++)
    {
      if (i % 3 != 1)
	{
	  want_low += a[i];
	  want_high += i;
	}
      want_x += a[i];
      want_y += i;
    }
  check ("what teams share", (long) total, want_low);
  check ("its other part", (long) (total >> 70), want_high);
  check ("what teams have", (long) x, (long) want_x);
  check ("the other one", (long) y, (long) want_y);
}

/* Some threads come, from different places, and what each does depends on what was done before.
   EXPECT: some turns */
static void
some (int n)
{
  int cells[CELLS] = { 0 }, want[CELLS] = { 0 }, count = 0, last = -1;
#pragma omp target parallel for map (tofrom: cells, count, last) map (to: a) num_threads (THREADS)
  for (int i = 0; i < n; i++)
    if (i % 3 != 0)
#pragma omp critical
      {
	int k = a[i] % CELLS;
	if (a[i] & 1)
	  cells[k] += i;
	else
	  cells[k] ^= 1 << i % 30;
	count++;
	if (i > last)
	  last = i;
      }
  int calls = 0, top = -1;
  for (int i = 0; i < n; i++)
    if (i % 3 != 0)
      {
	calls++;
	top = i;
	if (a[i] & 1)
	  want[a[i] % CELLS] += i;
      }
  check ("sections", count, calls);
  check ("the last one", last, top);
  for (int k = 1; k < CELLS; k += 2)
    check ("a cell", cells[k], want[k]);
}

/* A section may wait for another thread in a loop, so it is left alone.  (At -O3, a loop that may have no iteration has a
   section of its own for that, which is empty and executed in turns.)
   EXPECT: loops no */
static void
loops (int n)
{
  int total = 0, want = 0;
#pragma omp target parallel for map (tofrom: total) map (to: a) num_threads (THREADS)
  for (int i = 0; i < n; i++)
#pragma omp critical
    {
      int k = i;
      do
	total += a[k];
      while ((k += 1 + (a[k] & 7)) < n);
    }
  for (int i = 0; i < n; i++)
    for (int k = i; k < n; k += 1 + (a[k] & 7))
      want += a[k];
  check ("loops", total, want);
}

/* So may what it calls.
   EXPECT: calls no */
#pragma omp declare target
static __attribute__ ((noinline)) int
count_bits (int x)
{
  int n = 0;
  for (; x != 0; x &= x - 1)
    n++;
  return n;
}
#pragma omp end declare target

static void
calls (int n)
{
  int bits = 0, before = 0, want = 0;
#pragma omp target parallel for map (tofrom: bits, before) map (to: a) num_threads (THREADS)
  for (int i = 0; i < n; i++)
#pragma omp critical
    {
      before = bits;
      bits += count_bits (a[i]);
    }
  for (int i = 0; i < n; i++)
    want += __builtin_popcount ((unsigned) a[i]);
  check ("calls", bits, want);
  check ("the one before the last", before <= bits, 1);
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    a[i] = (i * 37 + 11) % 101;
  argmin (N);
  sums (N);
  if (getenv ("TURNS_OF_TEAMS") != NULL)
    return failures != 0;
  shared (N);
  some (N);
  loops (20);
  calls (20);
  return failures != 0;
}
