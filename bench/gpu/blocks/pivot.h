/* pivot.h -- many small systems of equations solved with pivots: sizes, input and the serial
   reference.  */

#ifndef PIVOT_H
#define PIVOT_H 1

#include "blocks.h"

/* A matrix of SIZE x SIZE and the right side beside it.  */
enum { SIZE = 32, WIDTH = SIZE + 1, THREADS = 128 };
#define TOLERANCE 2e-3
#define SCALE 1

/* The first elements of some rows are 0, so that pivots are needed.  The numbers of solutions and
   matrices have few bits, so that the right sides are exact.  */
static inline void
prepare (float *systems, float *expected, int n)
{
  unsigned long long state = 41;

  for (int m = 0; m < n; m++)
    {
      float *system = systems + (long) m * SIZE * WIDTH, *solution = expected + (long) m * SIZE;

      for (int i = 0; i < SIZE; i++)
	solution[i] = (float) (draw_below (&state, 65) - 32) / 8;
      for (int i = 0; i < SIZE; i++)
	{
	  float sum = 0;
	  for (int j = 0; j < SIZE; j++)
	    {
	      /* The large element of a row is not on the diagonal.  */
	      int large = (i * 5 + 3) % SIZE == j;
	      float element = (float) (draw_below (&state, 33) - 16) / 16 + (large ? 16 : 0);
	      if (!large && j < 3 && (i + j) % 2 == 0)
		element = 0;
	      system[i * WIDTH + j] = element;
	      sum += element * solution[j];
	    }
	  system[i * WIDTH + SIZE] = sum;
	}
    }
}

#endif
