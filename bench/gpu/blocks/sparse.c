/* sparse.c -- a sparse matrix times a vector, a row by each team, with a sum in a tree.
   Needs 128 threads, teams whose work differs much, and a tree whose lower half of threads goes
   on.  */

#include "sparse.h"

static void
multiply (const long *offsets, const int *columns, const float *values, const float *x, float *y,
	  int rows, int *threads)
{
#pragma omp target teams num_teams (rows) thread_limit (THREADS)
  {
    float sums[THREADS];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), row = omp_get_team_num ();
      long end = offsets[row + 1];
      float sum = 0;

      for (long i = offsets[row] + t; i < end; i += THREADS)
	sum += values[i] * x[columns[i]];
      sums[t] = sum;
      for (int half = THREADS / 2; half > 0; half /= 2)
	{
#pragma omp barrier
	  if (t < half)
	    sums[t] += sums[t + half];
	}
      if (t == 0)
	{
	  y[row] = sums[0];
	  if (row == 0)
	    *threads = omp_get_num_threads ();
	}
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 16384, 40, 1 << 20);
  struct matrix m = make_matrix (a.size);
  long rows = a.size, elements = m.elements, *offsets = m.offsets;
  int *columns = m.columns, threads = 0;
  float *values = m.values, *x = ARRAY (float, COLUMNS);
  float *y = ARRAY (float, rows), *expected = ARRAY (float, rows);

  make_vector (x);
  multiply_exactly (m, x, expected, rows);
#pragma omp target data map (to: offsets[:rows + 1], columns[:elements], values[:elements]) \
			map (to: x[:COLUMNS]) map (tofrom: y[:rows], threads)
  MEASURE ("sparse", a.repeats, multiply (offsets, columns, values, x, y, a.size, &threads));
  explain_threads (threads, THREADS);
  return verdict (floats_differ (y, expected, rows, TOLERANCE, SCALE));
}
