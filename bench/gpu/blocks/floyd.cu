/* floyd.cu -- the kernels of floyd.c in CUDA.  */

#include "floyd.h"

static __global__ void
relax_one (int *lengths, int n, int round)
{
  __shared__ int tile[TILE][TILE];
  int x = threadIdx.x % TILE, top = threadIdx.x / TILE;
  int *at = lengths + ((long) round * TILE + top) * n + round * TILE + x;

  for (int r = 0; r < ROWS; r++)
    tile[top + r * STEP][x] = at[(long) r * STEP * n];
  __syncthreads ();
  for (int k = 0; k < TILE; k++)
    {
      for (int r = 0; r < ROWS; r++)
	{
	  int y = top + r * STEP, length = tile[y][k] + tile[k][x];
	  if (length < tile[y][x])
	    tile[y][x] = length;
	}
      __syncthreads ();
    }
  for (int r = 0; r < ROWS; r++)
    at[(long) r * STEP * n] = tile[top + r * STEP][x];
}

static __global__ void
relax_cross (int *lengths, int n, int round)
{
  __shared__ int middle[TILE][TILE], tile[TILE][TILE];
  int x = threadIdx.x % TILE, top = threadIdx.x / TILE, others = n / TILE - 1;
  bool in_row = blockIdx.x < others;
  int other = blockIdx.x % others;
  other += other >= round;
  long corner = (long) round * TILE * n + round * TILE;
  int *at = lengths + ((long) (in_row ? round : other) * TILE + top) * n
	    + (in_row ? other : round) * TILE + x;

  for (int r = 0; r < ROWS; r++)
    {
      int y = top + r * STEP;
      middle[y][x] = lengths[corner + (long) y * n + x];
      tile[y][x] = at[(long) r * STEP * n];
    }
  __syncthreads ();
  for (int k = 0; k < TILE; k++)
    {
      for (int r = 0; r < ROWS; r++)
	{
	  int y = top + r * STEP;
	  int length = in_row ? middle[y][k] + tile[k][x] : tile[y][k] + middle[k][x];
	  if (length < tile[y][x])
	    tile[y][x] = length;
	}
      __syncthreads ();
    }
  for (int r = 0; r < ROWS; r++)
    at[(long) r * STEP * n] = tile[top + r * STEP][x];
}

static __global__ void
relax_rest (int *lengths, int n, int round)
{
  __shared__ int left[TILE][TILE], above[TILE][TILE];
  int x = threadIdx.x % TILE, top = threadIdx.x / TILE, others = n / TILE - 1;
  int row = blockIdx.x / others, column = blockIdx.x % others;
  row += row >= round;
  column += column >= round;
  int *at = lengths + ((long) row * TILE + top) * n + column * TILE + x, own[ROWS];

  for (int r = 0; r < ROWS; r++)
    {
      int y = top + r * STEP;
      own[r] = at[(long) r * STEP * n];
      left[y][x] = lengths[((long) row * TILE + y) * n + round * TILE + x];
      above[y][x] = lengths[((long) round * TILE + y) * n + column * TILE + x];
    }
  __syncthreads ();
#pragma unroll
  for (int k = 0; k < TILE; k++)
    for (int r = 0; r < ROWS; r++)
      own[r] = min (own[r], left[top + r * STEP][k] + above[k][x]);
  for (int r = 0; r < ROWS; r++)
    at[(long) r * STEP * n] = own[r];
}

static void
relax (int *lengths, int n)
{
  int others = n / TILE - 1;

  for (int round = 0; round < n / TILE; round++)
    {
      relax_one<<<1, THREADS>>> (lengths, n, round);
      relax_cross<<<2 * others, THREADS>>> (lengths, n, round);
      relax_rest<<<others * others, THREADS>>> (lengths, n, round);
    }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 32, 3, 256);
  int n = a.size * TILE;
  long cells = (long) n * n;
  int *lengths = ARRAY (int, cells), *expected = ARRAY (int, cells);

  prepare (lengths, expected, n);
  int *d_lengths = on_device (lengths, cells);
  MEASURE ("floyd", a.repeats, relax (d_lengths, n));
  from_device (lengths, d_lengths, cells);
  return verdict (integers_differ (lengths, expected, cells));
}
