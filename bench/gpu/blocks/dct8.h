/* dct8.h -- cosine transforms of a picture's blocks of 8 x 8: sizes, input and the serial
   reference.  */

#ifndef DCT8_H
#define DCT8_H 1

#include "blocks.h"

/* A team has ACROSS blocks side by side, a thread a pixel.  */
enum { SIDE = 8, ACROSS = 4, WIDTH = ACROSS * SIDE, THREADS = WIDTH * SIDE };
#define TOLERANCE 1e-5
#define SCALE 100

/* COSINES[U][X] is the factor of value X in coefficient U.  */
static inline void
prepare (float *in, float (*cosines)[SIDE], float *expected, int width, int height)
{
  unsigned long long state = 31;
  double exact[SIDE][SIDE], rows[SIDE][SIDE];

  for (int u = 0; u < SIDE; u++)
    for (int x = 0; x < SIDE; x++)
      {
	exact[u][x] = sqrt ((u == 0 ? 1.0 : 2.0) / SIDE)
		      * cos ((2 * x + 1) * u * 3.14159265358979323846 / (2 * SIDE));
	cosines[u][x] = (float) exact[u][x];
      }
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      in[(long) y * width + x] = (float) ((x * 3 + y * 5) % 200 - 128 + draw_below (&state, 56));
  for (int top = 0; top < height; top += SIDE)
    for (int left = 0; left < width; left += SIDE)
      {
	for (int y = 0; y < SIDE; y++)
	  for (int u = 0; u < SIDE; u++)
	    {
	      rows[y][u] = 0;
	      for (int x = 0; x < SIDE; x++)
		rows[y][u] += exact[u][x] * in[(long) (top + y) * width + left + x];
	    }
	for (int v = 0; v < SIDE; v++)
	  for (int u = 0; u < SIDE; u++)
	    {
	      double sum = 0;
	      for (int y = 0; y < SIDE; y++)
		sum += exact[v][y] * rows[y][u];
	      expected[(long) (top + v) * width + left + u] = (float) sum;
	    }
      }
}

#endif
