/* near.h -- the nearest of many points to each of some: sizes, order, input and the serial
   reference.  */

#ifndef NEAR_H
#define NEAR_H 1

#include "blocks.h"

enum { DIMENSIONS = 8, POINTS = 8192, NEAREST = 8, THREADS = 128 };

/* Whole numbers, so that there is one result; of points at the same distance the first one comes
   first.  */
struct found
{
  int distance, index;
};

BOTH_SIDES int
comes_before (struct found a, struct found b)
{
  return a.distance < b.distance || (a.distance == b.distance && a.index < b.index);
}

BOTH_SIDES int
distance_of (const short *a, const short *b)
{
  int sum = 0;
  for (int d = 0; d < DIMENSIONS; d++)
    sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

/* Puts X where it belongs among the NEAREST and drops the last.  */
BOTH_SIDES void
insert (struct found *best, struct found x)
{
  if (!comes_before (x, best[NEAREST - 1]))
    return;
  int at = NEAREST - 1;
  for (; at > 0 && comes_before (x, best[at - 1]); at--)
    best[at] = best[at - 1];
  best[at] = x;
}

static inline void
prepare (short *points, short *queries, int *expected, int n)
{
  unsigned long long state = 42;

  for (int i = 0; i < POINTS * DIMENSIONS; i++)
    points[i] = (short) (draw_below (&state, 201) - 100);
  for (long i = 0; i < (long) n * DIMENSIONS; i++)
    queries[i] = (short) (draw_below (&state, 201) - 100);
  for (long q = 0; q < n; q++)
    {
      struct found best[NEAREST];
      for (int k = 0; k < NEAREST; k++)
	best[k].distance = best[k].index = 1 << 30;
      for (int i = 0; i < POINTS; i++)
	{
	  struct found x = { distance_of (points + i * DIMENSIONS, queries + q * DIMENSIONS), i };
	  insert (best, x);
	}
      for (int k = 0; k < NEAREST; k++)
	expected[q * NEAREST + k] = best[k].index;
    }
}

#endif
