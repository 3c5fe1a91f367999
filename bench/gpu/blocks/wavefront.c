/* wavefront.c -- the table of a local alignment in tiles of 64 x 64: a launch for each diagonal of
   tiles, a team for each tile, a thread for each column, which is one row behind its left
   neighbour.
   Needs 64 threads, launches in order, a barrier that threads without a cell pass, too, and
   registers kept over it.  */

#include "wavefront.h"

static void
align_diagonal (const char *a, const char *b, int *table, int *best, int n, int diagonal,
		int *threads)
{
  int tiles = tiles_in (diagonal, n), first = first_row (diagonal, n);

#pragma omp target teams num_teams (tiles) thread_limit (THREADS)
  {
    char letters[TILE];
    /* What the columns have computed in this step and in the one before; at the end the best of
       each.  */
    int edge[2][TILE];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), row = first + omp_get_team_num (), column = diagonal - row;
      long width = (long) n * TILE + 1;
      int *above_tile = table + (long) row * TILE * width + column * TILE + t + 1;
      int above = above_tile[0], before = above_tile[-1], most = 0;
      char letter = b[column * TILE + t];

      letters[t] = a[row * TILE + t];
#pragma omp barrier
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
	      most = score > most ? score : most;
	      edge[step % 2][t] = score;
	      *cell = score;
	    }
#pragma omp barrier
	}
      edge[0][t] = most;
      for (int half = TILE / 2; half > 0; half /= 2)
	{
#pragma omp barrier
	  if (t < half && edge[0][t + half] > edge[0][t])
	    edge[0][t] = edge[0][t + half];
	}
      if (t == 0)
	{
	  best[row * n + column] = edge[0][0];
	  if (row == first)
	    *threads = omp_get_num_threads ();
	}
    }
  }
}

static void
align (const char *a, const char *b, int *table, int *best, int n, int *threads)
{
  for (int diagonal = 0; diagonal < 2 * n - 1; diagonal++)
    align_diagonal (a, b, table, best, n, diagonal, threads);
}

int
main (int argc, char **argv)
{
  struct arguments arguments = read_arguments (argc, argv, 64, 2, 400);
  int n = arguments.size, length = n * TILE, tiles = n * n, threads = 0;
  long width = length + 1, cells = width * width;
  char *a = ARRAY (char, length), *b = ARRAY (char, length);
  int *table = ARRAY (int, cells), *expected = ARRAY (int, cells);
  int *best = ARRAY (int, tiles), *expected_best = ARRAY (int, tiles);

  prepare (a, b, expected, expected_best, n);
  for (int i = 0; i <= length; i++)
    table[i] = table[i * width] = 0;
#pragma omp target data map (to: a[:length], b[:length]) \
			map (tofrom: table[:cells], best[:tiles], threads)
  MEASURE ("wavefront", arguments.repeats, align (a, b, table, best, n, &threads));
  explain_threads (threads, THREADS);
  return verdict (integers_differ (table, expected, cells)
		  || integers_differ (best, expected_best, tiles));
}
