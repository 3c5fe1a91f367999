/* floyd.c -- the shortest ways between all pairs of vertices, by tiles of 32 x 32: for each tile of
   the diagonal a launch for itself, one for its row and column, and one for all others.
   Needs 256 threads, four cells of a thread kept over barriers, and launches in order of one team,
   of some, and of many.  */

#include "floyd.h"

/* The tile of the diagonal.  */
static void
relax_one (int *lengths, int n, int round)
{
#pragma omp target teams num_teams (1) thread_limit (THREADS)
  {
    int tile[TILE][TILE];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), x = t % TILE, top = t / TILE;
      int *at = lengths + ((long) round * TILE + top) * n + round * TILE + x;

      for (int r = 0; r < ROWS; r++)
	tile[top + r * STEP][x] = at[(long) r * STEP * n];
#pragma omp barrier
      for (int k = 0; k < TILE; k++)
	{
	  for (int r = 0; r < ROWS; r++)
	    {
	      int y = top + r * STEP, length = tile[y][k] + tile[k][x];
	      if (length < tile[y][x])
		tile[y][x] = length;
	    }
#pragma omp barrier
	}
      for (int r = 0; r < ROWS; r++)
	at[(long) r * STEP * n] = tile[top + r * STEP][x];
    }
  }
}

/* Those beside, above and below it.  */
static void
relax_cross (int *lengths, int n, int round)
{
  int others = n / TILE - 1;

#pragma omp target teams num_teams (2 * others) thread_limit (THREADS)
  {
    int middle[TILE][TILE], tile[TILE][TILE];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), x = t % TILE, top = t / TILE;
      int in_row = omp_get_team_num () < others;
      int other = omp_get_team_num () % others;
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
#pragma omp barrier
      for (int k = 0; k < TILE; k++)
	{
	  for (int r = 0; r < ROWS; r++)
	    {
	      int y = top + r * STEP;
	      int length = in_row ? middle[y][k] + tile[k][x] : tile[y][k] + middle[k][x];
	      if (length < tile[y][x])
		tile[y][x] = length;
	    }
#pragma omp barrier
	}
      for (int r = 0; r < ROWS; r++)
	at[(long) r * STEP * n] = tile[top + r * STEP][x];
    }
  }
}

/* The rest.  */
static void
relax_rest (int *lengths, int n, int round, int *threads)
{
  int others = n / TILE - 1;

#pragma omp target teams num_teams (others * others) thread_limit (THREADS)
  {
    int left[TILE][TILE], above[TILE][TILE];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), x = t % TILE, top = t / TILE;
      int row = omp_get_team_num () / others, column = omp_get_team_num () % others;
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
#pragma omp barrier
      for (int k = 0; k < TILE; k++)
	for (int r = 0; r < ROWS; r++)
	  {
	    int length = left[top + r * STEP][k] + above[k][x];
	    own[r] = length < own[r] ? length : own[r];
	  }
      for (int r = 0; r < ROWS; r++)
	at[(long) r * STEP * n] = own[r];
      if (omp_get_team_num () == 0 && t == 0)
	*threads = omp_get_num_threads ();
    }
  }
}

/* Once done it changes nothing any more, so that it can be repeated.  */
static void
relax (int *lengths, int n, int *threads)
{
  for (int round = 0; round < n / TILE; round++)
    {
      relax_one (lengths, n, round);
      relax_cross (lengths, n, round);
      relax_rest (lengths, n, round, threads);
    }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 32, 3, 256);
  int n = a.size * TILE, threads = 0;
  long cells = (long) n * n;
  int *lengths = ARRAY (int, cells), *expected = ARRAY (int, cells);

  prepare (lengths, expected, n);
#pragma omp target data map (tofrom: lengths[:cells], threads)
  MEASURE ("floyd", a.repeats, relax (lengths, n, &threads));
  explain_threads (threads, THREADS);
  return verdict (integers_differ (lengths, expected, cells));
}
