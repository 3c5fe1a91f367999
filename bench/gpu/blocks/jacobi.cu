/* jacobi.cu -- the kernel of jacobi.c in CUDA.  */

#include "jacobi.h"

static __global__ void
diagonalize (const double *matrices, float *values)
{
  __shared__ double a[SIZE][SIZE], cosines[PAIRS], sines[PAIRS], sums[THREADS];
  int t = threadIdx.x;
  const double *matrix = matrices + (long) blockIdx.x * SIZE * SIZE;

  for (int i = t; i < SIZE * SIZE; i += THREADS)
    a[i / SIZE][i % SIZE] = matrix[i];
  for (int sweep = 0; sweep < MOST_SWEEPS; sweep++)
    {
      for (int r = 0; r < ROUNDS; r++)
	{
	  __syncthreads ();
	  if (t < PAIRS)
	    {
	      int i = first_of (t, r), j = second_of (t, r);
	      double off = a[i][j], tangent = 0;
	      if (fabs (off) > 1e-300)
		{
		  double half = (a[j][j] - a[i][i]) / (2 * off);
		  tangent = (half < 0 ? -1 : 1) / (fabs (half) + sqrt (half * half + 1));
		}
	      cosines[t] = 1 / sqrt (tangent * tangent + 1);
	      sines[t] = tangent * cosines[t];
	    }
	  __syncthreads ();
	  for (int m = t; m < PAIRS * SIZE; m += THREADS)
	    {
	      int p = m / SIZE, k = m % SIZE, i = first_of (p, r), j = second_of (p, r);
	      double x = a[i][k], y = a[j][k];
	      a[i][k] = cosines[p] * x - sines[p] * y;
	      a[j][k] = sines[p] * x + cosines[p] * y;
	    }
	  __syncthreads ();
	  for (int m = t; m < PAIRS * SIZE; m += THREADS)
	    {
	      int p = m / SIZE, k = m % SIZE, i = first_of (p, r), j = second_of (p, r);
	      double x = a[k][i], y = a[k][j];
	      a[k][i] = cosines[p] * x - sines[p] * y;
	      a[k][j] = sines[p] * x + cosines[p] * y;
	    }
	}
      __syncthreads ();
      double rest = 0;
      for (int i = t; i < SIZE * SIZE; i += THREADS)
	if (i / SIZE != i % SIZE)
	  rest += fabs (a[i / SIZE][i % SIZE]);
      sums[t] = rest;
      for (int live = THREADS; live > 1;)
	{
	  int half = (live + 1) / 2;
	  __syncthreads ();
	  if (t + half < live)
	    sums[t] += sums[t + half];
	  live = half;
	}
      __syncthreads ();
      if (sums[0] < SMALL)
	break;
    }
  if (t < SIZE)
    values[(long) blockIdx.x * SIZE + t] = (float) a[t][t];
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 1024, 6, 1 << 18);
  long cells = (long) a.size * SIZE * SIZE, n = (long) a.size * SIZE;
  double *matrices = ARRAY (double, cells);
  float *values = ARRAY (float, n), *expected = ARRAY (float, n);

  prepare (matrices, expected, a.size);
  double *d_matrices = on_device (matrices, cells);
  float *d_values = on_device (values, n);
  MEASURE ("jacobi", a.repeats, diagonalize<<<a.size, THREADS>>> (d_matrices, d_values));
  from_device (values, d_values, n);
  for (int m = 0; m < a.size; m++)
    sort (values + (long) m * SIZE);
  return verdict (floats_differ (values, expected, n, TOLERANCE, SCALE));
}
