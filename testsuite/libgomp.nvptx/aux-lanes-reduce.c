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

/* The address is given to a function, or goes to memory: the frame is in the block's.
   EXPECT: given direct
   EXPECT: kept direct */
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
   EXPECT: array direct */
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

/* Several variables, of which the library's lock would be taken for each warp, and for each team.
   EXPECT: bounds direct
   EXPECT: moments direct
   EXPECT: all_kinds direct
   EXPECT: once_more direct */
static void
bounds (int n)
{
  float low = 1e30f, high = -1e30f, least = 1e30f, most = -1e30f;
#pragma omp target teams distribute parallel for reduction (min: low) reduction (max: high) map (tofrom: low, high) num_teams (5)
  for (int i = 0; i < n; i++)
    {
      float x = value (i) - 500.5f;
      low = LEAST (low, x);
      high = MOST (high, x);
    }
  for (int i = 0; i < n; i++)
    {
      float x = value (i) - 500.5f;
      least = LEAST (least, x);
      most = MOST (most, x);
    }
  expect ("bounds, low", n, low, least);
  expect ("bounds, high", n, high, most);
}

static void
moments (int n)
{
  int count = 7, number = 7;
  float sum = 0.5f, all = 0.5f;
  double squares = 1, squared = 1;
#pragma omp target teams distribute parallel for reduction (+: count, sum, squares) map (tofrom: count, sum, squares) thread_limit (64)
  for (int i = 0; i < n; i++)
    if (value (i) % 3 != 0)
      {
	count++;
	sum += value (i);
	squares += (double) value (i) * value (i);
      }
  for (int i = 0; i < n; i++)
    if (value (i) % 3 != 0)
      {
	number++;
	all += value (i);
	squared += (double) value (i) * value (i);
      }
  expect ("moments, number", n, count, number);
  expect ("moments, sum", n, sum, all);
  expect ("moments, squares", n, squares, squared);
}

static void
all_kinds (int n)
{
  unsigned bits = 0x10000, some = 0x10000, odd = 5, odds = 5;
  long most = -5, greatest = -5;
  unsigned long product = 3, times = 3;
  double low = 300, least = 300;
#pragma omp target teams distribute parallel for reduction (|: bits) reduction (^: odd) reduction (max: most) \
	reduction (*: product) reduction (min: low) map (tofrom: bits, odd, most, product, low)
  for (int i = 0; i < n; i++)
    {
      bits |= value (i);
      odd ^= value (i);
      most = MOST (most, value (i) * 3000000000);
      product *= value (i) | 1;
      low = LEAST (low, value (i) * 0.25);
    }
  for (int i = 0; i < n; i++)
    {
      some |= value (i);
      odds ^= value (i);
      greatest = MOST (greatest, value (i) * 3000000000);
      times *= value (i) | 1;
      least = LEAST (least, value (i) * 0.25);
    }
  expect ("all_kinds, |", n, bits, some);
  expect ("all_kinds, ^", n, odd, odds);
  expect ("all_kinds, max", n, most, greatest);
  expect ("all_kinds, *", n, product % 1000000007, times % 1000000007);
  expect ("all_kinds, min", n, low, least);
}

/* No numbers, infinities and zeros with either sign: as with warps, whose text this is made of.  */
static void
once_more (int n)
{
  volatile double zero = 0;
  double low = zero, high = -zero, inf = 1 / zero;
#pragma omp target teams distribute parallel for reduction (min: low) reduction (max: high) map (tofrom: low, high) \
	num_teams (3)
  for (int i = 0; i < n; i++)
    {
      double x = i % 5 == 0 ? inf - inf : i % 5 == 1 ? inf : i % 5 == 2 ? -inf : i % 5 == 3 ? -0.0 : 0.0;
      low = LEAST (low, x);
      high = MOST (high, x);
    }
  expect ("once_more, low", n, low, n > 2 ? -inf : 0);
  expect ("once_more, high", n, high, n > 1 ? inf : 0);
}

/* A variable of two numbers is updated as one, and looked at so; sections of a program's own type may do anything.
   EXPECT: whole library
   EXPECT: own library */
struct pair { int least, at; };
#pragma omp declare reduction (pair: struct pair: \
  omp_out = omp_in.least < omp_out.least || (omp_in.least == omp_out.least && omp_in.at < omp_out.at) ? omp_in : omp_out) \
  initializer (omp_priv = { 100000, -1 })

static void
own (int n)
{
  struct pair p = { 100000, -1 }, q = p;
#pragma omp target teams distribute parallel for reduction (pair: p) map (tofrom: p)
  for (int i = 0; i < n; i++)
    if (value (i) < p.least)
      p = (struct pair) { value (i), i };
  for (int i = 0; i < n; i++)
    if (value (i) < q.least)
      q = (struct pair) { value (i), i };
  expect ("own, least", n, p.least, q.least);
  expect ("own, at", n, p.at, q.at);
}

struct point { long x, y; };
#pragma omp declare reduction (point: struct point: omp_out.x += omp_in.x, omp_out.y += omp_in.y) \
  initializer (omp_priv = { 0, 0 })

static void
whole (int n)
{
  struct point p = { 1, 2 }, q = p;
#pragma omp target teams distribute parallel for reduction (point: p) map (tofrom: p)
  for (int i = 0; i < n; i++)
    {
      p.x += i;
      p.y += value (i);
    }
  for (int i = 0; i < n; i++)
    {
      q.x += i;
      q.y += value (i);
    }
  expect ("whole, x", n, p.x, q.x);
  expect ("whole, y", n, p.y, q.y);
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
      bounds (n);
      moments (n);
      all_kinds (n);
      once_more (n);
      whole (n);
      own (n);
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
