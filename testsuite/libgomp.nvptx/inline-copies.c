/* Copies of constant size are what the functions do, wherever both places are, also where they
   overlap, and what they hand back is where they stored.
   TEST-MODES: ptxours ptxlanes gpu
   TEST-IMAGE: nvptx
   TEST-OPTIONS: -O2 -fno-builtin  */

#include "aux-copies.h"

enum { PLACES = 8, PAIRS = PLACES * PLACES };

#define COUNT(n) + 1
enum { NUM = 0 SIZES (COUNT), ALL = NUM * ROOM };

static unsigned char copied[PAIRS][ALL], set[PAIRS][ALL], moved[PAIRS][ALL];
static unsigned char source[ROOM], expected[ALL];
static int elsewhere[PAIRS];

static void
run (void)
{
#define PLACE (buffer++ * ROOM + MIDDLE)
#pragma omp target teams distribute parallel for map (copied, set, moved, source, elsewhere)
  for (int pair = 0; pair < PAIRS; pair++)
    {
      int to = pair / PLACES, from = pair % PLACES, buffer = 0, wrong = 0;
      unsigned char *at;
#define COPY(n) at = copied[pair] + PLACE + to, wrong += memcpy (at, source + from, n) != at;
      SIZES (COPY)
      buffer = 0;
#define SET(n)									\
      at = set[pair] + PLACE + to;						\
      wrong += memset (at, n % 2 == 0 ? 256 + 77 : from, n) != at;
      SIZES (SET)
      elsewhere[pair] = wrong;
    }
  /* Overlaps: from 3 behind to 4 in front of it, and more.  */
#pragma omp target teams distribute parallel for map (moved, elsewhere)
  for (int pair = 0; pair < PAIRS; pair++)
    {
      int to = pair / PLACES, from = pair % PLACES, buffer = 0, wrong = 0;
      unsigned char *at;
#define MOVE(n)									\
      at = moved[pair] + PLACE;							\
      wrong += memmove (at + to, at + from * (pair % 3 + 1), n) != at + to;
      SIZES (MOVE)
      elsewhere[pair] += wrong;
    }
}

int
main (void)
{
  fill (source, ROOM);
  for (int pair = 0; pair < PAIRS; pair++)
    {
      fill (copied[pair], ALL);
      fill (set[pair], ALL);
      fill (moved[pair], ALL);
    }
  run ();
  for (int pair = 0; pair < PAIRS; pair++)
    {
      int to = pair / PLACES, from = pair % PLACES, buffer = 0;
      unsigned char *at;
      fill (expected, ALL);
#define COPY_BYTES(n) by_bytes (expected + PLACE + to, source + from, n, -1);
      SIZES (COPY_BYTES)
      compare ("memcpy", copied[pair], expected, ALL, to, from);
      fill (expected, ALL);
      buffer = 0;
#define SET_BYTES(n) by_bytes (expected + PLACE + to, source, n, n % 2 == 0 ? 77 : from);
      SIZES (SET_BYTES)
      compare ("memset", set[pair], expected, ALL, to, from);
      fill (expected, ALL);
      buffer = 0;
#define MOVE_BYTES(n) at = expected + PLACE, by_bytes (at + to, at + from * (pair % 3 + 1), n, -1);
      SIZES (MOVE_BYTES)
      compare ("memmove", moved[pair], expected, ALL, to, from * (pair % 3 + 1));
      if (elsewhere[pair] != 0)
	printf ("%d, %d: %d results are other places\n", to, from, elsewhere[pair]), bad = 1;
    }
  return bad;
}
