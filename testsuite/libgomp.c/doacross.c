/* Doacross loops as compilers translate them: schedules, steps, directions, collapse, unsigned
   variables, empty levels, orphaned loops, teams of one, loops one after the other without
   barrier, a conditional lastprivate.  */
#include <omp.h>
#include <stdio.h>
#include <string.h>

#define N 30
static int failures;
#define CHECK(c) \
  ((c) ? (void) 0 : (void) (printf ("%s:%d: %s\n", __FILE__, __LINE__, #c), failures++))

static long a[N][N], expected[N][N];

static void
fill (void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i == 0 || j == 0 ? i + j : 0;
}

/* Orphaned.  */
static __attribute__ ((noinline)) void
wavefront (void)
{
#pragma omp for ordered (2) schedule (runtime)
  for (int i = 1; i < N; i++)
    for (int j = 1; j < N; j++)
      {
#pragma omp ordered depend (sink: i - 1, j) depend (sink: i, j - 1) depend (sink: i - 1, j - 1)
	a[i][j] = (a[i - 1][j] * 3 + a[i][j - 1] * 5 + a[i - 1][j - 1]) % 65521;
#pragma omp ordered depend (source)
      }
}

static void
schedules (void)
{
  static const omp_sched_t kinds[] = { omp_sched_static, omp_sched_dynamic, omp_sched_guided,
				       omp_sched_auto };
  fill ();
  wavefront ();
  memcpy (expected, a, sizeof (a));
  for (int kind = 0; kind < 4; kind++)
    for (int chunk = 0; chunk < 5; chunk++)
      for (int threads = 1; threads < 6; threads += 2)
	{
	  omp_set_schedule (kinds[kind], chunk);
	  fill ();
#pragma omp parallel num_threads (threads)
	  wavefront ();
	  CHECK (memcmp (a, expected, sizeof (a)) == 0);
	}
}

static void
shapes (void)
{
  /* Down, by steps; four levels.  */
  static int d[20][8][3][9];
  int bad = 0;
#pragma omp parallel for ordered (4) schedule (dynamic, 2) num_threads (4) reduction (+: bad)
  for (int i = 19; i > 0; i -= 3)
    for (long j = 0; j < 8; j += 2)
      for (unsigned char k = 0; k < 3; k++)
	for (short m = 8; m > 1; m -= 2)
	  {
#pragma omp ordered depend (sink: i + 3, j - 2, k + 1, m - 2) depend (sink: i, j - 2, k, m)
	    if (i + 3 <= 19 && j >= 2 && k + 1 < 3 && m - 2 > 1)
	      bad += d[i + 3][j - 2][k + 1][m - 2] != 1;
	    if (j >= 2)
	      bad += d[i][j - 2][k][m] != 1;
	    d[i][j][k][m]++;
#pragma omp ordered depend (source)
	  }
  CHECK (bad == 0);

  /* Several loops make the first level.  */
  static int c[5][6][7];
  bad = 0;
#pragma omp parallel for collapse (2) ordered (3) schedule (static, 3) num_threads (4) reduction (+: bad)
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 6; j++)
      for (int k = 0; k < 7; k++)
	{
#pragma omp ordered depend (sink: i - 1, j + 2, k) depend (sink: i, j - 1, k + 2)
	  if (i > 0 && j + 2 < 6)
	    bad += c[i - 1][j + 2][k] != 1;
	  if (j > 0 && k + 2 < 7)
	    bad += c[i][j - 1][k + 2] != 1;
	  c[i][j][k]++;
#pragma omp ordered depend (source)
	}
  CHECK (bad == 0);

  /* Unsigned, close to the end of what there is.  */
  unsigned long long first = ~0ull - 90, sum = 0;
#pragma omp parallel for ordered (1) schedule (guided) num_threads (3)
  for (unsigned long long u = first; u < ~0ull - 3; u += 3)
    {
#pragma omp ordered depend (sink: u - 3)
      sum = sum * 7 + (u - first);
#pragma omp ordered depend (source)
    }
  unsigned long long serial = 0;
  for (unsigned long long u = first; u < ~0ull - 3; u += 3)
    serial = serial * 7 + (u - first);
  CHECK (sum == serial);
}

/* From zero: what is before that the compiler takes for a large number, so that it calls for these sinks, too.  */
static void
from_zero (void)
{
  static const omp_sched_t kinds[] = { omp_sched_static, omp_sched_dynamic, omp_sched_guided,
				       omp_sched_auto };
  static int c[N][5];
  for (int kind = 0; kind < 4; kind++)
    for (int chunk = 0; chunk < 3; chunk++)
      {
	int bad = 0;
	omp_set_schedule (kinds[kind], chunk);
	memset (c, 0, sizeof (c));
#pragma omp parallel for ordered (2) schedule (runtime) num_threads (3) reduction (+: bad)
	for (unsigned long long i = 0; i < N; i++)
	  for (unsigned j = 0; j < 5; j++)
	    {
#pragma omp ordered depend (sink: i - 1, j + 1) depend (sink: i, j - 1) depend (sink: i - 2, j)
	      bad += i > 0 && j + 1 < 5 && c[i - 1][j + 1] != 1;
	      bad += j > 0 && c[i][j - 1] != 1;
	      bad += i > 1 && c[i - 2][j] != 1;
	      c[i][j]++;
#pragma omp ordered depend (source)
	    }
	CHECK (bad == 0);
      }
}

static void
empty (int zero)
{
  int count = 0;
#pragma omp parallel num_threads (3) reduction (+: count)
  {
#pragma omp for ordered (2) schedule (dynamic)
    for (int i = 0; i < zero; i++)
      for (int j = 0; j < 4; j++)
	{
#pragma omp ordered depend (sink: i - 1, j)
	  count++;
#pragma omp ordered depend (source)
	}
#pragma omp for ordered (3) schedule (static)
    for (int i = 0; i < 4; i++)
      for (int j = 3; j > 3 + zero; j--)
	for (int k = 0; k < 3; k++)
	  {
#pragma omp ordered depend (sink: i - 1, j, k)
	    count++;
#pragma omp ordered depend (source)
	  }
    /* And one that is not, in the same memory.  */
#pragma omp for ordered (1) schedule (dynamic)
    for (int i = 0; i < 10; i++)
      {
#pragma omp ordered depend (sink: i - 1)
	count++;
#pragma omp ordered depend (source)
      }
  }
  CHECK (count == 10);
}

static void
one_after_the_other (void)
{
  enum { LOOPS = 300, LENGTH = 5 };
  static int last[LOOPS];
  int bad = 0;
  for (int round = 0; round < 5; round++)
    {
      memset (last, 0, sizeof (last));
#pragma omp parallel num_threads (4) reduction (+: bad)
      for (int n = 0; n < LOOPS; n++)
	{
#pragma omp for ordered (1) schedule (dynamic) nowait
	  for (int i = 1; i <= LENGTH; i++)
	    {
#pragma omp ordered depend (sink: i - 1)
	      bad += last[n] != i - 1;
	      last[n] = i;
#pragma omp ordered depend (source)
	    }
#pragma omp for schedule (dynamic) nowait
	  for (int i = 0; i < 2; i++)
	    ;
	}
      for (int n = 0; n < LOOPS; n++)
	bad += last[n] != LENGTH;
    }
  CHECK (bad == 0);
}

static void
nested_and_lastprivate (void)
{
  int last = -1, x = -1, bad = 0;
  omp_set_max_active_levels (2);
#pragma omp parallel num_threads (2) reduction (+: bad)
#pragma omp for ordered (1) schedule (static, 2) lastprivate (x) lastprivate (conditional: last)
  for (int i = 0; i < 12; i++)
    {
      int inner = 0;
#pragma omp parallel for ordered (1) schedule (dynamic) num_threads (2)
      for (int j = 0; j < 5; j++)
	{
#pragma omp ordered depend (sink: j - 1)
	  inner = inner * 2 + 1;
#pragma omp ordered depend (source)
	}
#pragma omp ordered depend (sink: i - 1)
      bad += inner != 31;
      x = i;
      if (i % 5 == 4)
	last = i;
#pragma omp ordered depend (source)
    }
  CHECK (bad == 0 && x == 11 && last == 9);
}

int
main (void)
{
  schedules ();
  shapes ();
  from_zero ();
  empty (0);
  one_after_the_other ();
  nested_and_lastprivate ();
  return failures != 0;
}
