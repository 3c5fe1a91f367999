/* wavefront.cu -- the kernel of wavefront.c in CUDA.  */

#include "wavefront.h"

static __global__ void
align_diagonal (const char *a, const char *b, int *table, int *best, int n, int diagonal, int first)
{
  __shared__ char letters[TILE];
  __shared__ int edge[2][TILE];
  int t = threadIdx.x, row = first + blockIdx.x, column = diagonal - row;
  long width = (long) n * TILE + 1;
  int *above_tile = table + (long) row * TILE * width + column * TILE + t + 1;
  int above = above_tile[0], before = above_tile[-1], most = 0;
  char letter = b[column * TILE + t];

  letters[t] = a[row * TILE + t];
  __syncthreads ();
  for (int step = 0; step < 2 * TILE - 1; step++)
    {
      int i = step - t;
      if (i >= 0 && i < TILE)
	{
	  int *cell = above_tile + (i + 1) * width;
	  int left = t == 0 ? cell[-1] : edge[(step + 1) % 2][t - 1];
	  int score = score_of (left, above, before, letters[i], letter);

	  before = left;
	  above = score;
	  most = max (most, score);
	  edge[step % 2][t] = score;
	  *cell = score;
	}
      __syncthreads ();
    }
  edge[0][t] = most;
  for (int half = TILE / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (t < half)
	edge[0][t] = max (edge[0][t], edge[0][t + half]);
    }
  if (t == 0)
    best[row * n + column] = edge[0][0];
}

static void
align (const char *a, const char *b, int *table, int *best, int n)
{
  for (int diagonal = 0; diagonal < 2 * n - 1; diagonal++)
    align_diagonal<<<tiles_in (diagonal, n), THREADS>>> (a, b, table, best, n, diagonal,
							  first_row (diagonal, n));
}

int
main (int argc, char **argv)
{
  struct arguments arguments = read_arguments (argc, argv, 64, 2, 400);
  int n = arguments.size, length = n * TILE, tiles = n * n;
  long width = length + 1, cells = width * width;
  char *a = ARRAY (char, length), *b = ARRAY (char, length);
  int *table = ARRAY (int, cells), *expected = ARRAY (int, cells);
  int *best = ARRAY (int, tiles), *expected_best = ARRAY (int, tiles);

  prepare (a, b, expected, expected_best, n);
  for (int i = 0; i <= length; i++)
    table[i] = table[i * width] = 0;
  char *d_a = on_device (a, length), *d_b = on_device (b, length);
  int *d_table = on_device (table, cells), *d_best = on_device (best, tiles);
  MEASURE ("wavefront", arguments.repeats, align (d_a, d_b, d_table, d_best, n));
  from_device (table, d_table, cells);
  from_device (best, d_best, tiles);
  return verdict (integers_differ (table, expected, cells)
		  || integers_differ (best, expected_best, tiles));
}
