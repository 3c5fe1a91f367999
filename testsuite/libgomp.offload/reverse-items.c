/* Calls of the host with 2 to 12 items: all kinds and sizes, with values in both directions, of one thread and of
   several.
   MINGCC: 13
   TEST-MODES: cpu cpu2 gpu */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma omp requires reverse_offload

struct pair
{
  int a, b;
};
struct odd
{
  char text[7];
};
struct large
{
  int n[31];
};

static int calls;

/* On the host.  */
static void
called (void)
{
  __atomic_fetch_add (&calls, 1, __ATOMIC_RELAXED);
}

/* N ints both ways, all of them the region's own: the I-th call of the one with the number SEED.  */
#define INTS(N, LIST, SUM, UPDATE)					\
  static int								\
  ints_##N (int seed)							\
  {									\
    int x[13], wrong = 0;						\
    for (int i = 0; i < 13; i++)					\
      x[i] = seed + 10 * i;						\
    int a = x[1], b = x[2], c = x[3], d = x[4], e = x[5], f = x[6], g = x[7], h = x[8], j = x[9], k = x[10], \
      l = x[11], m = x[12];						\
    _Pragma (LIST)							\
    {									\
      called ();							\
      int sum = SUM;							\
      UPDATE;								\
      a = sum;								\
    }									\
    int y[13] = { x[0], a, b, c, d, e, f, g, h, j, k, l, m }, sum = 0;	\
    for (int i = 1; i <= N; i++)					\
      sum += x[i];							\
    wrong += y[1] != sum;						\
    for (int i = 2; i < 13; i++)					\
      wrong += y[i] != x[i] + (i <= N ? i : 0);				\
    return wrong;							\
  }

#pragma omp declare target
INTS (2, "omp target device (ancestor: 1) map (tofrom: a, b)", a + b, b += 2)
INTS (3, "omp target device (ancestor: 1) map (tofrom: a, b, c)", a + b + c, (b += 2, c += 3))
INTS (4, "omp target device (ancestor: 1) map (tofrom: a, b, c, d)", a + b + c + d, (b += 2, c += 3, d += 4))
INTS (7, "omp target device (ancestor: 1) map (tofrom: a, b, c, d, e, f, g)", a + b + c + d + e + f + g,
      (b += 2, c += 3, d += 4, e += 5, f += 6, g += 7))
INTS (8, "omp target device (ancestor: 1) map (tofrom: a, b, c, d, e, f, g, h)", a + b + c + d + e + f + g + h,
      (b += 2, c += 3, d += 4, e += 5, f += 6, g += 7, h += 8))
INTS (9, "omp target device (ancestor: 1) map (tofrom: a, b, c, d, e, f, g, h, j)", a + b + c + d + e + f + g + h + j,
      (b += 2, c += 3, d += 4, e += 5, f += 6, g += 7, h += 8, j += 9))
INTS (10, "omp target device (ancestor: 1) map (tofrom: a, b, c, d, e, f, g, h, j, k)",
      a + b + c + d + e + f + g + h + j + k, (b += 2, c += 3, d += 4, e += 5, f += 6, g += 7, h += 8, j += 9, k += 10))
INTS (11, "omp target device (ancestor: 1) map (tofrom: a, b, c, d, e, f, g, h, j, k, l)",
      a + b + c + d + e + f + g + h + j + k + l,
      (b += 2, c += 3, d += 4, e += 5, f += 6, g += 7, h += 8, j += 9, k += 10, l += 11))
INTS (12, "omp target device (ancestor: 1) map (tofrom: a, b, c, d, e, f, g, h, j, k, l, m)",
      a + b + c + d + e + f + g + h + j + k + l + m,
      (b += 2, c += 3, d += 4, e += 5, f += 6, g += 7, h += 8, j += 9, k += 10, l += 11, m += 12))

/* To the host, back from it, both.  */
static int
directions (int seed)
{
  int to = seed, both = seed + 1, from = -1, from_too = -1;
  long wide = seed * 1000003l;
#pragma omp target device (ancestor: 1) map (to: to) map (from: from)
  {
    called ();
    from = to * 3;
    to = 7;
  }
  int wrong = (from != seed * 3) + (to != seed);
#pragma omp target device (ancestor: 1) map (from: from_too) map (tofrom: both) map (to: wide) map (from: from)
  {
    called ();
    from_too = wide % 1000 + both;
    from = both * 5;
    both += 4;
    wide = 1;
  }
  wrong += from_too != seed * 1000003l % 1000 + seed + 1;
  wrong += from != (seed + 1) * 5;
  wrong += both != seed + 5;
  wrong += wide != seed * 1000003l;
#pragma omp target device (ancestor: 1) map (from: from_too) map (from: from)
  {
    called ();
    from = 1234567;
    from_too = 89;
  }
  wrong += from != 1234567 || from_too != 89;
#pragma omp target device (ancestor: 1) map (to: to, both)
  {
    called ();
    if (to + both != 2 * seed + 5)
      abort ();
    to = both = 0;
  }
  wrong += to != seed || both != seed + 5;
  return wrong;
}

/* Structures, private copies, pointers; sizes that are no whole words.  */
static int
kinds (int seed)
{
  struct pair p = { seed, seed + 1 }, q = { 3, 4 };
  struct large l;
  struct odd o = { "abcdef" };
  char c = 'x', d = 'y';
  short s = 11;
  double real = seed * 0.5;
  int own = seed + 6, wrong = 0, result = 0;
  char *nowhere = NULL;
  for (int i = 0; i < 31; i++)
    l.n[i] = seed + i;
#pragma omp target device (ancestor: 1) map (tofrom: p) map (to: real) firstprivate (own, q) map (from: result)
  {
    called ();
    result = own + p.a + q.a * 100 + (int) (real * 2);
    p.a += 1;
    p.b += 2;
    q.a = own = 0;
  }
  wrong += result != (seed + 6) + seed + 300 + seed;
  wrong += p.a != seed + 1 || p.b != seed + 3 || q.a != 3 || own != seed + 6;
#pragma omp target device (ancestor: 1) map (tofrom: l, own)
  {
    called ();
    for (int i = 0; i < 31; i++)
      l.n[i] += own + i;
    own = 1;
  }
  for (int i = 0; i < 31; i++)
    wrong += l.n[i] != seed + i + seed + 6 + i;
  wrong += own != 1;
  struct large m = l;
#pragma omp target device (ancestor: 1) map (to: l) map (tofrom: m)
  {
    called ();
    for (int i = 0; i < 31; i++)
      m.n[i] += l.n[30 - i];
  }
  for (int i = 0; i < 31; i++)
    wrong += m.n[i] != l.n[i] + l.n[30 - i];
#pragma omp target device (ancestor: 1) map (tofrom: o, c) map (to: d) map (tofrom: s, own)
  {
    called ();
    o.text[0] += c == 'x' && d == 'y';
    o.text[6] = '!';
    c++;
    s += own;
    own = 5;
  }
  wrong += o.text[0] != 'b' || o.text[5] != 'f' || o.text[6] != '!' || c != 'y' || d != 'y' || s != 12 || own != 5;
#pragma omp target device (ancestor: 1) firstprivate (nowhere, seed) map (from: result) map (tofrom: own)
  {
    called ();
    result = nowhere == NULL ? seed + 9 : 0;
    own++;
  }
  wrong += result != seed + 9 || own != 6;
  char bytes[13] = "0123456789ab";
#pragma omp target device (ancestor: 1) map (tofrom: bytes[1:8], own) map (to: p)
  {
    called ();
    for (int i = 1; i < 9; i++)
      bytes[i] += 1 + (p.a == 0x7fffffff);
    own++;
  }
  wrong += own != 7 || bytes[0] != '0' || bytes[1] != '2' || bytes[8] != '9' || bytes[9] != '9' || bytes[12] != 0;
  return wrong;
}
#pragma omp end declare target

/* Nothing comes back of what the host has; of "always" it does.  */
static int
mapped (void)
{
  int a = 1, b = 2, c = 3, seen = 0, wrong = 0, list[4] = { 1, 2, 3, 4 };
#pragma omp target map (tofrom: a, b, c, list, seen, wrong)
  {
    int mine = 50;
    a = 10, b = 20, c = 30;
    list[2] = 33;
#pragma omp target device (ancestor: 1) map (always, tofrom: a) map (tofrom: b, mine) map (always, to: c) \
  map (always, from: list[1:2])
    {
      called ();
      seen = a * 1000 + b * 100 + c + mine;
      a = 11;
      list[1] = 77;
      list[2] = 78;
      mine++;
    }
    wrong = (a != 11) + (mine != 51) + (list[1] != 77) + (list[2] != 78) + (c != 30);
#pragma omp target device (ancestor: 1) map (tofrom: b, c)
    called ();
  }
  (void) seen;
  return wrong;
}

static int
one (int seed)
{
  int wrong = ints_2 (seed) + ints_3 (seed) + ints_4 (seed);
  wrong += ints_7 (seed) + ints_8 (seed) + ints_9 (seed);
  wrong += ints_10 (seed) + ints_11 (seed) + ints_12 (seed);
  return wrong + directions (seed) + kinds (seed);
}
#pragma omp declare target (one)

int
main (void)
{
  enum { EACH = 9 + 4 + 6 };
  int wrong = 0, asked = 0, failures = 0;

#pragma omp target map (tofrom: wrong)
  for (int i = 0; i < 3; i++)
    wrong += one (1000 * i + 1);
  if (wrong != 0 || calls != 3 * EACH)
    failures++, printf ("one thread: %d wrong, %d calls\n", wrong, calls);

  calls = wrong = 0;
#pragma omp target teams num_teams (3) thread_limit (4) map (tofrom: wrong, asked)
#pragma omp parallel
  {
    int w = one (omp_get_team_num () * 100 + omp_get_thread_num ());
#pragma omp atomic
    wrong += w;
#pragma omp atomic
    asked++;
  }
  if (wrong != 0 || calls != asked * EACH || asked < 1)
    failures++, printf ("%d threads: %d wrong, %d calls\n", asked, wrong, calls);

  calls = 0;
  wrong = mapped ();
  if (wrong != 0 || calls != 2)
    failures++, printf ("mapped: %d wrong, %d calls\n", wrong, calls);
  return failures != 0;
}
