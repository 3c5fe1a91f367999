/* sparse.h -- a sparse matrix times a vector: sizes, the matrix in compressed rows, and the serial
   reference.  */

#ifndef SPARSE_H
#define SPARSE_H 1

#include "blocks.h"

enum { COLUMNS = 20000, THREADS = 128 };
#define TOLERANCE 1e-5
#define SCALE 1

struct matrix
{
  long elements;
  /* Row r has elements[offsets[r]] to elements[offsets[r + 1] - 1].  */
  long *offsets;
  int *columns;
  float *values;
};

/* Every eighth row is empty, and a few are twenty times as long as the others.  */
static inline int
length_of (long row, unsigned long long *state)
{
  if (row % 8 == 5)
    return 0;
  return row % 100 == 9 ? 8000 + draw_below (state, 2000) : 1 + draw_below (state, 500);
}

static inline struct matrix
make_matrix (long rows)
{
  unsigned long long state = 7;
  struct matrix m = { 0, ARRAY (long, rows + 1), NULL, NULL };

  for (long r = 0; r < rows; r++)
    {
      m.offsets[r] = m.elements;
      m.elements += length_of (r, &state);
    }
  m.offsets[rows] = m.elements;
  m.columns = ARRAY (int, m.elements);
  m.values = ARRAY (float, m.elements);
  for (long i = 0; i < m.elements; i++)
    {
      m.columns[i] = draw_below (&state, COLUMNS);
      m.values[i] = draw_between (&state, -1, 1);
    }
  return m;
}

static inline void
multiply_exactly (struct matrix m, const float *x, float *expected, long rows)
{
  for (long r = 0; r < rows; r++)
    {
      double sum = 0;
      for (long i = m.offsets[r]; i < m.offsets[r + 1]; i++)
	sum += (double) m.values[i] * x[m.columns[i]];
      expected[r] = (float) sum;
    }
}

static inline void
make_vector (float *x)
{
  unsigned long long state = 8;
  for (int i = 0; i < COLUMNS; i++)
    x[i] = draw_between (&state, -1, 1);
}

#endif
