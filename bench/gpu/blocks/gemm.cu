/* gemm.cu -- the kernel of gemm.c in CUDA.  */

#include "gemm.h"

static __global__ void
multiply (const float *a, const float *b, float *c, int n)
{
  __shared__ float left[DEPTH][TILE + 1], right[DEPTH][TILE];
  int t = threadIdx.x, team = blockIdx.x, tiles = n / TILE;
  int x = t % ACROSS * EACH, y = t / ACROSS * EACH;
  int a_row = t / (DEPTH / EACH), a_column = t % (DEPTH / EACH) * EACH;
  int b_row = t / ACROSS, b_column = t % ACROSS * EACH;
  const float *from_a = a + (long) (team / tiles * TILE + a_row) * n + a_column;
  const float *from_b = b + (long) b_row * n + team % tiles * TILE + b_column;
  float *to = c + (long) (team / tiles * TILE + y) * n + team % tiles * TILE + x;
  float sums[EACH][EACH] = {}, next_a[EACH], next_b[EACH];

#pragma unroll
  for (int i = 0; i < EACH; i++)
    {
      next_a[i] = from_a[i];
      next_b[i] = from_b[i];
    }
  for (int first = 0; first < n; first += DEPTH)
    {
#pragma unroll
      for (int i = 0; i < EACH; i++)
	{
	  left[a_column + i][a_row] = next_a[i];
	  right[b_row][b_column + i] = next_b[i];
	}
      __syncthreads ();
      if (first + DEPTH < n)
#pragma unroll
	for (int i = 0; i < EACH; i++)
	  {
	    next_a[i] = from_a[first + DEPTH + i];
	    next_b[i] = from_b[(long) (first + DEPTH) * n + i];
	  }
#pragma unroll
      for (int k = 0; k < DEPTH; k++)
#pragma unroll
	for (int i = 0; i < EACH; i++)
#pragma unroll
	  for (int j = 0; j < EACH; j++)
	    sums[i][j] += left[k][y + i] * right[k][x + j];
      __syncthreads ();
    }
#pragma unroll
  for (int i = 0; i < EACH; i++)
#pragma unroll
    for (int j = 0; j < EACH; j++)
      to[(long) i * n + j] = sums[i][j];
}

int
main (int argc, char **argv)
{
  struct arguments arguments = read_arguments (argc, argv, 16, 1, 128);
  int n = arguments.size * TILE, tiles = arguments.size;
  long all = (long) n * n;
  float *a = ARRAY (float, all), *b = ARRAY (float, all), *c = ARRAY (float, all);
  float *expected = ARRAY (float, all);

  prepare (a, b, n);
  float *d_a = on_device (a, all), *d_b = on_device (b, all), *d_c = on_device (c, all);
  MEASURE ("gemm", arguments.repeats, multiply<<<tiles * tiles, THREADS>>> (d_a, d_b, d_c, n));
  from_device (c, d_c, all);
  multiply_exactly (a, b, c, expected, n);
  return verdict (floats_differ (c, expected, all, TOLERANCE, SCALE));
}
