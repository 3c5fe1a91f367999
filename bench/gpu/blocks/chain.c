/* chain.c -- the product of many matrices of 128 x 128, one after the other: a launch for each,
   whose teams have a tile of 16 x 16 of the product.  The host queues all launches and waits for
   the last, as with a stream in CUDA.
   Needs 256 threads, a sum kept over barriers, and target tasks in a chain of dependences.  */

#include "chain.h"

static void
multiply (const float *a, const float *b, float *c, int *threads)
{
#pragma omp target teams num_teams (TEAMS) thread_limit (THREADS) nowait \
			 depend (in: a[0]) depend (out: c[0])
  {
    float left[TILE][TILE], right[TILE][TILE];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), x = t % TILE, y = t / TILE;
      int row = omp_get_team_num () / ACROSS * TILE + y;
      int column = omp_get_team_num () % ACROSS * TILE + x;
      float sum = 0;

      for (int first = 0; first < SIZE; first += TILE)
	{
	  left[y][x] = a[row * SIZE + first + x];
	  right[y][x] = b[(first + y) * SIZE + column];
#pragma omp barrier
	  for (int k = 0; k < TILE; k++)
	    sum += left[y][k] * right[k][x];
#pragma omp barrier
	}
      c[row * SIZE + column] = sum;
      if (row + column == 0)
	*threads = omp_get_num_threads ();
    }
  }
}

/* The product ends in ONE if the number of matrices is odd, else in TWO.  */
static void
multiply_all (const float *first, const float *matrices, float *one, float *two, int n,
	      int *threads)
{
  const float *now = first;

  for (int m = 0; m < n; m++)
    {
      float *next = m % 2 == 0 ? one : two;
      multiply (now, matrices + (long) m * CELLS, next, threads);
      now = next;
    }
#pragma omp taskwait
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 200, 4, 10000);
  int threads = 0;
  long n = (long) a.size * CELLS;
  float *first = ARRAY (float, CELLS), *matrices = ARRAY (float, n);
  float *one = ARRAY (float, CELLS), *two = ARRAY (float, CELLS);
  float *expected = ARRAY (float, CELLS);

  prepare (first, matrices, expected, a.size);
#pragma omp target data map (to: first[:CELLS], matrices[:n]) \
			map (tofrom: one[:CELLS], two[:CELLS], threads)
  MEASURE ("chain", a.repeats, multiply_all (first, matrices, one, two, a.size, &threads));
  explain_threads (threads, THREADS);
  return verdict (floats_differ (a.size % 2 ? one : two, expected, CELLS, TOLERANCE, SCALE));
}
