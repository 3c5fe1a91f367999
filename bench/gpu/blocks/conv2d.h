/* conv2d.h -- a picture convolved with a separable filter: sizes, input and the serial
   reference.  */

#ifndef CONV2D_H
#define CONV2D_H 1

#include "blocks.h"

/* A tile of TILE x TILE pixels needs RADIUS more on each side.  */
enum { TILE = 16, THREADS = TILE * TILE };
enum { RADIUS = 4, TAPS = 2 * RADIUS + 1, WIDE = TILE + 2 * RADIUS };
/* The last tiles of a row and of a column are not full.  */
enum { MISSING = 5 };
#define TOLERANCE 1e-5
#define SCALE 1

/* Pixels beyond the border are those on it.  */
BOTH_SIDES int
inside (int at, int size)
{
  return at < 0 ? 0 : at < size ? at : size - 1;
}

/* The filter is not symmetric.  The reference takes all of its TAPS x TAPS products.  */
static inline void
prepare (float *in, float *taps, float *expected, int size)
{
  unsigned long long state = 11;

  for (int k = 0; k < TAPS; k++)
    taps[k] = draw_between (&state, -0.5f, 1);
  for (long i = 0; i < (long) size * size; i++)
    in[i] = draw_between (&state, -1, 1);
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++)
      {
	double sum = 0;
	for (int i = 0; i < TAPS; i++)
	  {
	    const float *row = in + (long) inside (y + i - RADIUS, size) * size;
	    for (int j = 0; j < TAPS; j++)
	      sum += (double) taps[i] * taps[j] * row[inside (x + j - RADIUS, size)];
	  }
	expected[(long) y * size + x] = (float) sum;
      }
}

#endif
