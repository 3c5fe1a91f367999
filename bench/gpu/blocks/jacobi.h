/* jacobi.h -- the eigenvalues of many small symmetric matrices: sizes, input and the serial
   reference.  */

#ifndef JACOBI_H
#define JACOBI_H 1

#include "blocks.h"

/* Each round turns PAIRS pairs of rows and columns, of which no two share one; after ROUNDS rounds,
   a sweep, all pairs have had their turn.  */
enum { SIZE = 24, PAIRS = SIZE / 2, ROUNDS = SIZE - 1, MOST_SWEEPS = 12, THREADS = 96 };
#define SMALL 1e-9
#define TOLERANCE 1e-5
#define SCALE 1

/* The two rows of pair P in round R, as players of a tournament meet: the last stays, the others
   move on.  */
BOTH_SIDES int
first_of (int p, int r)
{
  return p == 0 ? SIZE - 1 : (r + p) % ROUNDS;
}

BOTH_SIDES int
second_of (int p, int r)
{
  return (r + ROUNDS - p) % ROUNDS;
}

static inline void
sort (float *values)
{
  for (int i = 1; i < SIZE; i++)
    {
      float value = values[i];
      int at = i;
      for (; at > 0 && values[at - 1] > value; at--)
	values[at] = values[at - 1];
      values[at] = value;
    }
}

/* A matrix is Q D Q, where Q is the reflection at a random direction and D has the eigenvalues,
   some of which are equal.  */
static inline void
prepare (double *matrices, float *expected, int n)
{
  unsigned long long state = 39;

  for (int m = 0; m < n; m++)
    {
      double q[SIZE][SIZE], values[SIZE], direction[SIZE], square = 0;
      double *matrix = matrices + (long) m * SIZE * SIZE;

      for (int i = 0; i < SIZE; i++)
	{
	  values[i] = i % 6 == 5 ? values[i - 1] : draw_between (&state, -10, 10);
	  direction[i] = draw_between (&state, -1, 1);
	  square += direction[i] * direction[i];
	  expected[(long) m * SIZE + i] = (float) values[i];
	}
      for (int i = 0; i < SIZE; i++)
	for (int j = 0; j < SIZE; j++)
	  q[i][j] = (i == j) - 2 * direction[i] * direction[j] / square;
      for (int i = 0; i < SIZE; i++)
	for (int j = 0; j < SIZE; j++)
	  {
	    double sum = 0;
	    for (int k = 0; k < SIZE; k++)
	      sum += q[i][k] * values[k] * q[k][j];
	    matrix[i * SIZE + j] = sum;
	  }
      sort (expected + (long) m * SIZE);
    }
}

#endif
