/* sparse.cu -- the kernel of sparse.c in CUDA.  */

#include "sparse.h"

static __global__ void
multiply (const long *offsets, const int *columns, const float *values, const float *x, float *y)
{
  __shared__ float sums[THREADS];
  int t = threadIdx.x, row = blockIdx.x;
  long end = offsets[row + 1];
  float sum = 0;

  for (long i = offsets[row] + t; i < end; i += THREADS)
    sum += values[i] * x[columns[i]];
  sums[t] = sum;
  for (int half = THREADS / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (t < half)
	sums[t] += sums[t + half];
    }
  if (t == 0)
    y[row] = sums[0];
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 16384, 40, 1 << 20);
  struct matrix m = make_matrix (a.size);
  long rows = a.size;
  float *x = ARRAY (float, COLUMNS), *y = ARRAY (float, rows), *expected = ARRAY (float, rows);

  make_vector (x);
  multiply_exactly (m, x, expected, rows);
  long *d_offsets = on_device (m.offsets, rows + 1);
  int *d_columns = on_device (m.columns, m.elements);
  float *d_values = on_device (m.values, m.elements), *d_x = on_device (x, COLUMNS);
  float *d_y = on_device (y, rows);
  MEASURE ("sparse", a.repeats,
	   multiply<<<rows, THREADS>>> (d_offsets, d_columns, d_values, d_x, d_y));
  from_device (y, d_y, rows);
  return verdict (floats_differ (y, expected, rows, TOLERANCE, SCALE));
}
