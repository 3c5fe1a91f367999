/* aux-lanes-warps.c -- target regions with simd loops for lanes-warps.sh.

   "EXPECT: f warps" above a function: its kernel has a version whose warps need nothing of the library; "EXPECT: f library": it
   must not have one; "EXPECT: f lanes": its threads can be lanes.  Each function checks what its region did, in a way that
   shows where warps don't wait for each other, compute something else than each other, or see
   another one's data.  Prints what is wrong.  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1021, M = 67 };

static int out[N], more[N];
static float real[N];
static int failures;

static void
clear (void)
{
  for (int i = 0; i < N; i++)
    {
      out[i] = more[i] = 5;
      real[i] = i;
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

static void
check_value (const char *name, long is, long should)
{
  if (is != should)
    {
      printf ("%s: %ld, not %ld\n", name, is, should);
      failures++;
    }
}

/* EXPECT: plain warps */
static void
plain (int n, int a)
{
  clear ();
#pragma omp target teams distribute parallel for simd map (tofrom: out)
  for (int i = 0; i < n; i++)
    out[i] += a * i;
  check ("plain", out, n, a, 0);
}

/* A counter of 64 bits.
   EXPECT: saxpy warps */
static void
saxpy (long n, float a)
{
  clear ();
#pragma omp target teams distribute parallel for simd map (tofrom: out) map (to: real)
  for (long i = 0; i < n; i++)
    out[i] += (int) (a * real[i]);
  check ("saxpy", out, n, (int) a, 0);
}

/* EXPECT: unsigned_long warps */
static void
unsigned_long (unsigned long first, unsigned long n)
{
  clear ();
#pragma omp target teams distribute parallel for simd map (tofrom: out)
  for (unsigned long i = first; i < first + n; i++)
    out[i - first] += i - first;
  check ("unsigned_long", out, n, 1, 0);
}

/* EXPECT: backwards warps */
static void
backwards (long n, long step)
{
  clear ();
#pragma omp target teams distribute parallel for simd map (tofrom: out)
  for (long i = n - 1; i >= 0; i -= step)
    out[i] += i;
  for (long i = 0; i < n; i++)
    if ((n - 1 - i) % step != 0)
      out[i] += i;
  check ("backwards", out, n, 1, 0);
}

/* EXPECT: numbered warps */
static void
numbered (int n, int teams)
{
  clear ();
#pragma omp target teams distribute parallel for simd map (tofrom: out) num_teams (teams)
  for (int i = 0; i < n; i++)
    out[i] += i;
  check ("numbered", out, n, 1, 0);
}

/* EXPECT: chunks warps */
static void
chunks (int n)
{
  clear ();
#pragma omp target teams distribute parallel for simd map (tofrom: out) dist_schedule (static, 100) schedule (static, 7)
  for (int i = 0; i < n; i++)
    out[i] += 2 * i;
  check ("chunks", out, n, 2, 0);
}

/* A loop of simd in a loop of threads.
   EXPECT: inner warps */
static void
inner (int rows, int columns)
{
  clear ();
#pragma omp target teams distribute parallel for map (tofrom: out)
  for (int i = 0; i < rows; i++)
    {
#pragma omp simd
      for (int j = 0; j < columns; j++)
	out[i * columns + j] += i * columns + j;
    }
  check ("inner", out, rows * columns, 1, 0);
}

/* What GCC makes of two loops that are one is one without simd.
   EXPECT: nest lanes */
static void
nest (int rows, int columns)
{
  clear ();
#pragma omp target teams distribute parallel for simd collapse (2) map (tofrom: out)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      out[i * columns + j] += i * columns + j;
  check ("nest", out, rows * columns, 1, 0);
}

/* An array of the thread's, which its lanes fill together.
   EXPECT: together warps */
static void
together (int rows, int columns)
{
  clear ();
#pragma omp target teams distribute parallel for map (tofrom: out)
  for (int i = 0; i < rows; i++)
    {
      int row[M];
#pragma omp simd
      for (int j = 0; j < columns; j++)
	row[j] = i * columns + j;
#pragma omp simd
      for (int j = 0; j < columns; j++)
	out[i * columns + j] += row[columns - 1 - j] + 2 * j - columns + 1;
    }
  check ("together", out, rows * columns, 1, 0);
}

#pragma omp declare target
static int total;

static __attribute__ ((noinline)) int
twice (int i)
{
  return i > 100 ? 2 * i : i + i;
}

/* What it computes is in its frame for a while.  */
static __attribute__ ((noinline)) int
framed (int i, int k)
{
  volatile int part[4] = { i, 2 * i, 3 * i, 4 * i };
  return part[k & 3];
}

#pragma omp declare simd
static __attribute__ ((noinline)) int
thrice (int i)
{
  return 3 * i;
}

static __attribute__ ((noinline)) void
count (int i)
{
#pragma omp atomic
  total += i;
}

static __attribute__ ((noinline)) int
depth (int i)
{
  return i < 2 ? i : depth (i - 1) + depth (i - 2);
}

static __attribute__ ((noinline)) int
who (void)
{
  return omp_get_thread_num ();
}

typedef int function (int);
#pragma omp end declare target

/* EXPECT: calls warps */
static void
calls (int n)
{
  clear ();
#pragma omp target teams distribute parallel for simd map (tofrom: out)
  for (int i = 0; i < n; i++)
    out[i] += twice (i) + thrice (i);
  check ("calls", out, n, 5, 0);
}

/* EXPECT: counts library */
static void
counts (int n)
{
#pragma omp target teams distribute parallel for simd
  for (int i = 0; i < n; i++)
    count (i);
}

/* EXPECT: frames library */
static void
frames (int n)
{
#pragma omp target teams distribute parallel for simd map (tofrom: out)
  for (int i = 0; i < n; i++)
    out[i] += framed (i, 2);
}

/* EXPECT: updates warps */
static void
updates (int n)
{
  total = 3;
#pragma omp target update to (total)
#pragma omp target teams distribute parallel for simd
  for (int i = 0; i < n; i++)
    {
#pragma omp atomic
      total += i;
    }
#pragma omp target update from (total)
  check_value ("updates", total, 3 + n * (n - 1) / 2);
}

/* EXPECT: before warps */
static void
before (int n, int a)
{
  clear ();
#pragma omp target teams map (tofrom: out) num_teams (3)
  {
    int first = omp_get_team_num () * n / omp_get_num_teams (), last = (omp_get_team_num () + 1) * n / omp_get_num_teams ();
    int b = a * 2 + 1;
#pragma omp parallel for simd
    for (int i = first; i < last; i++)
      out[i] += a * i + b;
  }
  check ("before", out, n, a, a * 2 + 1);
}

/* All threads have the bound before one of them changes it.
   EXPECT: bound warps */
static void
bound (int n)
{
  int limit = n;
  clear ();
#pragma omp target map (tofrom: out, limit)
  {
    int end = limit;
#pragma omp parallel for simd
    for (int i = 0; i < end; i++)
      {
	out[i] += i;
	if (i == 0)
	  limit = -1;
      }
  }
  check ("bound", out, n, 1, 0);
  check_value ("bound", limit, -1);
}

/* The second loop reads what other threads have written in the first one.
   EXPECT: two warps */
static void
two (int n)
{
  clear ();
#pragma omp target map (tofrom: out, more)
  {
#pragma omp parallel for simd
    for (int i = 0; i < n; i++)
      out[i] += i;
#pragma omp parallel for simd
    for (int i = 0; i < n; i++)
      more[i] = out[(i + 400) % n];
  }
  check ("two", out, n, 1, 0);
  for (int i = 0; i < n; i++)
    more[i] -= (i + 400) % n;
  check ("two", more, n, 0, 0);
}

/* EXPECT: again warps */
static void
again (int n, int times)
{
  clear ();
#pragma omp target map (tofrom: out, more)
  for (int k = 0; k < times; k++)
    {
#pragma omp parallel for simd
      for (int i = 0; i < n; i++)
	more[i] = out[(i + 400) % n];
#pragma omp parallel for simd
      for (int i = 0; i < n; i++)
	out[(i + 400) % n] = more[i] + (i + 400) % n;
    }
  check ("again", out, n, times, 0);
}

/* Data blocks that are not whole words.
   EXPECT: bytes warps */
static void
bytes (int n, unsigned char a, short b)
{
  clear ();
#pragma omp target teams distribute parallel for simd map (tofrom: out)
  for (int i = 0; i < n; i++)
    out[i] += a * i + b;
  check ("bytes", out, n, a, b);
}

/* The last thread writes the variable back.
   EXPECT: linear library */
static void
linear (int n)
{
  clear ();
#pragma omp target map (tofrom: out)
  {
    int j = 1;
#pragma omp parallel for simd linear (j: 2) firstprivate (n)
    for (int i = 0; i < n; i++)
      out[i] += j;
  }
}

/* EXPECT: last warps */
static void
last (int n)
{
  int x = -1;
  clear ();
#pragma omp target teams distribute parallel for simd map (tofrom: out) lastprivate (x) map (tofrom: x)
  for (int i = 0; i < n; i++)
    {
      x = 3 * i;
      out[i] += x;
    }
  check ("last", out, n, 3, 0);
  check_value ("last", x, n > 0 ? 3 * (n - 1) : x);
}

/* A reduction of the lanes only.
   EXPECT: rows warps */
static void
rows (int n, int columns)
{
  clear ();
#pragma omp target teams distribute parallel for map (tofrom: out, more)
  for (int i = 0; i < n; i++)
    {
      int sum = 0;
#pragma omp simd reduction (+: sum)
      for (int j = 0; j < columns; j++)
	sum += i + j;
      out[i] += sum - columns * (columns - 1) / 2;
    }
  check ("rows", out, n, columns, 0);
}

/* EXPECT: sum warps */
static void
sum (int n)
{
  int s = 1;
#pragma omp target teams distribute parallel for simd reduction (+: s)
  for (int i = 0; i < n; i++)
    s += i;
  check_value ("sum", s, 1 + n * (n - 1) / 2);
}

/* Sums of which each is made by a loop around a compare-and-swap, for a team and in it.
   EXPECT: real_sum warps */
static void
real_sum (int n)
{
  float s = 1;
#pragma omp target teams distribute parallel for simd reduction (+: s)
  for (int i = 0; i < n; i++)
    s += i & 7;
  int should = 1;
  for (int i = 0; i < n; i++)
    should += i & 7;
  check_value ("real_sum", (long) s, should);
}

/* EXPECT: greatest warps */
static void
greatest (long n)
{
  long most = -5;
#pragma omp target teams distribute parallel for simd reduction (max: most)
  for (long i = 0; i < n; i++)
    most = 7 * i % 1000 > most ? 7 * i % 1000 : most;
  long should = -5;
  for (long i = 0; i < n; i++)
    should = 7 * i % 1000 > should ? 7 * i % 1000 : should;
  check_value ("greatest", most, should);
}

/* EXPECT: sums library */
static void
sums (int n)
{
  int s = 1;
  long t = 2;
#pragma omp target teams distribute parallel for simd reduction (+: s, t)
  for (int i = 0; i < n; i++)
    {
      s += i;
      t += 2 * i;
    }
  check_value ("sums", s, 1 + n * (n - 1) / 2);
  check_value ("sums", t, 2 + n * (n - 1));
}

/* What threads have computed is used in front of the next region, and there.
   EXPECT: in_between warps */
static void
in_between (int n, int times)
{
  int all = 0;
  clear ();
#pragma omp target map (tofrom: all, out)
  for (int k = 0; k < times; k++)
    {
      int s = 0;
#pragma omp parallel for simd reduction (+: s)
      for (int i = 0; i < n; i++)
	s += i + k;
      all += s;
#pragma omp parallel for simd
      for (int i = 0; i < n; i++)
	out[i] += s - n * (n - 1) / 2 - n * k + i;
    }
  check ("in_between", out, n, times, 0);
  check_value ("in_between", all, times * (n * (n - 1) / 2) + n * times * (times - 1) / 2);
}

static int *pointer_out;

/* The pointer is in the function's frame, and its address in the data block.
   EXPECT: mapped warps */
static void
mapped (int n)
{
  clear ();
  pointer_out = out;
#pragma omp target data map (tofrom: pointer_out[:N])
  {
#pragma omp target teams distribute parallel for simd map (tofrom: pointer_out[:N])
    for (int i = 0; i < n; i++)
      pointer_out[i] += 3 * i;
  }
  check ("mapped", out, n, 3, 0);
}

/* All lanes of a thread do the same outside of simd loops, once.
   EXPECT: after_effects warps */
static void
after_effects (int n)
{
  float s = 0;
  clear ();
#pragma omp target map (tofrom: s, out, more)
  for (int k = 0; k < 3; k++)
    {
#pragma omp atomic
      s += 2;
#pragma omp parallel for num_threads (5)
      for (int i = 0; i < n / 10; i++)
	{
	  more[i] += 1;
#pragma omp simd
	  for (int j = 0; j < 10; j++)
	    out[10 * i + j] += 10 * i + j;
	}
    }
  check ("after_effects", out, n / 10 * 10, 3, 0);
  check ("after_effects", more, n / 10, 0, 3);
  check_value ("after_effects", (long) s, 6);
}

/* EXPECT: stores warps */
static void
stores (int n)
{
  clear ();
#pragma omp target map (tofrom: out, more)
  {
    more[0] += 1;
#pragma omp parallel for simd
    for (int i = 0; i < n; i++)
      out[i] += i + more[0];
  }
  check ("stores", out, n, 1, 6);
}

/* EXPECT: both lanes */
static void
both (int n)
{
  clear ();
#pragma omp target map (tofrom: out, more)
  {
#pragma omp parallel for simd
    for (int i = 0; i < n; i++)
      out[i] += i;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      more[i] = out[(i + 400) % n];
  }
  check ("both", out, n, 1, 0);
  for (int i = 0; i < n; i++)
    more[i] -= (i + 400) % n;
  check ("both", more, n, 0, 0);
}

/* EXPECT: waits library */
static void
waits (int n)
{
  clear ();
#pragma omp target parallel map (tofrom: out, more)
  {
#pragma omp for simd
    for (int i = 0; i < n; i++)
      out[i] += i;
#pragma omp for simd
    for (int i = 0; i < n; i++)
      more[i] = out[(i + 400) % n] - (i + 400) % n;
  }
  check ("waits", out, n, 1, 0);
  check ("waits", more, n, 0, 0);
}

/* EXPECT: deep warps */
static void
deep (int n)
{
  clear ();
#pragma omp target teams distribute parallel for simd map (tofrom: out)
  for (int i = 0; i < n; i++)
    out[i] += depth (i & 1) - (i & 1);
  check ("deep", out, n, 0, 0);
}

/* EXPECT: asks library */
static void
asks (int n)
{
  clear ();
#pragma omp target parallel map (tofrom: out)
  {
    int me = who () >= 0;
#pragma omp for simd nowait
    for (int i = 0; i < n; i++)
      out[i] += i + me - 1;
  }
  check ("asks", out, n, 1, 0);
}

/* EXPECT: dynamic library */
static void
dynamic (int n)
{
  clear ();
#pragma omp target teams distribute parallel for simd map (tofrom: out) schedule (dynamic, 5)
  for (int i = 0; i < n; i++)
    out[i] += i;
  check ("dynamic", out, n, 1, 0);
}

/* A call of what can't be seen.
   EXPECT: pointer library */
static void
pointer (int n)
{
  clear ();
#pragma omp target teams distribute parallel for map (tofrom: out)
  for (int i = 0; i < n; i++)
    {
      function *volatile f = twice;
#pragma omp simd
      for (int j = 0; j < 4; j++)
	out[i] += j == 3 ? f (i) : 0;
    }
  check ("pointer", out, n, 2, 0);
}

enum { MOST = 170 };
static long number[MOST], by[MOST], divided[3 * MOST];

/* Divisions of 64 bits, which are not the compiler's in such kernels.
   EXPECT: divides warps */
static void
divides (int n)
{
#pragma omp target map (to: number, by) map (from: divided)
  for (int k = 0; k < n; k++)
    {
      long q = number[k] / by[k], r = number[k] % by[k], x = q ^ r;
#pragma omp parallel for simd num_threads (1)
      for (int i = 0; i < 3; i++)
	divided[3 * k + i] = i == 0 ? q : i == 1 ? r : x;
    }
  for (int k = 0; k < n; k++)
    {
      check_value ("divides: quotient", divided[3 * k], number[k] / by[k]);
      check_value ("divides: rest", divided[3 * k + 1], number[k] % by[k]);
    }
}

/* EXPECT: divides_unsigned warps */
static void
divides_unsigned (int n)
{
#pragma omp target map (to: number, by) map (from: divided)
  for (int k = 0; k < n; k++)
    {
      unsigned long x = number[k], y = by[k], q = x / y, r = x % y;
      x = q ^ r;
#pragma omp parallel for simd num_threads (1)
      for (int i = 0; i < 3; i++)
	divided[3 * k + i] = i == 0 ? q : i == 1 ? r : x;
    }
  for (int k = 0; k < n; k++)
    {
      check_value ("divides_unsigned: quotient", divided[3 * k], (unsigned long) number[k] / (unsigned long) by[k]);
      check_value ("divides_unsigned: rest", divided[3 * k + 1], (unsigned long) number[k] % (unsigned long) by[k]);
    }
}

static void
divide_all (void)
{
  static const unsigned long numbers[]
    = { 1, 2, 3, 7, 1ul << 31, 0xffffffff, 1ul << 32, 0x100000001, 0x123456789abcdef, ~0ul >> 1, 1ul << 63, 0xfffffffffffffffe, ~0ul };
  enum { NUM = sizeof (numbers) / sizeof (numbers[0]) };
  int n = 0;
  for (unsigned i = 0; i <= NUM; i++)
    for (unsigned k = 0; k < NUM; k++)
      if (n < MOST && (i == NUM || numbers[i] != 1ul << 63 || numbers[k] != ~0ul))
	{
	  number[n] = i < NUM ? numbers[i] : 0;
	  by[n++] = numbers[k];
	}
  divides (n);
  divides_unsigned (n);
}

/* Threads that are none of the region would add another time.
   EXPECT: few warps */
static void
few (int n, int threads)
{
  clear ();
#pragma omp target map (tofrom: out, more)
#pragma omp parallel num_threads (threads)
  {
    int me = omp_get_thread_num (), all = omp_get_num_threads ();
#pragma omp for simd nowait
    for (int i = 0; i < n; i++)
      {
	out[i] += i;
	more[i] += me >= 0 && me < all ? all : 1000;
      }
  }
  check ("few", out, n, 1, 0);
  for (int i = 0; i < n; i++)
    if (more[i] - 5 > threads || more[i] - 5 < 1)
      {
	printf ("few: %d threads of %d\n", more[i] - 5, threads);
	failures++;
	break;
      }
}

/* EXPECT: in_turn warps */
static void
in_turn (int n, int threads)
{
  clear ();
#pragma omp target map (tofrom: out, more)
  for (int k = 1; k <= 3; k++)
    {
#pragma omp parallel for simd num_threads (threads * k)
      for (int i = 0; i < n; i++)
	more[i] = out[(i + 400) % n];
#pragma omp parallel for simd
      for (int i = 0; i < n; i++)
	out[(i + 400) % n] = more[i] + (i + 400) % n;
    }
  check ("in_turn", out, n, 3, 0);
}

/* EXPECT: alone warps */
static void
alone (int n, int together)
{
  clear ();
#pragma omp target map (tofrom: out)
#pragma omp parallel for simd if (parallel: together)
  for (int i = 0; i < n; i++)
    out[i] += i;
  check ("alone", out, n, 1, 0);
}

/* EXPECT: limited warps */
static void
limited (int n)
{
  clear ();
#pragma omp target
#pragma omp teams distribute parallel for simd thread_limit (3)
  for (int i = 0; i < n; i++)
    out[i] += i;
  check ("limited", out, n, 1, 0);
}

/* The limit is not known where the kernel is launched.
   EXPECT: narrow warps */
static void
narrow (int n, int limit, int threads)
{
  clear ();
#pragma omp target map (tofrom: out, more, limit)
#pragma omp teams num_teams (1) thread_limit (limit)
  {
#pragma omp parallel num_threads (threads)
    {
      int all = omp_get_num_threads ();
#pragma omp for simd nowait
      for (int i = 0; i < n; i++)
	{
	  out[i] += i;
	  more[i] += all;
	}
    }
  }
  check ("narrow", out, n, 1, 0);
  for (int i = 0; i < n; i++)
    if (more[i] - 5 > threads || more[i] - 5 > limit || more[i] == 5)
      {
	printf ("narrow: %d threads, %d, %d\n", more[i] - 5, threads, limit);
	failures++;
	break;
      }
}

/* EXPECT: launched warps */
static void
launched (int n)
{
  clear ();
#pragma omp target thread_limit (2) map (tofrom: out, more)
#pragma omp parallel
  {
    int all = omp_get_num_threads ();
#pragma omp for simd nowait
    for (int i = 0; i < n; i++)
      {
	out[i] += i;
	more[i] += all;
      }
  }
  check ("launched", out, n, 1, 0);
  if (n > 0)
    check_value ("launched", more[0] - 5 <= 2, 1);
}

int
main (int argc, char **argv)
{
  static const int sizes[] = { N, 0, 1, 33 };
  for (unsigned k = 0; k < sizeof (sizes) / sizeof (sizes[0]); k++)
    {
      int n = sizes[k];
      plain (n, 3);
      saxpy (n, 3);
      unsigned_long (1UL << 63, n);
      backwards (n, 3);
      numbered (n, 1);
      numbered (n, 17);
      chunks (n);
      calls (n);
      updates (n);
      before (n, 4);
      two (n);
      bytes (n, 200, -3);
      last (n);
      rows (n, 40);
      sum (n);
      sums (n);
      real_sum (n);
      greatest (n);
      in_between (n, 3);
      mapped (n);
      after_effects (n);
      few (n, 1);
      few (n, 3);
      few (n, 50);
      alone (n, 0);
      alone (n, 1);
      narrow (n, 2, 100);
      narrow (n, 50, 3);
      narrow (n, 100000, 5000);
      launched (n);
    }
  again (N, 3);
  inner (15, M);
  inner (0, M);
  nest (15, M);
  together (15, M);
  bound (N);
  stores (N);
  both (N);
  waits (N);
  deep (N);
  asks (N);
  dynamic (N);
  pointer (N);
  in_turn (N, 1);
  in_turn (N, 3);
  limited (N);
  divide_all ();
  /* What these do depends on the order of lanes, as GCC makes them, or it is wrong with the library, too.  */
  if (argc > 1 && strcmp (argv[1], "all") == 0)
    {
      counts (N);
      frames (N);
      linear (N);
    }
  return failures != 0;
}
