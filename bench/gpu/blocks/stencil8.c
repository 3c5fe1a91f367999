/* stencil8.c -- a step of the wave equation in a cube, of eighth order: each team walks through the
   planes of a column of 32 x 8 points, and has the plane and four points around it in an array, the
   nine points along the way in registers.
   Needs 256 threads, a private array that moves on with each plane, and edge threads that load more
   than others between two barriers.  */

#include "stencil8.h"

static void
step (const float *now, const float *before, float *next, const float *weights, int n,
      int *threads)
{
  int across = n / WIDTH;

#pragma omp target teams num_teams (across * (n / HEIGHT)) thread_limit (THREADS)
  {
    float tile[HEIGHT + 2 * RADIUS][WIDTH + 2 * RADIUS];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), team = omp_get_team_num ();
      int x = t % WIDTH + RADIUS, y = t / WIDTH + RADIUS;
      long row = n + 2 * RADIUS, plane = row * row;
      long at = (team / across * HEIGHT + y) * row + team % across * WIDTH + x;
      float column[2 * RADIUS + 1], w[RADIUS + 1];

      for (int k = 0; k <= RADIUS; k++)
	w[k] = weights[k];
      for (int k = 0; k < 2 * RADIUS; k++)
	column[k + 1] = now[at + k * plane];
      at += RADIUS * plane;
      for (int z = 0; z < n; z++, at += plane)
	{
	  for (int k = 0; k < 2 * RADIUS; k++)
	    column[k] = column[k + 1];
	  column[2 * RADIUS] = now[at + RADIUS * plane];
#pragma omp barrier
	  tile[y][x] = column[RADIUS];
	  if (y < 2 * RADIUS)
	    {
	      tile[y - RADIUS][x] = now[at - RADIUS * row];
	      tile[y + HEIGHT][x] = now[at + HEIGHT * row];
	    }
	  if (x < 2 * RADIUS)
	    {
	      tile[y][x - RADIUS] = now[at - RADIUS];
	      tile[y][x + WIDTH] = now[at + WIDTH];
	    }
#pragma omp barrier
	  float sum = 2 * column[RADIUS] - before[at] + w[0] * column[RADIUS];
	  for (int k = 1; k <= RADIUS; k++)
	    sum += w[k] * (tile[y][x - k] + tile[y][x + k] + tile[y - k][x] + tile[y + k][x]
			   + column[RADIUS - k] + column[RADIUS + k]);
	  next[at] = sum;
	}
      if (team == 0 && t == 0)
	*threads = omp_get_num_threads ();
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 8, 1, 24);
  int n = a.size * WIDTH, threads = 0;
  long all = points (n);
  float *now = ARRAY (float, all), *before = ARRAY (float, all), *next = ARRAY (float, all);
  float *expected = ARRAY (float, all), weights[RADIUS + 1];

  prepare (now, before, weights, expected, n);
  memset (next, 0, all * sizeof (float));
#pragma omp target data map (to: now[:all], before[:all], weights) map (tofrom: next[:all], threads)
  MEASURE ("stencil8", a.repeats, step (now, before, next, weights, n, &threads));
  explain_threads (threads, THREADS);
  return verdict (floats_differ (next, expected, all, TOLERANCE, SCALE));
}
