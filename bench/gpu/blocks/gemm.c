/* gemm.c -- the product of two matrices: each team has a tile of 64 x 64 elements, each thread
   4 x 4 of them in registers, and the next parts of the factors are loaded while the present ones
   are multiplied.
   Needs 256 threads, sixteen sums of a thread and eight loaded elements kept over barriers, and two
   team arrays of which one is stored transposed.  */

#include "gemm.h"

static void
multiply (const float *a, const float *b, float *c, int n, int *threads)
{
  int tiles = n / TILE;

#pragma omp target teams num_teams (tiles * tiles) thread_limit (THREADS)
  {
    float left[DEPTH][TILE + 1], right[DEPTH][TILE];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), team = omp_get_team_num ();
      int x = t % ACROSS * EACH, y = t / ACROSS * EACH;
      /* Where this thread loads four elements of each factor.  */
      int a_row = t / (DEPTH / EACH), a_column = t % (DEPTH / EACH) * EACH;
      int b_row = t / ACROSS, b_column = t % ACROSS * EACH;
      const float *from_a = a + (long) (team / tiles * TILE + a_row) * n + a_column;
      const float *from_b = b + (long) b_row * n + team % tiles * TILE + b_column;
      float *to = c + (long) (team / tiles * TILE + y) * n + team % tiles * TILE + x;
      float sums[EACH][EACH] = { { 0 } }, next_a[EACH], next_b[EACH];

      for (int i = 0; i < EACH; i++)
	{
	  next_a[i] = from_a[i];
	  next_b[i] = from_b[i];
	}
      for (int first = 0; first < n; first += DEPTH)
	{
	  for (int i = 0; i < EACH; i++)
	    {
	      left[a_column + i][a_row] = next_a[i];
	      right[b_row][b_column + i] = next_b[i];
	    }
#pragma omp barrier
	  if (first + DEPTH < n)
	    for (int i = 0; i < EACH; i++)
	      {
		next_a[i] = from_a[first + DEPTH + i];
		next_b[i] = from_b[(long) (first + DEPTH) * n + i];
	      }
	  for (int k = 0; k < DEPTH; k++)
	    for (int i = 0; i < EACH; i++)
	      for (int j = 0; j < EACH; j++)
		sums[i][j] += left[k][y + i] * right[k][x + j];
#pragma omp barrier
	}
      for (int i = 0; i < EACH; i++)
	for (int j = 0; j < EACH; j++)
	  to[(long) i * n + j] = sums[i][j];
      if (team == 0 && t == 0)
	*threads = omp_get_num_threads ();
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments arguments = read_arguments (argc, argv, 16, 1, 128);
  int n = arguments.size * TILE, threads = 0;
  long all = (long) n * n;
  float *a = ARRAY (float, all), *b = ARRAY (float, all), *c = ARRAY (float, all);
  float *expected = ARRAY (float, all);

  prepare (a, b, n);
#pragma omp target data map (to: a[:all], b[:all]) map (tofrom: c[:all], threads)
  MEASURE ("gemm", arguments.repeats, multiply (a, b, c, n, &threads));
  explain_threads (threads, THREADS);
  multiply_exactly (a, b, c, expected, n);
  return verdict (floats_differ (c, expected, all, TOLERANCE, SCALE));
}
