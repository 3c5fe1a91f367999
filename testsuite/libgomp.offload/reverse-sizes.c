/* Calls of the host with items of any size and at any address, alone and with others: nothing but their bytes comes back.
   MINGCC: 13
   TEST-MODES: cpu gpu */

#include <stdio.h>
#include <string.h>

#pragma omp requires reverse_offload

enum { ROOM = 1100 };

static int calls;

/* On the host.  */
static void
called (void)
{
  calls++;
}

#pragma omp declare target
static unsigned char
value (int seed, int i)
{
  return (unsigned char) (seed * 7 + i * 13 + 1);
}

static void
fill (unsigned char *p, int seed)
{
  for (int i = 0; i < ROOM; i++)
    p[i] = value (seed, i);
}

/* Not as the host has left it: from FROM on, LENGTH bytes are one more.  */
static int
differs (const unsigned char *p, int seed, int from, int length)
{
  for (int i = 0; i < ROOM; i++)
    if (p[i] != (unsigned char) (value (seed, i) + (i >= from && i < from + length)))
      return 1;
  return 0;
}

/* On the host: is it as the device has it?  */
static int
seen (unsigned char *p, int seed, int from, int length, int add)
{
  int wrong = 0;
  for (int i = from; i < from + length; i++)
    {
      wrong |= p[i] != value (seed, i);
      p[i] += (unsigned char) add;
    }
  return wrong;
}

static int
alone (int seed, int at, int n)
{
  unsigned char p[ROOM];
  int wrong = 0;
  fill (p, seed);
#pragma omp target device (ancestor: 1) map (tofrom: p[at:n]) map (from: wrong)
  {
    called ();
    wrong = seen (p, seed, at, n, 1);
  }
  return wrong + differs (p, seed, at, n);
}

/* One to the host, one back, one both ways.  */
static int
three (int seed, int at, int n, int m, int k)
{
  unsigned char p[ROOM], q[ROOM], r[ROOM];
  int wrong = 0, own = seed;
  fill (p, seed);
  fill (q, seed + 1);
  fill (r, seed + 2);
#pragma omp target device (ancestor: 1) map (tofrom: p[at:n]) map (to: q[1:m]) map (from: r[2:k]) map (tofrom: wrong) \
  firstprivate (own)
  {
    called ();
    wrong += seen (p, own, at, n, 1) + seen (q, own + 1, 1, m, 5);
    for (int i = 2; i < 2 + k; i++)
      r[i] = (unsigned char) (value (own + 2, i) + 1);
  }
  return wrong + differs (p, seed, at, n) + differs (q, seed + 1, 0, 0) + differs (r, seed + 2, 2, k);
}

/* A structure by itself, with a clause and without one.  */
#define STRUCTURE(N)							\
  static int								\
  structure_##N (int seed)						\
  {									\
    struct { unsigned char guard[3], pad, b[N]; } x;			\
    struct bytes { unsigned char b[N]; } both, bare, own;		\
    int wrong = 0, bad = 0;						\
    for (int i = 0; i < N; i++)						\
      x.b[i] = both.b[i] = bare.b[i] = own.b[i] = value (seed, i);	\
    _Pragma ("omp target device (ancestor: 1) map (always, tofrom: both)") \
    {									\
      called ();							\
      for (int i = 0; i < N; i++)					\
	both.b[i] += 1 + (both.b[i] != value (seed, i));		\
    }									\
    _Pragma ("omp target device (ancestor: 1)")				\
    {									\
      called ();							\
      for (int i = 0; i < N; i++)					\
	bare.b[i] += 2 + (bare.b[i] != value (seed, i));		\
    }									\
    _Pragma ("omp target device (ancestor: 1) firstprivate (own) map (from: wrong)") \
    {									\
      called ();							\
      wrong = 0;							\
      for (int i = 0; i < N; i++)					\
	wrong += own.b[i]++ != value (seed, i);				\
    }									\
    for (int i = 0; i < N; i++)						\
      bad += both.b[i] != (unsigned char) (x.b[i] + 1) || bare.b[i] != (unsigned char) (x.b[i] + 2) \
	     || own.b[i] != x.b[i];					\
    return bad + wrong;							\
  }
STRUCTURE (1)
STRUCTURE (2)
STRUCTURE (3)
STRUCTURE (4)
STRUCTURE (5)
STRUCTURE (7)
STRUCTURE (12)
STRUCTURE (100)
STRUCTURE (101)
STRUCTURE (124)
STRUCTURE (128)
STRUCTURE (400)
STRUCTURE (403)
STRUCTURE (984)
STRUCTURE (1000)

/* More than there are lanes for, or bytes in a request.  */
static int
many (int seed)
{
  char a = 1, b = 2;
  short c = 3, d = 4;
  int e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11;
  long l = 12, m = 13;
  double n = 14, o = 15;
  struct { char c[3]; } p = { "ab" }, q = { "cd" };
  int list[60], other[60], third[200];
  for (int t = 0; t < 200; t++)
    list[t % 60] = other[t % 60] = third[t] = seed + t;
#pragma omp target device (ancestor: 1) map (tofrom: a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
  {
    called ();
    a += b, b++, c += d, d++, e += f, f++, g += h, h++, i += j, j++, k += (int) l, l++, m += (long) n, n++, o++;
    p.c[1] = q.c[0], q.c[1]++;
  }
  int wrong = (a != 3) + (b != 3) + (c != 7) + (d != 5) + (e != 11) + (f != 7) + (g != 15) + (h != 9) + (i != 19);
  wrong += (j != 11) + (k != 23) + (l != 13) + (m != 27) + (n != 15) + (o != 16);
  wrong += strcmp (p.c, "ac") != 0 || strcmp (q.c, "ce") != 0;
#pragma omp target device (ancestor: 1) map (tofrom: list, a) map (to: other) map (tofrom: third, b)
  {
    called ();
    for (int t = 0; t < 60; t++)
      list[t] += other[59 - t] + third[t + 100];
    third[199] = a++ + b++;
  }
  wrong += a != 4 || b != 4 || third[199] != 6;
  for (int t = 0; t < 60; t++)
    {
      int before = seed + (t < 20 ? 180 + t : 120 + t), its = 59 - t;
      wrong += list[t] != before + seed + (its < 20 ? 180 + its : 120 + its) + seed + t + 100;
      wrong += other[t] != before;
    }
  return wrong;
}
#pragma omp end declare target

/* What the host has mapped comes back by other ways, or not at all.  */
static int
mapped (void)
{
  unsigned char p[ROOM], q[ROOM];
  int x = 1, y = 2, wrong = 0;
#pragma omp target map (to: p, q) map (tofrom: x, y, wrong)
  {
    fill (p, 3);
    fill (q, 4);
#pragma omp target device (ancestor: 1) map (always, tofrom: p[5:7], y) map (tofrom: q[0:9], x)
    {
      called ();
      for (int i = 5; i < 12; i++)
	p[i]++;
      x++, y++, q[0]++;
    }
    wrong = differs (p, 3, 5, 7) + differs (q, 4, 0, 0) + (x != 1) + (y != 3);
#pragma omp target device (ancestor: 1) map (always, tofrom: y) map (always, from: p[0:900]) map (tofrom: x)
    {
      called ();
      for (int i = 0; i < 900; i++)
	p[i] = (unsigned char) (value (6, i) + 1);
      y++, x++;
    }
    wrong += y != 4 || x != 1;
    for (int i = 900; i < ROOM; i++)
      p[i] = value (6, i);
    wrong += differs (p, 6, 0, 900);
  }
  return wrong;
}

int
main (void)
{
  static const int lengths[]
    = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 16, 31, 32, 33, 63, 64, 65, 127, 129, 255, 256, 257, 300, 511, 700, 960, 984, 1030 };
  enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
  int wrong = 0, structures = 0, rest = 0;
#pragma omp target map (to: lengths) map (tofrom: wrong)
  for (int i = 0; i < LENGTHS; i++)
    {
      int n = lengths[i];
      wrong += alone (i, 4, n) + alone (i + 1, 1 + i % 3, n);
      wrong += three (i, 4 + i % 3, n, lengths[i % 7], lengths[(i + 3) % 9]);
      wrong += three (i, i % 2, lengths[i % 5], n, lengths[i % 4]);
      wrong += three (i, 2, lengths[i % 4], lengths[i % 11], n);
    }
  if (wrong != 0 || calls != 5 * LENGTHS)
    printf ("sections: %d wrong, %d calls\n", wrong, calls);

  calls = 0;
#pragma omp target map (tofrom: structures, rest)
  {
    structures = structure_1 (1) + structure_2 (2) + structure_3 (3) + structure_4 (4) + structure_5 (5) + structure_7 (6)
		 + structure_12 (7) + structure_100 (8) + structure_101 (9) + structure_124 (10) + structure_128 (11)
		 + structure_400 (12) + structure_403 (13) + structure_984 (14) + structure_1000 (15);
    rest = many (20);
  }
  if (structures != 0 || rest != 0 || calls != 15 * 3 + 2)
    wrong++, printf ("structures: %d wrong, many: %d wrong, %d calls\n", structures, rest, calls);

  calls = 0;
  int there = mapped ();
  if (there != 0 || calls != 2)
    wrong++, printf ("mapped: %d wrong, %d calls\n", there, calls);
  return wrong != 0;
}
