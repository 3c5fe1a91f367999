/* gemm.h -- the product of two matrices: sizes, input and the serial reference.  */

#ifndef GEMM_H
#define GEMM_H 1

#include "blocks.h"

/* A team has TILE x TILE elements of the product, a thread EACH x EACH, and DEPTH columns and rows
   of the factors are there at a time.  */
enum { TILE = 64, EACH = 4, ACROSS = TILE / EACH, THREADS = ACROSS * ACROSS, DEPTH = 16 };
#define TOLERANCE 1e-5
#define SCALE 20

/* The rows of the product that are compared: all of a small one, and one in 61 of a large
   one.  */
static inline int
is_compared (int row, int n)
{
  return n <= 2 * TILE || row % 61 == 7;
}

/* Of rows that are not compared the reference has what PRODUCT has.  */
static inline void
prepare (float *a, float *b, int n)
{
  unsigned long long state = 27;

  for (long i = 0; i < (long) n * n; i++)
    {
      a[i] = draw_between (&state, -1, 1);
      b[i] = draw_between (&state, -1, 1);
    }
}

static inline void
multiply_exactly (const float *a, const float *b, const float *product, float *expected, int n)
{
  double *sums = ARRAY (double, n);

  for (long i = 0; i < n; i++)
    if (is_compared ((int) i, n))
      {
	for (long j = 0; j < n; j++)
	  sums[j] = 0;
	for (long k = 0; k < n; k++)
	  for (long j = 0; j < n; j++)
	    sums[j] += (double) a[i * n + k] * b[k * n + j];
	for (long j = 0; j < n; j++)
	  expected[i * n + j] = (float) sums[j];
      }
    else
      memcpy (expected + i * n, product + i * n, n * sizeof (float));
  free (sums);
}

#endif
