/* lambda.h -- the box around points, and places of the points in it along a curve: sizes, input and
   the serial reference.  */

#ifndef LAMBDA_H
#define LAMBDA_H 1

#include "blocks.h"

#include <algorithm>
#include <cfloat>

/* A team has EACH points for each of its threads.  */
enum { THREADS = 256, EACH = 8, POINTS = THREADS * EACH };
/* The curve has 2 to the BITS steps in each direction.  */
enum { BITS = 10 };

struct box
{
  float low[3], high[3];
};

BOTH_SIDES box
empty_box ()
{
  return { { FLT_MAX, FLT_MAX, FLT_MAX }, { -FLT_MAX, -FLT_MAX, -FLT_MAX } };
}

BOTH_SIDES box
around (const box &a, const box &b)
{
  box both = a;
  for (int d = 0; d < 3; d++)
    {
      both.low[d] = b.low[d] < a.low[d] ? b.low[d] : a.low[d];
      both.high[d] = b.high[d] > a.high[d] ? b.high[d] : a.high[d];
    }
  return both;
}

/* The bits of the three places, in turn.  There is no sum of a product that one side could round
   otherwise.  */
BOTH_SIDES int
place_in (const box &b, float x, float y, float z)
{
  const float at[3] = { x, y, z };
  int place = 0;

  for (int d = 0; d < 3; d++)
    {
      float part = (at[d] - b.low[d]) / (b.high[d] - b.low[d]);
      int step = (int) (part * (1 << BITS));
      step = step < (1 << BITS) ? step : (1 << BITS) - 1;
      for (int k = 0; k < BITS; k++)
	place |= (step >> k & 1) << (3 * k + d);
    }
  return place;
}

/* POINTS are N times x, then y, then z.  */
static inline void
prepare (float *points, int *places, box *whole, long n)
{
  unsigned long long state = 38;

  *whole = empty_box ();
  for (long i = 0; i < n; i++)
    {
      points[i] = draw_between (&state, -3, 5) * draw_between (&state, 0, 1);
      points[n + i] = draw_between (&state, 100, 101);
      points[2 * n + i] = draw_between (&state, -1000, 0);
      const float x = points[i], y = points[n + i], z = points[2 * n + i];
      *whole = around (*whole, { { x, y, z }, { x, y, z } });
    }
  for (long i = 0; i < n; i++)
    places[i] = place_in (*whole, points[i], points[n + i], points[2 * n + i]);
}

#endif
