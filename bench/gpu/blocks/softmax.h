/* softmax.h -- softmax of rows: sizes, input and the serial reference.  */

#ifndef SOFTMAX_H
#define SOFTMAX_H 1

#include "blocks.h"

#include <float.h>

/* The width is no multiple of the threads.  */
enum { WIDTH = 3001, THREADS = 256 };
#define TOLERANCE 1e-4
#define SCALE (1.0 / WIDTH)

/* The values rise along each fourth row, so that every one is a new maximum, and rows lie far from
   0, so that exp of a value by itself is infinite or 0.  */
static inline void
prepare (float *in, float *expected, long rows)
{
  unsigned long long state = 2;

  for (long r = 0; r < rows; r++)
    {
      float *row = in + r * WIDTH, base = draw_between (&state, -200, 200);
      for (int i = 0; i < WIDTH; i++)
	row[i] = base + (r % 4 == 3 ? 0.003f * i : draw_between (&state, -6, 6));

      double most = row[0], sum = 0;
      for (int i = 1; i < WIDTH; i++)
	most = row[i] > most ? row[i] : most;
      for (int i = 0; i < WIDTH; i++)
	sum += exp (row[i] - most);
      for (int i = 0; i < WIDTH; i++)
	expected[r * WIDTH + i] = (float) (exp (row[i] - most) / sum);
    }
}

#endif
