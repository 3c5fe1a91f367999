/* aux-lanes-nest.c -- parallel loops over rows with a sequential one over columns in it, for
   lanes-nest.sh.

   "EXPECT: f nest" above a function: with lanes as threads its inner loop is shared out to them;
   "EXPECT: f no REASON": it must not be, and why.  Each function's result is compared with what the
   host computes in the same way.  Prints what is wrong.

     image [again | heavy]

   With an argument functions are left out whose words of arguments lead to the same memory; with
   `heavy' all but one, which has a single row of much work.  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 29, COLUMNS = 53, SIZE = ROWS * COLUMNS, DEEP = 9, CUBE = 11 };

static int failures, on_host;
static int in[SIZE + 64], out[2 * SIZE + 64], out2[SIZE + 64];
static int want[2 * SIZE + 64], want2[SIZE + 64];
static float fin[SIZE], fin2[SIZE], fout[SIZE], fwant[SIZE];

#define ROW static void __attribute__ ((noinline))

/* EXPECT: product nest */
ROW
product (float *c, const float *a, const float *b, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m]) map(to: a[0:n * DEEP], b[0:m * DEEP])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
	float sum = 0;
	for (int k = 0; k < DEEP; k++)
	  sum += a[i * DEEP + k] * b[k * m + j];
	c[i * m + j] = sum;
      }
}

/* EXPECT: window nest */
ROW
window (int *c, const int *a, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
	int sum = 0;
	for (int d = -2; d <= 2; d++)
	  if (j + d >= 0 && j + d < m)
	    sum += a[i * m + j + d] * (d + 3);
	c[i * m + j] = sum;
      }
}

/* EXPECT: search nest */
ROW
search (int *c, const int *a, int n, int m, int most)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
	unsigned x = a[i * m + j];
	int count = 0;
	while (count < most && x != 1)
	  {
	    x = x % 2 ? 3 * x + 1 : x / 2;
	    count++;
	  }
	c[i * m + j] = count;
      }
}

/* EXPECT: update nest */
ROW
update (int *c, const int *a, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      c[i * m + j] += a[i * m + j] * i;
}

/* EXPECT: pairs nest */
ROW
pairs (int *c, const int *a, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:2 * n * m]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
	c[2 * (i * m + j)] = a[i * m + j] + 1;
	c[2 * (i * m + j) + 1] = a[i * m + j] * 2;
      }
}

/* EXPECT: down nest */
ROW
down (int *c, const int *a, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    for (int j = m - 1; j >= 0; j--)
      c[i * m + j] = a[i * m + m - 1 - j] + j;
}

/* EXPECT: both nest */
ROW
both (int *c, int *d, const int *a, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m], d[0:n * m]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    if (i % 3 != 1)
      for (int j = 0; j < m; j++)
	{
	  int v = a[i * m + j];
	  if (v % 2)
	    c[i * m + j] = v * v;
	  d[i * m + j] = v - i;
	}
}

/* Where STEP is 0 all iterations write to the same place; that is found out when it runs.
   EXPECT: columns nest */
ROW
columns (int *c, const int *a, int n, int m, long step)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    {
      int *p = c + i + (step < 0 ? -step * (m - 1) : 0);
      const int *q = a + i * m;
      for (int j = 0; j < m; j++, p += step)
	*p = q[j] + j;
    }
}

/* EXPECT: carried no */
ROW
carried (int *c, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m])
  for (int i = 0; i < n; i++)
    for (int j = 2; j < m; j++)
      c[i * m + j] = c[i * m + j - 2] + c[i * m + j];
}

/* EXPECT: prefix no iterations of its inner loop leave something to each other */
ROW
prefix (int *c, const int *a, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    {
      int sum = 0;
      for (int j = 0; j < m; j++)
	c[i * m + j] = sum += a[i * m + j];
    }
}

/* EXPECT: row_too no it can't be seen that iterations write to different places */
ROW
row_too (int *c, int *d, const int *a, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m], d[0:n]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    {
      d[i] += i;
      for (int j = 0; j < m; j++)
	c[i * m + j] = a[i * m + j] + 3;
    }
}

/* EXPECT: one_place no iterations may write to the same places */
ROW
one_place (int *c, const int *a, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (a[i * m + j] % 3 == 0)
	c[i] = j;
}

/* EXPECT: overlap no iterations may write to the same places */
ROW
overlap (int *c, const int *a, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j + 1 < m; j++)
      if (a[i * m + j] % 3 == 0)
	{
	  c[i * m + j] = j;
	  c[i * m + j + 1] = i;
	}
}

/* EXPECT: leaves no */
ROW
leaves (int *c, const int *a, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
	c[i * m + j] = a[i * m + j] + j;
	if (a[i * m + j] % 17 == 0)
	  break;
      }
}

/* EXPECT: shrinks no iterations of its inner loop leave something to each other */
ROW
shrinks (int *c, const int *a, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    {
      int end = m;
      for (int j = 0; j < end; j++)
	{
	  c[i * m + j] = a[i * m + j] + j;
	  if (a[i * m + j] % 5 == 0)
	    end--;
	}
    }
}

#pragma omp declare target
static int calls;
int __attribute__ ((noinline, noclone))
called (int v)
{
#pragma omp atomic
  calls++;
  return v + 1;
}
#pragma omp end declare target

/* EXPECT: calling no */
ROW
calling (int *c, const int *a, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      c[i * m + j] = called (a[i * m + j]);
}

/* EXPECT: counting no */
ROW
counting (int *c, const int *a, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
#pragma omp atomic
	c[a[i * m + j] % m]++;
      }
}

struct arrays
{
  int *c;
  const int *a;
};

/* EXPECT: pointers no it can't be seen which memory it gets to */
ROW
pointers (int *c, const int *a, int n, int m)
{
  struct arrays s = { c, a };
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(to: s) map(tofrom: s.c[0:n * m]) map(to: s.a[0:n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s.c[i * m + j] = s.a[i * m + j] + j;
}

/* EXPECT: planes nest */
ROW
planes (int *c, const int *a, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m * n]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    for (int y = 1; y < n - 1; y++)
      for (int x = 1; x < m - 1; x++)
	c[(i * n + y) * m + x] = a[y * m + x - 1] + a[(y - 1) * m + x] * i;
}

/* Iterations of the second loop write to the same places; that is found out when it runs.
   EXPECT: twice nest */
ROW
twice (int *c, const int *a, int n, int m, int times)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * (m + times)]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    {
      int *p = c + i * (m + times);
      for (int k = 0; k < times; k++)
	for (int j = 0; j < m; j++)
	  p[j + k] = a[i * m + j] * k;
    }
}

/* Rows of rows, of which each has two loops.  EXPECT: two_loops no */
ROW
two_loops (int *c, int *d, const int *a, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m], d[0:n * m]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
	c[i * m + j] = a[i * m + j] + 3;
      for (int j = 0; j < m; j++)
	d[i * m + j] = c[i * m + m - 1 - j];
    }
}

/* EXPECT: scaled no */
ROW
scaled (int *c, const int *a, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    {
      int sum = 1;
      for (int j = 0; j < m; j++)
	sum += a[i * m + j];
      for (int j = 0; j < m; j++)
	c[i * m + j] = a[i * m + j] * 100 / sum;
    }
}

/* The same memory by two words: only the launch knows.  EXPECT: shifted nest */
ROW
shifted (int *c, const int *a, int n, int m)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m]) map(tofrom: a[0:n * m])
  for (int i = 0; i < n; i++)
    for (int j = 2; j < m; j++)
      c[i * m + j] = a[i * m + j] + 1;
}

/* EXPECT: heavy nest */
ROW
heavy (int *c, const int *a, int n, int m, int most)
{
#pragma omp target teams distribute parallel for if (target: !on_host) \
  map(tofrom: c[0:n * m]) map(to: a[0:n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
	unsigned x = a[i * m + j];
	for (int k = 0; k < most; k++)
	  x = x * 1664525 + 1013904223 + (x >> 7);
	c[i * m + j] = x;
      }
}

static void
shifted_there (int *c, int *a, int n, int m)
{
#pragma omp target data map(tofrom: out) if (!on_host)
  shifted (c, a, n, m);
}

static void
fill (void)
{
  for (int i = 0; i < SIZE + 64; i++)
    {
      in[i] = i * 37 % 101 + 1;
      out2[i] = want2[i] = 5;
    }
  for (int i = 0; i < 2 * SIZE + 64; i++)
    out[i] = want[i] = 7;
  for (int i = 0; i < SIZE; i++)
    {
      fin[i] = (float) (i % 23) / 7;
      fin2[i] = (float) (i % 19) / 11;
      fout[i] = fwant[i] = 1;
    }
}

static void
compare (const char *name, int n, int m)
{
  if (memcmp (out, want, sizeof (out)) != 0 || memcmp (out2, want2, sizeof (out2)) != 0
      || memcmp (fout, fwant, sizeof (fout)) != 0)
    {
      int i = 0;
      while (i < 2 * SIZE && out[i] == want[i])
	i++;
      printf ("%s, %d rows of %d: %d instead of %d at %d\n", name, n, m, out[i], want[i], i);
      failures++;
    }
}

/* CALL with OUT, OUT2, FOUT, and again on the host.  */
#define TRY(name, ...) \
  do \
    { \
      fill (); \
      on_host = 0; \
      { int *c = out, *d = out2; float *f = fout; name (__VA_ARGS__); (void) c; (void) d; (void) f; } \
      on_host = 1; \
      { int *c = want, *d = want2; float *f = fwant; name (__VA_ARGS__); (void) c; (void) d; (void) f; } \
      compare (#name, n, m); \
    } \
  while (0)

static void
try_all (int n, int m)
{
  TRY (product, f, fin, fin2, n, m);
  TRY (window, c, in, n, m);
  TRY (search, c, in, n, m, 60);
  TRY (update, c, in, n, m);
  TRY (pairs, c, in, n, m);
  TRY (down, c, in, n, m);
  TRY (both, c, d, in, n, m);
  TRY (columns, c, in, n, m, n);
  TRY (carried, c, n, m);
  TRY (prefix, c, in, n, m);
  TRY (row_too, c, d, in, n, m);
  TRY (one_place, c, in, n, m);
  TRY (overlap, c, in, n, m);
  TRY (leaves, c, in, n, m);
  TRY (shrinks, c, in, n, m);
  TRY (calling, c, in, n, m);
  TRY (counting, c, in, n, m);
  TRY (pointers, c, in, n, m);
  TRY (twice, c, in, n, m, 3);
  TRY (two_loops, c, d, in, n, m);
  TRY (scaled, c, in, n, m);
}

int
main (int argc, char **argv)
{
  static const int shapes[][2] = { { ROWS, COLUMNS }, { 1, COLUMNS }, { 1, 1 }, { 3, 2 },
				  { ROWS, 3 }, { 5, 0 }, { 0, 5 }, { 40, 32 } };
  int n = 1, m = SIZE;

  TRY (heavy, c, in, n, m, 40);
  if (argc > 1 && strcmp (argv[1], "heavy") == 0)
    return failures != 0;
  for (unsigned i = 0; i < sizeof (shapes) / sizeof (shapes[0]); i++)
    try_all (shapes[i][0], shapes[i][1]);
  n = ROWS;
  m = COLUMNS;
  /* No step: the last column stays.  */
  TRY (columns, c, in, n, m, 0);
  TRY (columns, c, in, n, m, -(long) n);
  n = m = CUBE;
  TRY (planes, c, in, n, m);
  if (argc == 1)
    {
      n = ROWS;
      m = COLUMNS;
      TRY (shifted_there, c + 1, c, n, m);
    }
  return failures != 0;
}
