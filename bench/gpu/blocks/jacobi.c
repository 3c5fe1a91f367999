/* jacobi.c -- the eigenvalues of a symmetric matrix of 24 x 24 by each team, whose threads turn
   twelve pairs of rows, then of columns, until what is not on the diagonal is small.
   Needs a sum of the team that a single thread looks at, a loop that all threads leave at a time,
   loops of two dimensions that the team shares out, and double precision.  */

#include "jacobi.h"

static void
diagonalize (const double *matrices, float *values, int n)
{
#pragma omp target teams num_teams (n) thread_limit (THREADS)
  {
    double a[SIZE][SIZE], cosines[PAIRS], sines[PAIRS], rest;
    int done = 0;
#pragma omp parallel TEAM_OF (THREADS)
    {
      const double *matrix = matrices + (long) omp_get_team_num () * SIZE * SIZE;

#pragma omp for
      for (int i = 0; i < SIZE * SIZE; i++)
	a[i / SIZE][i % SIZE] = matrix[i];
      for (int sweep = 0; sweep < MOST_SWEEPS && !done; sweep++)
	{
	  for (int r = 0; r < ROUNDS; r++)
	    {
#pragma omp for
	      for (int p = 0; p < PAIRS; p++)
		{
		  int i = first_of (p, r), j = second_of (p, r);
		  double off = a[i][j], tangent = 0;
		  if (fabs (off) > 1e-300)
		    {
		      double half = (a[j][j] - a[i][i]) / (2 * off);
		      tangent = (half < 0 ? -1 : 1) / (fabs (half) + sqrt (half * half + 1));
		    }
		  cosines[p] = 1 / sqrt (tangent * tangent + 1);
		  sines[p] = tangent * cosines[p];
		}
#pragma omp for collapse (2)
	      for (int p = 0; p < PAIRS; p++)
		for (int k = 0; k < SIZE; k++)
		  {
		    int i = first_of (p, r), j = second_of (p, r);
		    double x = a[i][k], y = a[j][k];
		    a[i][k] = cosines[p] * x - sines[p] * y;
		    a[j][k] = sines[p] * x + cosines[p] * y;
		  }
#pragma omp for collapse (2)
	      for (int p = 0; p < PAIRS; p++)
		for (int k = 0; k < SIZE; k++)
		  {
		    int i = first_of (p, r), j = second_of (p, r);
		    double x = a[k][i], y = a[k][j];
		    a[k][i] = cosines[p] * x - sines[p] * y;
		    a[k][j] = sines[p] * x + cosines[p] * y;
		  }
	    }
#pragma omp single
	  rest = 0;
#pragma omp for reduction (+: rest)
	  for (int i = 0; i < SIZE * SIZE; i++)
	    if (i / SIZE != i % SIZE)
	      rest += fabs (a[i / SIZE][i % SIZE]);
#pragma omp single
	  done = rest < SMALL;
	}
#pragma omp for
      for (int i = 0; i < SIZE; i++)
	values[(long) omp_get_team_num () * SIZE + i] = (float) a[i][i];
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 1024, 6, 1 << 18);
  long cells = (long) a.size * SIZE * SIZE, n = (long) a.size * SIZE;
  double *matrices = ARRAY (double, cells);
  float *values = ARRAY (float, n), *expected = ARRAY (float, n);

  prepare (matrices, expected, a.size);
#pragma omp target data map (to: matrices[:cells]) map (tofrom: values[:n])
  MEASURE ("jacobi", a.repeats, diagonalize (matrices, values, a.size));
  for (int m = 0; m < a.size; m++)
    sort (values + (long) m * SIZE);
  return verdict (floats_differ (values, expected, n, TOLERANCE, SCALE));
}
