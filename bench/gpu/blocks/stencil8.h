/* stencil8.h -- a step of the wave equation in a cube, of eighth order in space: sizes, input and
   the serial reference.  */

#ifndef STENCIL8_H
#define STENCIL8_H 1

#include "blocks.h"

/* A team has a column of WIDTH x HEIGHT points and needs RADIUS more on each side.  */
enum { RADIUS = 4, WIDTH = 32, HEIGHT = 8, THREADS = WIDTH * HEIGHT };
#define TOLERANCE 1e-5
#define SCALE 1

/* The points of a cube of N in each direction, with those around it.  */
static inline long
points (int n)
{
  return (long) (n + 2 * RADIUS) * (n + 2 * RADIUS) * (n + 2 * RADIUS);
}

/* WEIGHTS[K] is that of the points at distance K, 0.1 of the second derivative's.  */
static inline void
prepare (float *now, float *before, float *weights, float *expected, int n)
{
  unsigned long long state = 21;
  const double weight[] = { -205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560 };
  long row = n + 2 * RADIUS, plane = row * row;

  for (int k = 0; k <= RADIUS; k++)
    weights[k] = (float) (0.1 * weight[k] * (k == 0 ? 3 : 1));
  for (long i = 0; i < points (n); i++)
    {
      now[i] = draw_between (&state, -1, 1);
      before[i] = draw_between (&state, -1, 1);
      expected[i] = 0;
    }
  for (int z = RADIUS; z < n + RADIUS; z++)
    for (int y = RADIUS; y < n + RADIUS; y++)
      for (int x = RADIUS; x < n + RADIUS; x++)
	{
	  long at = z * plane + y * row + x;
	  double sum = 2.0 * now[at] - before[at] + (double) weights[0] * now[at];
	  for (int k = 1; k <= RADIUS; k++)
	    sum += weights[k] * ((double) now[at - k] + now[at + k] + now[at - k * row]
				 + now[at + k * row] + now[at - k * plane] + now[at + k * plane]);
	  expected[at] = (float) sum;
	}
}

#endif
