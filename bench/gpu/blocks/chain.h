/* chain.h -- the product of many small matrices: sizes, input and the serial reference.  */

#ifndef CHAIN_H
#define CHAIN_H 1

#include "blocks.h"

enum { SIZE = 128, CELLS = SIZE * SIZE, TILE = 16, THREADS = TILE * TILE };
enum { ACROSS = SIZE / TILE, TEAMS = ACROSS * ACROSS };
#define TOLERANCE 1e-4
#define SCALE 0.1

/* The variance of elements is 1 / SIZE, so that products become neither large nor small.  PRODUCT
   is the first factor, EXPECTED the product of it and all N matrices.  */
static inline void
prepare (float *product, float *matrices, float *expected, int n)
{
  unsigned long long state = 24;
  float reach = sqrtf (3.0f / SIZE);
  double *now = ARRAY (double, CELLS), *next = ARRAY (double, CELLS);

  for (int i = 0; i < CELLS; i++)
    now[i] = product[i] = draw_between (&state, -1, 1);
  for (long i = 0; i < (long) n * CELLS; i++)
    matrices[i] = draw_between (&state, -reach, reach);
  for (int m = 0; m < n; m++)
    {
      const float *matrix = matrices + (long) m * CELLS;
      double *spare = now;

      for (int y = 0; y < SIZE; y++)
	{
	  for (int x = 0; x < SIZE; x++)
	    next[y * SIZE + x] = 0;
	  for (int k = 0; k < SIZE; k++)
	    for (int x = 0; x < SIZE; x++)
	      next[y * SIZE + x] += now[y * SIZE + k] * matrix[k * SIZE + x];
	}
      now = next;
      next = spare;
    }
  for (int i = 0; i < CELLS; i++)
    expected[i] = (float) now[i];
  free (now);
  free (next);
}

#endif
