/* aux-lanes-reduce.c -- target regions for lanes-direct.sh whose regions write what their initial thread has, and whose initial
   thread does something itself.  EXPECT as in aux-lanes-direct.c.  */

#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 421, ROWS = 23 };

static int out[N], more[N];
static double rows[ROWS];
static int failures;

static void
clear (void)
{
  for (int i = 0; i < N; i++)
    out[i] = more[i] = 5;
  for (int i = 0; i < ROWS; i++)
    rows[i] = i + 1;
}

static void
expect (const char *name, int n, double got, double want)
{
  if (got != want)
    {
      printf ("%s with %d: %.17g instead of %.17g\n", name, n, got, want);
      failures++;
    }
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

#pragma omp declare target
static inline int
value (int i)
{
  return i * 7 % 1013 + 1;
}
#pragma omp end declare target

/* NAME combines with X, which is START before, what is made of iterations: in all teams.
   EXPECT: sum_int direct
   EXPECT: sum_unsigned direct
   EXPECT: sum_long direct
   EXPECT: sum_float direct
   EXPECT: sum_double direct
   EXPECT: most_int direct
   EXPECT: most_long direct
   EXPECT: least_unsigned direct
   EXPECT: least_long direct
   EXPECT: most_float direct
   EXPECT: most_double direct
   EXPECT: any_bits direct
   EXPECT: odd_bits direct
   EXPECT: all_bits direct
   EXPECT: product direct
   EXPECT: product_long direct */
#define PRAGMA(text) _Pragma (#text)
#define REDUCTION(name, type, op, start, next) \
  static void \
  name (int n) \
  { \
    type x = start, want = start; \
    PRAGMA (omp target teams distribute parallel for reduction (op: x) map (tofrom: x)) \
    for (int i = 0; i < n; i++) \
      x = next (x, value (i)); \
    for (int i = 0; i < n; i++) \
      want = next (want, value (i)); \
    expect (#name, n, (double) x, (double) want); \
  }
#define ADD(x, v) (x) + (v)
#define MOST(x, v) ((v) > (x) ? (v) : (x))
#define LEAST(x, v) ((v) < (x) ? (v) : (x))
#define OR(x, v) (x) | (v)
#define XOR(x, v) (x) ^ (v)
#define AND(x, v) (x) & ((v) | 0xfff000ff)
#define TIMES(x, v) (x) * ((v) | 1u)
REDUCTION (sum_int, int, +, 17, ADD)
REDUCTION (sum_unsigned, unsigned, +, 0xffffff00, ADD)
REDUCTION (sum_long, long, +, -3000000000, ADD)
REDUCTION (sum_float, float, +, 2, ADD)
REDUCTION (sum_double, double, +, 0.5, ADD)
REDUCTION (most_int, int, max, 5, MOST)
REDUCTION (most_long, long, max, -5, MOST)
REDUCTION (least_unsigned, unsigned, min, 1000, LEAST)
REDUCTION (least_long, long, min, 900, LEAST)
REDUCTION (most_float, float, max, -0.5, MOST)
REDUCTION (most_double, double, max, 5.5, MOST)
REDUCTION (any_bits, unsigned, |, 0x10000, OR)
REDUCTION (odd_bits, unsigned, ^, 0x10001, XOR)
REDUCTION (all_bits, unsigned, &, 0x1fffffff, AND)
REDUCTION (product, unsigned, *, 3, TIMES)
REDUCTION (product_long, unsigned long, *, 3, TIMES)

/* One team, so many threads, and a sum that it begins with.
   EXPECT: threads direct */
static void
threads (int n, int num)
{
  long s = 100;
#pragma omp target parallel for num_threads (num) reduction (+: s) map (tofrom: s)
  for (int i = 0; i < n; i++)
    s += value (i);
  long want = 100;
  for (int i = 0; i < n; i++)
    want += value (i);
  expect ("threads", n, s, want);
}

/* A team for some rows, with a reduction for each; what thread 0 stores depends on what was there.
   EXPECT: each_row direct */
static void
each_row (int n, double factor)
{
  clear ();
#pragma omp target teams distribute map (tofrom: rows) num_teams (3)
  for (int r = 0; r < ROWS; r++)
    {
      double s = 0;
#pragma omp parallel for reduction (+: s)
      for (int i = 0; i < n; i++)
	s += value (i) + r;
      rows[r] = rows[r] * factor + s;
    }
  for (int r = 0; r < ROWS; r++)
    {
      double want = (r + 1) * factor;
      for (int i = 0; i < n; i++)
	want += value (i) + r;
      expect ("each_row", n, rows[r], want);
    }
}

/* Pointers that an enclosing construct has mapped: their variables are shared, and nobody changes them.
   EXPECT: mapped direct */
static void
mapped (int n, int a)
{
  int *x = malloc (N * sizeof (int)), *y = malloc (N * sizeof (int));
  for (int i = 0; i < N; i++)
    x[i] = i, y[i] = 5;
#pragma omp target data map (to: x[:N]) map (tofrom: y[:N])
  {
#pragma omp target teams distribute parallel for map (to: x[:N]) map (tofrom: y[:N])
    for (int i = 0; i < n; i++)
      y[i] += a * x[i];
  }
  check ("mapped", y, n, a, 0);
  free (x);
  free (y);
}

/* The same with a sum.
   EXPECT: mapped_sum direct */
static void
mapped_sum (int n)
{
  double *x = malloc (N * sizeof (double)), *y = malloc (N * sizeof (double)), s = 1, want = 1;
  for (int i = 0; i < N; i++)
    {
      x[i] = i;
      y[i] = value (i);
      want += i < n ? x[i] * y[i] : 0;
    }
#pragma omp target data map (to: x[:N], y[:N])
  {
#pragma omp target teams distribute parallel for map (to: x[:N], y[:N]) map (tofrom: s) reduction (+: s)
    for (int i = 0; i < n; i++)
      s += x[i] * y[i];
  }
  expect ("mapped_sum", n, s, want);
  free (x);
  free (y);
}

/* Threads update a variable of the initial thread one by one, which that adds to the result.
   EXPECT: counts direct */
static void
counts (int n)
{
  int all = 0, want = 0;
#pragma omp target map (tofrom: all)
  {
    int c = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      if (value (i) % 3 == 0)
#pragma omp atomic
	c++;
#pragma omp atomic
    all += c + 1;
  }
  for (int i = 0; i < n; i++)
    want += value (i) % 3 == 0;
  want++;
  expect ("counts", n, all, want);
}

/* What one region writes the next one, and thread 0 in between, read; again and again.
   EXPECT: handed direct */
static void
handed (int n, int times)
{
  int result = 0, want = 0;
#pragma omp target map (tofrom: result)
  {
    int a = 1;
    long b = 0;
    for (int k = 0; k < times; k++)
      {
#pragma omp parallel for reduction (+: a)
	for (int i = 0; i < n; i++)
	  a += i % 3;
	b += a;
#pragma omp parallel for reduction (max: a)
	for (int i = 0; i < n; i++)
	  a = value (i) + (int) b % 7 > a ? value (i) + (int) b % 7 : a;
	a &= 1023;
      }
    result = a + (int) b;
  }
  int a = 1;
  long b = 0;
  for (int k = 0; k < times; k++)
    {
      for (int i = 0; i < n; i++)
	a += i % 3;
      b += a;
      for (int i = 0; i < n; i++)
	a = value (i) + (int) b % 7 > a ? value (i) + (int) b % 7 : a;
      a &= 1023;
    }
  want = a + (int) b;
  expect ("handed", n, result, want);
}

/* Thread 0 stores in front of a region, which reads it, and behind it what the region has written; with a load behind a store.
   EXPECT: around direct */
static void
around (int n, int k)
{
  clear ();
#pragma omp target map (tofrom: out, more)
  {
    more[k] = k + 1;
    int first = more[0];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      out[i] += i + more[k] - first;
    more[1 + k] = out[n / 2] + more[k];
    more[2 + k] = more[1 + k] + 1;
  }
  int first = k == 0 ? 1 : 5;
  check ("around", out, n, 1, k + 1 - first);
  int half = 5 + (n > 0 ? n / 2 + k + 1 - first : 0);
  expect ("around", n, more[1 + k], half + k + 1);
  expect ("around", n, more[2 + k], half + k + 2);
}

/* As long as the sum is small: what was stored by thread 0 is looked at by all.
   EXPECT: until direct */
static void
until (int n)
{
  int turns = 0;
  clear ();
#pragma omp target map (tofrom: more, turns) map (tofrom: out)
  {
    while (more[0] < 1000)
      {
	int s = 0;
#pragma omp parallel for reduction (+: s)
	for (int i = 0; i < n; i++)
	  s += out[i];
	more[0] += s + 1;
	turns++;
      }
  }
  int want = 0;
  for (int m = 5; m < 1000; m += 5 * n + 1)
    want++;
  expect ("until", n, turns, want);
}

/* A sum of a part of the threads, by a condition of thread 0; bytes.
   EXPECT: sometimes direct */
static void
sometimes (int n, int which, char byte)
{
  int s = 3;
  clear ();
#pragma omp target map (tofrom: s, more)
  {
    int t = 0;
    if (which & 1)
      {
#pragma omp parallel for reduction (+: t)
	for (int i = 0; i < n; i++)
	  t += value (i) ^ byte;
      }
    if (which & 2)
      more[1] = t;
    if (which & 4)
#pragma omp atomic
      s += t;
  }
  int t = 0;
  for (int i = 0; i < n && which & 1; i++)
    t += value (i) ^ byte;
  expect ("sometimes", n, more[1], which & 2 ? t : 5);
  expect ("sometimes", n, s, which & 4 ? 3 + t : 3);
}

/* The address is given to a function, or goes to memory: not known.
   EXPECT: given library
   EXPECT: kept library */
#pragma omp declare target
static void __attribute__ ((noinline))
add_to (int *x, int i)
{
#pragma omp atomic
  *x += i;
}
#pragma omp end declare target
static void
given (int n)
{
  int s = 0;
#pragma omp target map (tofrom: s)
  {
    int x = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      add_to (&x, i);
    s = x;
  }
  expect ("given", n, s, n * (n - 1) / 2);
}
static void
kept (int n)
{
  int s = 0;
  int *places[1] = { NULL };
#pragma omp target map (tofrom: s, places)
  {
    int x = 4;
    places[0] = &x;
#pragma omp parallel for reduction (+: x)
    for (int i = 0; i < n; i++)
      x += i;
    s = *places[0];
  }
  expect ("kept", n, s, 4 + n * (n - 1) / 2);
}

/* An array of the initial thread, which threads write in.
   EXPECT: array library */
static void
array (int n)
{
  int s = 0, want = 0;
#pragma omp target map (tofrom: s)
  {
    int a[8] = { 0 };
#pragma omp parallel for
    for (int i = 0; i < n; i++)
#pragma omp atomic
      a[i % 8] += i;
    for (int k = 0; k < 8; k++)
      s += a[k] * k;
  }
  for (int i = 0; i < n; i++)
    want += i * (i % 8);
  expect ("array", n, s, want);
}

int
main (void)
{
  static const int sizes[] = { N, 0, 1, 33 };
  for (unsigned k = 0; k < sizeof (sizes) / sizeof (sizes[0]); k++)
    {
      int n = sizes[k];
      sum_int (n);
      sum_float (n);
      sum_double (n);
      threads (n, 1);
      threads (n, 7);
      threads (n, 32);
      threads (n, 75);
      each_row (n, 2);
      mapped (n, 3);
      mapped_sum (n);
      counts (n);
      handed (n, 3);
      around (n, 0);
      around (n, 2);
      for (int which = 0; which < 8; which++)
	sometimes (n, which, 3);
    }
  until (N);
  until (17);
  sum_unsigned (N);
  sum_long (N);
  most_int (N);
  most_long (N);
  least_unsigned (N);
  least_long (N);
  most_float (N);
  most_float (0);
  most_double (N);
  any_bits (N);
  odd_bits (N);
  all_bits (N);
  product (N);
  product_long (N);
  given (N);
  kept (N);
  array (N);
  return failures != 0;
}
