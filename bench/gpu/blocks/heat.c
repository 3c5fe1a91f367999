/* heat.c -- the temperature of a chip: each team makes three steps at a time of a tile of 16 x 16
   cells, whose border it computes for nothing, and has only the 10 x 10 cells in its middle to
   store.
   Needs 256 threads, of which fewer have work from step to step, two team arrays in turn, and
   launches in order.  */

#include "heat.h"

static void
advance (const float *from, const float *power, float *to, int size, int *threads)
{
  int across = (size + CORE - 1) / CORE;

#pragma omp target teams num_teams (across * across) thread_limit (THREADS)
  {
    float room[2][TILE][TILE];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), team = omp_get_team_num (), i = t % TILE, j = t / TILE;
      int x = team % across * CORE + i - STEPS, y = team / across * CORE + j - STEPS;
      int inside = x >= 0 && x < size && y >= 0 && y < size;
      long at = (long) y * size + x;
      float own_power = 0;

      if (inside)
	{
	  room[0][j][i] = from[at];
	  own_power = power[at];
	}
      for (int step = 0; step < STEPS; step++)
	{
	  int now = step % 2;
#pragma omp barrier
	  if (inside && i > step && i < TILE - 1 - step && j > step && j < TILE - 1 - step)
	    {
	      float here = room[now][j][i];
	      float above = y > 0 ? room[now][j - 1][i] : here;
	      float below = y < size - 1 ? room[now][j + 1][i] : here;
	      float left = x > 0 ? room[now][j][i - 1] : here;
	      float right = x < size - 1 ? room[now][j][i + 1] : here;
	      room[1 - now][j][i] = after (here, above, below, left, right, own_power);
	    }
	}
      if (inside && i >= STEPS && i < TILE - STEPS && j >= STEPS && j < TILE - STEPS)
	to[at] = room[STEPS % 2][j][i];
      if (team == 0 && t == 0)
	*threads = omp_get_num_threads ();
    }
  }
}

/* The result is in ONE if the number of launches is odd, else in TWO.  */
static void
run (const float *start, const float *power, float *one, float *two, int size, int *threads)
{
  for (int launch = 0; launch < LAUNCHES; launch++)
    advance (launch == 0 ? start : launch % 2 ? one : two, power, launch % 2 ? two : one, size,
	     threads);
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 128, 3, 1 << 10);
  int size = a.size * TILE - 5, threads = 0;
  long n = (long) size * size;
  float *start = ARRAY (float, n), *power = ARRAY (float, n), *expected = ARRAY (float, n);
  float *one = ARRAY (float, n), *two = ARRAY (float, n);

  prepare (start, power, expected, size);
#pragma omp target data map (to: start[:n], power[:n]) map (tofrom: one[:n], two[:n], threads)
  MEASURE ("heat", a.repeats, run (start, power, one, two, size, &threads));
  explain_threads (threads, THREADS);
  return verdict (floats_differ (LAUNCHES % 2 ? one : two, expected, n, TOLERANCE, SCALE));
}
