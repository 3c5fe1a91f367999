/* Copies of constant size between private arrays and other memory, in both directions, and in
   private arrays; copies of structs.
   TEST-MODES: ptxours ptxlanes gpu
   TEST-IMAGE: nvptx
   TEST-OPTIONS: -O2 -fno-builtin  */

#include "aux-copies.h"

enum { PLACES = 8 };

#define COUNT(n) + 1
enum { NUM = 0 FEW (COUNT), ALL = NUM * ROOM };

struct bytes { unsigned char v[11]; };
struct mixed { double d[4]; short h; char c[3]; int i[9]; };
struct __attribute__ ((packed)) close { char c; double d; int i[7]; };

static unsigned char in[PLACES][ALL], out[PLACES][ALL], inside[PLACES][ALL];
static unsigned char source[2 * ROOM], expected[ALL];
static struct bytes bytes[2 * PLACES];
static struct mixed mixed[2 * PLACES];
static struct close packed[2 * PLACES];

/* A private array is the place of the copy, and is looked at behind it.  */
#define PRIVATE(offset, copy)								\
  {											\
    unsigned char own[ROOM];								\
    for (int i = 0; i < ROOM; i++)							\
      own[i] = byte_at (i);								\
    unsigned char *mine = own + MIDDLE + (offset);					\
    copy;										\
    for (int i = 0; i < ROOM; i++)							\
      to[i] = own[i];									\
    to += ROOM;										\
  }
#define LINE(buffers) unsigned char *to = buffers[place]

static void
run (void)
{
#pragma omp target teams distribute parallel for map (in, source)
  for (int place = 0; place < PLACES; place++)
    {
      LINE (in);
#define IN(n) PRIVATE (n % 5, memcpy (mine, source + place, n))
      FEW (IN)
    }
#pragma omp target teams distribute parallel for map (out)
  for (int place = 0; place < PLACES; place++)
    {
      unsigned char own[ROOM];
      int buffer = 0;
      for (int i = 0; i < ROOM; i++)
	own[i] = byte_at (i * 3);
#define OUT(n) memcpy (out[place] + buffer++ * ROOM + MIDDLE + place, own + n % 7, n);
      FEW (OUT)
    }
#pragma omp target teams distribute parallel for map (inside)
  for (int place = 0; place < PLACES; place++)
    {
      LINE (inside);
#define INSIDE(n)									\
      PRIVATE (n % 3, memmove (mine, own + MIDDLE - 4 + n % 16, n);			\
	       memset (own + n % 4, place, n % 19))
      FEW (INSIDE)
    }
#pragma omp target teams distribute parallel for map (bytes, mixed, packed)
  for (int place = 0; place < PLACES; place++)
    {
      struct bytes b = bytes[place], b2;
      struct mixed m = mixed[place];
      struct close p = packed[place];
      b2 = b;
      b2.v[place] ^= 1;
      m.i[place] ^= 1;
      p.i[place % 7] ^= 1;
      bytes[PLACES + place] = b2;
      mixed[PLACES + place] = m;
      packed[PLACES + place] = p;
    }
}

static void
check_structs (void)
{
  for (int place = 0; place < PLACES; place++)
    {
      int wrong = 0;
      for (int i = 0; i < 11; i++)
	wrong += bytes[PLACES + place].v[i] != (byte_at (place * 11 + i) ^ (i == place));
      const struct mixed *m = &mixed[place];
      for (int i = 0; i < 9; i++)
	wrong += m[PLACES].i[i] != (m->i[i] ^ (i == place)) || m->i[i] != place * 9 + i;
      for (int i = 0; i < 4; i++)
	wrong += m[PLACES].d[i] != place - i * 0.5;
      wrong += m[PLACES].h != 1000 + place || m[PLACES].c[2] != place;
      const struct close *p = &packed[place];
      for (int i = 0; i < 7; i++)
	wrong += p[PLACES].i[i] != (p->i[i] ^ (i == place % 7)) || p->i[i] != place * 7 - i;
      wrong += p[PLACES].c != place || p[PLACES].d != place / 8.0;
      if (wrong > 0)
	printf ("structs %d: %d members are wrong\n", place, wrong), bad = 1;
    }
}

int
main (void)
{
  fill (source, sizeof (source));
  for (int place = 0; place < PLACES; place++)
    {
      fill (out[place], ALL);
      for (int i = 0; i < 11; i++)
	bytes[place].v[i] = byte_at (place * 11 + i);
      for (int i = 0; i < 9; i++)
	mixed[place].i[i] = place * 9 + i;
      for (int i = 0; i < 4; i++)
	mixed[place].d[i] = place - i * 0.5;
      mixed[place].h = 1000 + place;
      mixed[place].c[2] = place;
      for (int i = 0; i < 7; i++)
	packed[place].i[i] = place * 7 - i;
      packed[place].c = place;
      packed[place].d = place / 8.0;
    }
  run ();
  for (int place = 0; place < PLACES; place++)
    {
      unsigned char own[ROOM], *at = expected;
#define START (fill (at, ROOM), at += ROOM, at - ROOM + MIDDLE)
#define IN_BYTES(n) by_bytes (START + n % 5, source + place, n, -1);
      FEW (IN_BYTES)
      compare ("in", in[place], expected, ALL, 0, place);
      fill (expected, ALL);
      int buffer = 0;
      for (int i = 0; i < ROOM; i++)
	own[i] = byte_at (i * 3);
#define OUT_BYTES(n) by_bytes (expected + buffer++ * ROOM + MIDDLE + place, own + n % 7, n, -1);
      FEW (OUT_BYTES)
      compare ("out", out[place], expected, ALL, place, 0);
      at = expected;
#define INSIDE_BYTES(n)									\
      fill (at, ROOM);									\
      by_bytes (at + MIDDLE + n % 3, at + MIDDLE - 4 + n % 16, n, -1);			\
      by_bytes (at + n % 4, at, n % 19, place);						\
      at += ROOM;
      FEW (INSIDE_BYTES)
      compare ("inside", inside[place], expected, ALL, 0, place);
    }
  check_structs ();
  return bad;
}
