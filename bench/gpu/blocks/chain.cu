/* chain.cu -- the kernel of chain.c in CUDA.  */

#include "chain.h"

static __global__ void
multiply (const float *a, const float *b, float *c)
{
  __shared__ float left[TILE][TILE], right[TILE][TILE];
  int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
  int row = blockIdx.x / ACROSS * TILE + y, column = blockIdx.x % ACROSS * TILE + x;
  float sum = 0;

  for (int first = 0; first < SIZE; first += TILE)
    {
      left[y][x] = a[row * SIZE + first + x];
      right[y][x] = b[(first + y) * SIZE + column];
      __syncthreads ();
      for (int k = 0; k < TILE; k++)
	sum += left[y][k] * right[k][x];
      __syncthreads ();
    }
  c[row * SIZE + column] = sum;
}

static void
multiply_all (const float *first, const float *matrices, float *one, float *two, int n)
{
  const float *now = first;

  for (int m = 0; m < n; m++)
    {
      float *next = m % 2 == 0 ? one : two;
      multiply<<<TEAMS, THREADS>>> (now, matrices + (long) m * CELLS, next);
      now = next;
    }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 200, 4, 10000);
  long n = (long) a.size * CELLS;
  float *first = ARRAY (float, CELLS), *matrices = ARRAY (float, n);
  float *out = ARRAY (float, CELLS), *expected = ARRAY (float, CELLS);

  prepare (first, matrices, expected, a.size);
  float *d_first = on_device (first, CELLS), *d_matrices = on_device (matrices, n);
  float *d_one = on_device (out, CELLS), *d_two = on_device (out, CELLS);
  MEASURE ("chain", a.repeats, multiply_all (d_first, d_matrices, d_one, d_two, a.size));
  from_device (out, a.size % 2 ? d_one : d_two, CELLS);
  return verdict (floats_differ (out, expected, CELLS, TOLERANCE, SCALE));
}
