/* aux-lanes-stride.c -- loops with a static schedule for lanes-stride.sh.

   "EXPECT: f stride" above a function: with lanes as threads its region takes neighbouring iterations by neighbouring lanes;
   "EXPECT: f combines": and lanes of a warp make one number of what their threads have in the end, before one updates memory;
   "EXPECT: f section N": and N words of several numbers, before one enters a section of the lock of atomics;
   "EXPECT: f updates N": and N words, before one makes the updates of a section one by one;
   "EXPECT: f no REASON": it must not, and why.  Each function checks what its region did: every iteration
   once, as with any number of threads.  Prints what is wrong, and the longest piece that a thread had of
   the loops in `hand' and `hand_sum'.  */

#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1321, THREADS = 40 };		/* enough for pieces of 8 */

static int out[N], more[N];
static int failures, longest_piece;

static int
value (long i)
{
  return (int) (i * 7 % 1013) + 1;
}

/* Iterations FROM, FROM + STEP ... below TO have added value to what was there, 5; no others.  */
static void
check (const char *name, const int *array, long from, long to, long step)
{
  for (long i = 0; i < N; i++)
    {
      int want = 5 + (i >= from && i < to && (i - from) % step == 0 ? value (i) : 0);
      if (array[i] != want)
	{
	  printf ("%s: %d instead of %d at %ld\n", name, array[i], want, i);
	  failures++;
	  return;
	}
    }
}

/* SUM is that of the values of N iterations, and LOW to HIGH more.  */
static void
check_sum (const char *name, double sum, int n, int low, int high)
{
  for (int i = 0; i < n; i++)
    sum -= value (i);
  if (sum < low || sum > high)
    {
      printf ("%s: %g is not from %d to %d\n", name, sum, low, high);
      failures++;
    }
}

static void
clear (void)
{
  for (int i = 0; i < N; i++)
    out[i] = more[i] = 5;
}

#pragma omp declare target
static int
value_there (long i)
{
  return (int) (i * 7 % 1013) + 1;
}
#pragma omp end declare target

/* EXPECT: plain stride */
static void
plain (int n, int threads)
{
  clear ();
#pragma omp target teams distribute parallel for map (tofrom: out) num_teams (2) num_threads (threads)
  for (int i = 0; i < n; i++)
    out[i] += value_there (i);
  check ("plain", out, 0, n, 1);
}

/* EXPECT: unsigned_long stride */
static void
unsigned_long (unsigned long n)
{
  clear ();
#pragma omp target teams distribute parallel for map (tofrom: out) num_teams (3) num_threads (THREADS) schedule (static)
  for (unsigned long i = 3; i < n; i++)
    out[i] += value_there (i);
  check ("unsigned_long", out, 3, n, 1);
}

/* EXPECT: steps stride */
static void
steps (long n)
{
  clear ();
#pragma omp target parallel for map (tofrom: out) num_threads (THREADS)
  for (long i = 1; i < n; i += 3)
    out[i] += value_there (i);
  check ("steps", out, 1, n, 3);
}

/* EXPECT: down stride */
static void
down (int n)
{
  clear ();
#pragma omp target parallel for map (tofrom: out) num_threads (THREADS)
  for (int i = n - 1; i >= 0; i--)
    out[i] += value_there (i);
  check ("down", out, 0, n, 1);
}

/* EXPECT: nest stride */
static void
nest (int rows, int columns)
{
  clear ();
#pragma omp target teams distribute parallel for collapse (2) map (tofrom: out) num_teams (2) num_threads (THREADS)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      out[i * columns + j] += value_there (i * columns + j);
  check ("nest", out, 0, rows * columns, 1);
}

/* EXPECT: inner stride */
static void
inner (int n)
{
  clear ();
#pragma omp target parallel for map (tofrom: out) num_threads (THREADS)
  for (int i = 0; i < n; i++)
    {
      int local[8];
      for (int k = 0; k < 8; k++)
	local[k] = value_there (i) + (k ^ (i & 7));
      for (int k = 0; k < n % 50; k++)
	local[k & 7] += k == 3;
      out[i] += local[i & 7];
    }
  for (int i = 0; i < n; i++)
    out[i] -= (i & 7) == 3 && n % 50 > 3;
  check ("inner", out, 0, n, 1);
}

/* EXPECT: atomics stride */
static void
atomics (int n)
{
  int sum = 0, times = 0;
  double large = 0;
  clear ();
#pragma omp target parallel for map (tofrom: sum, large, times) num_threads (THREADS)
  for (int i = 0; i < n; i++)
    {
#pragma omp atomic
      sum += i;
#pragma omp critical
      times++;
#pragma omp atomic
      large += i;
    }
  if (sum != n * (n - 1) / 2 || large != sum || times != n)
    {
      printf ("atomics: %d, %g, %d\n", sum, large, times);
      failures++;
    }
}

/* A contiguous piece is what a thread may rely on: it computes its first value, and the others from that.
   EXPECT: pieces stride */
static void
pieces (int n)
{
  clear ();
#pragma omp target parallel num_threads (THREADS) map (tofrom: out)
  {
    int before = -1, x = 0;
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      {
	if (before < 0)
	  x = i;
	else
	  x++;
	before = i;
	out[i] += value_there (x);
      }
  }
  check ("pieces", out, 0, n, 1);
}

/* What GCC does, by hand: how long pieces are, and pieces that are too long to be one iteration each.
   EXPECT: hand stride */
static void
hand (long n, long step)
{
  int longest = 0, threads = 0, parts = 0, want = 0;
#pragma omp target parallel num_threads (THREADS) map (tofrom: longest, parts)
  {
    long t = omp_get_num_threads (), id = omp_get_thread_num ();
    long q = n / t, r = n % t;
    if (id < r)
      {
	q++;
	r = 0;
      }
    long start = q * id + r, end = q + start;
    if (start < end)
      for (long i = start; i < end; i += step)
	{
	  int length = end - start > INT_MAX ? INT_MAX : (int) (end - start);
#pragma omp critical
	  longest = length > longest ? length : longest;
#pragma omp atomic
	  parts++;
	}
  }
#pragma omp target parallel num_threads (THREADS) map (tofrom: threads)
#pragma omp single
  threads = omp_get_num_threads ();
  if (step == 1)
    {
      if (longest > longest_piece)
	longest_piece = longest;
      want = n;
    }
  else
    for (int id = 0; id < threads; id++)
      want += (n / threads + (id < n % threads) + step - 1) / step;
  if (parts != want)
    {
      printf ("hand: %d instead of %d\n", parts, want);
      failures++;
    }
}

/* EXPECT: number no it doesn't ask once */
static void
number (int n)
{
  int most = 0;
#pragma omp target parallel num_threads (THREADS) map (tofrom: most)
  {
    int id = omp_get_thread_num ();
#pragma omp for
    for (int i = 0; i < n; i++)
      more[i] = id;
#pragma omp atomic
    most += id < 0;
  }
  if (most != 0)
    failures++;
}

/* EXPECT: who no no loop's iterations */
static void
who (int n)
{
#pragma omp target parallel for num_threads (THREADS) map (tofrom: more)
  for (int i = 0; i < n; i++)
    more[i] = omp_get_thread_num ();
  for (int i = 0; i < n; i++)
    if (more[i] < 0 || more[i] >= THREADS)
      {
	printf ("who: %d\n", more[i]);
	failures++;
	break;
      }
}

/* EXPECT: counts no a thread that has no iteration does something */
static void
counts (int n)
{
  int threads = 0;
  clear ();
#pragma omp target parallel num_threads (THREADS) map (tofrom: threads, out)
  {
#pragma omp atomic
    threads++;
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      out[i] += value_there (i);
  }
  check ("counts", out, 0, n, 1);
  if (threads > THREADS)
    {
      printf ("counts: %d threads\n", threads);
      failures++;
    }
}

/* EXPECT: busy no it does something behind the loop */
static void
busy (int n)
{
  int threads = 0;
  clear ();
#pragma omp target parallel num_threads (THREADS) map (tofrom: threads, out)
  {
    int any = 0;
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      {
	out[i] += value_there (i);
	any = 1;
      }
    if (any)
#pragma omp atomic
      threads++;
  }
  check ("busy", out, 0, n, 1);
  if (threads > THREADS)
    {
      printf ("busy: %d threads\n", threads);
      failures++;
    }
}

/* EXPECT: twice no it doesn't ask once */
static void
twice (int n)
{
  clear ();
#pragma omp target parallel num_threads (THREADS) map (tofrom: out, more)
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      more[i] += value_there (i);
#pragma omp for
    for (int i = 0; i < n; i++)
      out[i] += more[i] - 5;
  }
  check ("twice", out, 0, n, 1);
}

/* EXPECT: last no */
static void
last (int n)
{
  int x = 0;
#pragma omp target parallel for num_threads (THREADS) map (tofrom: x) lastprivate (x)
  for (int i = 0; i < n; i++)
    x = value_there (i);
  if (x != value (n - 1))
    {
      printf ("last: %d\n", x);
      failures++;
    }
}

/* What threads do at their end: NAME combines with X, which is START before, what is made of iterations.
   EXPECT: sum_int combines
   EXPECT: sum_long combines
   EXPECT: sum_float combines
   EXPECT: sum_double combines
   EXPECT: most combines
   EXPECT: least combines
   EXPECT: most_float combines
   EXPECT: least_double combines
   EXPECT: any_bits combines
   EXPECT: odd_bits combines
   EXPECT: all_bits combines
   EXPECT: product combines */
#define PRAGMA(text) _Pragma (#text)
#define REDUCTION(name, type, op, start, next) \
  static void \
  name (int n) \
  { \
    type x = start, want = start; \
    PRAGMA (omp target teams distribute parallel for num_teams (2) num_threads (THREADS) map (tofrom: x) reduction (op: x)) \
    for (int i = 0; i < n; i++) \
      x = next (x, value_there (i)); \
    for (int i = 0; i < n; i++) \
      want = next (want, value (i)); \
    if (x != want) \
      { \
	printf (#name ": %.17g instead of %.17g\n", (double) x, (double) want); \
	failures++; \
      } \
  }
#define ADD(x, v) (x) + (v)
#define MOST(x, v) ((v) > (x) ? (v) : (x))
#define LEAST(x, v) ((v) < (x) ? (v) : (x))
#define OR(x, v) (x) | (v)
#define XOR(x, v) (x) ^ (v)
#define AND(x, v) (x) & ((v) | 0xfff000ff)
#define TIMES(x, v) (x) * ((v) | 1u)
REDUCTION (sum_int, int, +, 17, ADD)
REDUCTION (sum_long, long, +, -3, ADD)
REDUCTION (sum_float, float, +, 2, ADD)
REDUCTION (sum_double, double, +, 0.5, ADD)
REDUCTION (most, int, max, 5, MOST)
REDUCTION (least, unsigned, min, 1000, LEAST)
REDUCTION (most_float, float, max, 5.5, MOST)
REDUCTION (least_double, double, min, 1000, LEAST)
REDUCTION (any_bits, unsigned, |, 0x10000, OR)
REDUCTION (odd_bits, unsigned, ^, 0x10001, XOR)
REDUCTION (all_bits, unsigned, &, 0x1fffffff, AND)
REDUCTION (product, unsigned, *, 3, TIMES)

/* Elements are written, too, and threads that have no iteration have an end as well.
   EXPECT: sum_and_store combines */
static void
sum_and_store (int n)
{
  long sum = 1;
  clear ();
#pragma omp target parallel for num_threads (THREADS) map (tofrom: out) map (tofrom: sum) reduction (+: sum)
  for (int i = 0; i < n; i++)
    {
      out[i] += value_there (i);
      sum += i;
    }
  check ("sum_and_store", out, 0, n, 1);
  if (sum != 1 + (long) n * (n - 1) / 2)
    {
      printf ("sum_and_store: %ld\n", sum);
      failures++;
    }
}

/* As `hand', and a sum of what a thread has computed.
   EXPECT: hand_sum combines */
static void
hand_sum (long n)
{
  long squares = 0, want = 0;
  int longest = 0;
#pragma omp target parallel num_threads (THREADS) map (tofrom: longest) map (tofrom: squares) reduction (+: squares)
  {
    long t = omp_get_num_threads (), id = omp_get_thread_num ();
    long q = n / t, r = n % t;
    if (id < r)
      {
	q++;
	r = 0;
      }
    long start = q * id + r, end = q + start;
    if (start < end)
      for (long i = start; i < end; i++)
	{
#pragma omp critical
	  longest = end - start > longest ? (int) (end - start) : longest;
	  squares += i * i;
	}
  }
  for (long i = 0; i < n; i++)
    want += i * i;
  if (longest > longest_piece)
    longest_piece = longest;
  if (squares != want)
    {
      printf ("hand_sum: %ld instead of %ld\n", squares, want);
      failures++;
    }
}

/* What a thread stores depends on where its piece begins.
   EXPECT: prefix combines */
static void
prefix (int n)
{
  int sum = 0;
  clear ();
#pragma omp target parallel for num_threads (THREADS) map (tofrom: out) map (tofrom: sum) reduction (+: sum)
  for (int i = 0; i < n; i++)
    {
      sum += value_there (i);
      out[i] = sum;
    }
  for (int i = 0; i < n; i++)
    if (out[i] != value (i) && (i == 0 || out[i] != out[i - 1] + value (i)))
      {
	printf ("prefix: %d at %d\n", out[i], i);
	failures++;
	break;
      }
  check_sum ("prefix", sum, n, 0, 0);
}

/* Each thread has a part, and updates SUM with it.  */
#define UPDATE(name, type, start, op, factor, low, high) \
  static void \
  name (int n) \
  { \
    type sum = 0; \
    PRAGMA (omp target parallel num_threads (THREADS) map (tofrom: sum)) \
    { \
      type part = start; \
      PRAGMA (omp for nowait) \
      for (int i = 0; i < n; i++) \
	part += value_there (i); \
      PRAGMA (omp atomic) \
      sum op part; \
    } \
    check_sum (#name, factor * (double) sum, n, low, high); \
  }

/* The part of a thread does not begin with 0, so there must not be more parts than threads.
   EXPECT: from_one no a thread that has no iteration does something */
UPDATE (from_one, float, 1, +=, 1, 1, THREADS)

/* Each thread that had an iteration adds 1 more: not for more threads than there are.
   EXPECT: counts_too no a thread that has no iteration does something */
static void
counts_too (int n)
{
  int sum = 0;
#pragma omp target parallel num_threads (THREADS) map (tofrom: sum)
  {
    int part = 0, any = 0;
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      {
	part += value_there (i);
	any = 1;
      }
#pragma omp atomic
    sum += part + any;
  }
  check_sum ("counts_too", sum, n, 1, THREADS);
}

/* The same of all threads.
   EXPECT: whole_one no a thread that has no iteration does something */
UPDATE (whole_one, int, 1, +=, 1, 1, THREADS)

/* Not a law of subtraction: x - a - b isn't x - (a - b).
   EXPECT: minus no a thread that has no iteration does something */
UPDATE (minus, float, 0, -=, -1, 0, 0)

/* Each thread updates its own place.
   EXPECT: places no a thread that has no iteration does something */
static void
places (int n)
{
  clear ();
#pragma omp target parallel num_threads (THREADS) map (tofrom: out)
  {
    int part = 0, at = 0;
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      {
	part += value_there (i);
	at = i % 7;
      }
#pragma omp atomic
    out[at] += part;
  }
  int sum = 0;
  for (int i = 0; i < 7; i++)
    sum += out[i] - 5;
  check_sum ("places", sum, n, 0, 0);
}

/* Where the sum is may be told by another thread meanwhile.
   EXPECT: moved no a thread that has no iteration does something */
static void
moved (int n)
{
  clear ();
#pragma omp target map (tofrom: out, more)
  {
    int *place = out;
#pragma omp parallel num_threads (THREADS) shared (place)
    {
      int part = 0;
#pragma omp for nowait
      for (int i = 0; i < n; i++)
	{
	  part += value_there (i);
	  if (i == n - 1)
	    place = out;
	  more[i] = i;
	}
#pragma omp atomic
      *place += part;
    }
  }
  check_sum ("moved", out[0], n, 5, 5);
}

/* By a pointer that is elsewhere.
   EXPECT: moved_far no a thread that has no iteration does something */
#pragma omp declare target
static int **volatile far;
#pragma omp end declare target
static void
moved_far (int n)
{
  clear ();
#pragma omp target map (tofrom: out, more)
  {
    int *place = out;
    far = &place;
#pragma omp parallel num_threads (THREADS) shared (place)
    {
      int part = 0;
#pragma omp for nowait
      for (int i = 0; i < n; i++)
	{
	  part += value_there (i);
	  if (i == n - 1)
	    *far = out;
	  more[i] = i;
	}
#pragma omp atomic
      *place += part;
    }
  }
  check_sum ("moved_far", out[0], n, 5, 5);
}

/* Where it is stays the same, whatever else is written by other pointers.
   EXPECT: elsewhere combines */
static void
elsewhere (int n)
{
  clear ();
#pragma omp target map (tofrom: out, more)
  {
    int *place = out;
#pragma omp parallel num_threads (THREADS) shared (place)
    {
      int part = 0;
#pragma omp for nowait
      for (int i = 0; i < n; i++)
	{
	  part += value_there (i);
	  more[i] = i;
	}
#pragma omp atomic
      *place += part;
    }
  }
  check_sum ("elsewhere", out[0], n, 5, 5);
}

/* What was there before is used.
   EXPECT: captured no a thread that has no iteration does something */
static void
captured (int n)
{
  int sum = 0, seen = 0;
#pragma omp target parallel num_threads (THREADS) map (tofrom: sum, seen)
  {
    int part = 0, before;
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      part += value_there (i);
#pragma omp atomic capture
    {
      before = sum;
      sum += part;
    }
#pragma omp atomic
    seen += before == 0;
  }
  check_sum ("captured", sum, n, 0, 0);
  if (seen < 1 || seen > THREADS)
    {
      printf ("captured: %d threads saw 0\n", seen);
      failures++;
    }
}

/* Two variables: a section of one lock.
   EXPECT: pair updates 2 */
static void
pair (int n)
{
  int sum = 0, top = -1;
#pragma omp target parallel for num_threads (THREADS) map (tofrom: sum, top) reduction (+: sum) reduction (max: top)
  for (int i = 0; i < n; i++)
    {
      sum += i;
      top = i > top ? i : top;
    }
  if (sum != n * (n - 1) / 2 || top != n - 1)
    {
      printf ("pair: %d, %d\n", sum, top);
      failures++;
    }
}

/* Of all sizes and operators, and of several teams, and elements are written, too.
   EXPECT: many updates 12 */
static void
many (int n)
{
  double sum = 0.5, want_sum = 0.5, low = 900, want_low = 900;
  float top = -1, want_top = -1;
  long bits = 3, want_bits = 3, total = -7, want_total = -7;
  unsigned all = -1u, want_all = -1u, product = 3, want_product = 3;
  int any = 0x10000, want_any = 0x10000;
  clear ();
#pragma omp target teams distribute parallel for num_teams (2) num_threads (THREADS) map (tofrom: out) \
  map (tofrom: sum, low, top, bits, total, all, product, any) reduction (+: sum, total) reduction (min: low) reduction (max: top) \
  reduction (^: bits) reduction (&: all) reduction (*: product) reduction (|: any)
  for (int i = 0; i < n; i++)
    {
      int v = value_there (i);
      out[i] += v;
      sum += v;
      low = v < low ? v : low;
      top = (float) v > top ? (float) v : top;
      bits ^= (long) v << 33 | v;
      total += (long) v << 40;
      all &= v | 0xfff000ff;
      product *= v | 1u;
      any |= v;
    }
  for (int i = 0; i < n; i++)
    {
      int v = value (i);
      want_sum += v;
      want_low = v < want_low ? v : want_low;
      want_top = (float) v > want_top ? (float) v : want_top;
      want_bits ^= (long) v << 33 | v;
      want_total += (long) v << 40;
      want_all &= v | 0xfff000ff;
      want_product *= v | 1u;
      want_any |= v;
    }
  check ("many", out, 0, n, 1);
  if (sum != want_sum || low != want_low || top != want_top || bits != want_bits || total != want_total || all != want_all
      || product != want_product || any != want_any)
    {
      printf ("many: %g %g %g %lx %lx %x %x %x instead of %g %g %g %lx %lx %x %x %x\n", sum, low, top, bits, total, all, product, any,
	      want_sum, want_low, want_top, want_bits, want_total, want_all, want_product, want_any);
      failures++;
    }
}

/* The two updates bring the same, so a compiler may have one register for both.
   EXPECT: the_same updates [12] */
static void
the_same (int n)
{
  int sum = 1, other = 2;
#pragma omp target parallel for num_threads (THREADS) map (tofrom: sum, other) reduction (+: sum, other)
  for (int i = 0; i < n; i++)
    {
      sum += value_there (i);
      other += value_there (i);
    }
  check_sum ("the_same", sum, n, 1, 1);
  check_sum ("the_same", other, n, 2, 2);
}

/* Two parts of one variable.
   EXPECT: two_parts section 4 */
static void
two_parts (int n)
{
  _Complex double sum = 1 + 2i;
#pragma omp target teams distribute parallel for num_teams (2) num_threads (THREADS) map (tofrom: sum) reduction (+: sum)
  for (int i = 0; i < n; i++)
    sum += value_there (i) + 2i * (i & 7);
  double rest = __imag__ sum - 2;
  for (int i = 0; i < n; i++)
    rest -= 2 * (i & 7);
  check_sum ("two_parts", __real__ sum, n, 1, 1);
  check_sum ("two_parts", rest, 0, 0, 0);
}

/* A variable of the program's own type.
   EXPECT: vectors section 5 */
struct vector { double x, y; int n; };
#pragma omp declare reduction (add: struct vector: omp_out.x += omp_in.x, omp_out.y += omp_in.y, omp_out.n += omp_in.n) \
  initializer (omp_priv = (struct vector) { 0, 0, 0 })

static void
vectors (int n)
{
  struct vector v = { 1, 2, 3 };
#pragma omp target teams distribute parallel for num_teams (2) num_threads (THREADS) map (tofrom: v) reduction (add: v)
  for (int i = 0; i < n; i++)
    {
      v.x += value_there (i);
      v.y -= value_there (i);
      v.n += i & 3;
    }
  check_sum ("vectors", v.x, n, 1, 1);
  check_sum ("vectors", 2 - v.y, n, 0, 0);
  for (int i = 0; i < n; i++)
    v.n -= i & 3;
  check_sum ("vectors", v.n, 0, 3, 3);
}

/* Two pointers, of which nothing is known but that they are two: sums of the same kind.
   EXPECT: pointers section 4 */
static void
pointers (int n)
{
  double sums[2] = { 1, 2 }, *p = &sums[0], *q = &sums[1];
#pragma omp target data map (tofrom: sums)
#pragma omp target parallel for num_threads (THREADS) map (p[:1], q[:1]) reduction (+: p[:1], q[:1])
  for (int i = 0; i < n; i++)
    {
      p[0] += value_there (i);
      q[0] += value_there (i) & 3;
    }
  for (int i = 0; i < n; i++)
    sums[1] -= value (i) & 3;
  check_sum ("pointers", sums[0], n, 1, 1);
  check_sum ("pointers", sums[1], 0, 2, 2);
}

/* A section that compares one variable, and sets two.
   EXPECT: place_of no a thread that has no iteration does something */
struct least { int value, place; };
#pragma omp declare reduction (least: struct least: omp_out = omp_in.value < omp_out.value \
  || (omp_in.value == omp_out.value && omp_in.place < omp_out.place) ? omp_in : omp_out) \
  initializer (omp_priv = (struct least) { INT_MAX, INT_MAX })

static void
place_of (int n)
{
  struct least found = { INT_MAX, INT_MAX };
#pragma omp target parallel for num_threads (THREADS) map (tofrom: found) reduction (least: found)
  for (int i = 0; i < n; i++)
    if (value_there (i) < found.value || (value_there (i) == found.value && i < found.place))
      {
	found.value = value_there (i);
	found.place = i;
      }
  int at = 0;
  for (int i = 0; i < n; i++)
    at = value (i) < value (at) ? i : at;
  if (found.place != at || found.value != value (at))
    {
      printf ("place_of: %d at %d instead of %d\n", found.value, found.place, at);
      failures++;
    }
}

/* Products of floating-point numbers, as of one variable.
   EXPECT: products no a thread that has no iteration does something */
static void
products (int n)
{
  double x = 3;
  int sum = 0;
#pragma omp target parallel for num_threads (THREADS) map (tofrom: x, sum) reduction (*: x) reduction (+: sum)
  for (int i = 0; i < n; i++)
    {
      x *= (i & 1) != 0 ? 2 : 0.5;
      sum += value_there (i);
    }
  check_sum ("products", sum, n, 0, 0);
  if (x != ((n & 1) != 0 ? 1.5 : 3))
    {
      printf ("products: %g\n", x);
      failures++;
    }
}

/* One of the two counts threads, of which there must not be more than there are.
   EXPECT: counted_pair no a thread that has no iteration does something */
static void
counted_pair (int n)
{
  int sum = 0, threads = 0;
#pragma omp target parallel for num_threads (THREADS) map (tofrom: sum, threads) reduction (+: sum, threads)
  for (int i = 0; i < n; i++)
    {
      sum += value_there (i);
      threads = 1;
    }
  check_sum ("counted_pair", sum, n, 0, 0);
  if (threads < 1 || threads > THREADS)
    {
      printf ("counted_pair: %d threads\n", threads);
      failures++;
    }
}

/* Only threads that had an iteration have this end.
   EXPECT: some_ends no */
static void
some_ends (int n)
{
  int sum = 0;
#pragma omp target parallel num_threads (THREADS) map (tofrom: sum)
  {
    int part = 0, any = 0;
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      {
	part += value_there (i);
	any = 1;
      }
    if (any)
#pragma omp atomic
      sum += part;
  }
  check_sum ("some_ends", sum, n, 0, 0);
}

/* EXPECT: waits no it doesn't ask once */
static void
waits (int n)
{
  clear ();
#pragma omp target parallel num_threads (THREADS) map (tofrom: out, more)
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      out[i] += value_there (i);
#pragma omp barrier
  }
  check ("waits", out, 0, n, 1);
}

/* EXPECT: flags no it may wait for another thread */
static void
flags (int n)
{
  int flag = 0;
  clear ();
#pragma omp target parallel for num_threads (THREADS) map (tofrom: out, flag)
  for (int i = 0; i < n; i++)
    {
      out[i] += value_there (i);
      if (i == 0)
	__atomic_store_n (&flag, 1, __ATOMIC_RELEASE);
      else if (i == n - 1)
	while (__atomic_load_n (&flag, __ATOMIC_ACQUIRE) == 0)
	  ;
    }
  check ("flags", out, 0, n, 1);
}

/* EXPECT: chunks no */
static void
chunks (int n)
{
  clear ();
#pragma omp target parallel for num_threads (THREADS) map (tofrom: out) schedule (static, 3)
  for (int i = 0; i < n; i++)
    out[i] += value_there (i);
  check ("chunks", out, 0, n, 1);
}

static const int some[] = { 0, 1, 2, THREADS - 1, THREADS, THREADS + 1, 2 * THREADS, N };

static void
ends (void)
{
  for (unsigned i = 0; i < sizeof (some) / sizeof (some[0]); i++)
    {
      sum_int (some[i]);
      sum_float (some[i]);
      sum_and_store (some[i]);
      hand_sum (some[i]);
      pair (some[i]);
    }
  many (0);
  many (THREADS + 1);
  many (N);
  two_parts (N);
  vectors (N);
  sum_long (N);
  sum_double (N);
  most (N);
  least (N);
  most_float (N);
  least_double (N);
  any_bits (N);
  odd_bits (N);
  all_bits (N);
  product (N);
  prefix (N);
  from_one (N);
  counts_too (N);
  whole_one (N);
  minus (N);
  places (N);
  moved (N);
  moved_far (N);
  elsewhere (N);
  captured (N);
  the_same (N);
  pointers (N);
  place_of (N);
  products (N);
  counted_pair (N);
  some_ends (N);
}

int
main (void)
{
  for (unsigned i = 0; i < sizeof (some) / sizeof (some[0]); i++)
    {
      plain (some[i], 1 + i * 11);
      unsigned_long (some[i]);
      steps (some[i]);
      down (some[i]);
    }
  nest (20, 21);
  nest (1, 100);
  nest (0, 100);
  inner (N);
  atomics (N);
  pieces (N);
  hand (N, 1);
  hand (3L << 40, 1L << 34);
  number (N);
  who (N);
  counts (N);
  busy (N);
  twice (N);
  last (N);
  waits (N);
  flags (THREADS);
  chunks (N);
  ends ();
  printf ("longest %d\n", longest_piece);
  return failures != 0;
}
