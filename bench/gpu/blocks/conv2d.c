/* conv2d.c -- a picture convolved along its rows and then its columns, a tile of 16 x 16 pixels by
   each team, which keeps the tile, the pixels around it, and what the first pass makes of them.
   Needs 256 threads, two team arrays larger than the team, and threads without a pixel that help
   all the same.  */

#include "conv2d.h"

static void
convolve (const float *in, float *out, const float *taps, int tiles, int size, int *threads)
{
#pragma omp target teams num_teams (tiles * tiles) thread_limit (THREADS)
  {
    float tile[WIDE][WIDE], rows[WIDE][TILE];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), team = omp_get_team_num ();
      int left = team % tiles * TILE, top = team / tiles * TILE;

      for (int i = t; i < WIDE * WIDE; i += THREADS)
	{
	  int y = inside (top + i / WIDE - RADIUS, size);
	  int x = inside (left + i % WIDE - RADIUS, size);
	  tile[i / WIDE][i % WIDE] = in[(long) y * size + x];
	}
#pragma omp barrier
      for (int i = t; i < WIDE * TILE; i += THREADS)
	{
	  float sum = 0;
	  for (int k = 0; k < TAPS; k++)
	    sum += taps[k] * tile[i / TILE][i % TILE + k];
	  rows[i / TILE][i % TILE] = sum;
	}
#pragma omp barrier
      int y = t / TILE, x = t % TILE;
      if (top + y < size && left + x < size)
	{
	  float sum = 0;
	  for (int k = 0; k < TAPS; k++)
	    sum += taps[k] * rows[y + k][x];
	  out[(long) (top + y) * size + left + x] = sum;
	}
      if (team == 0 && t == 0)
	*threads = omp_get_num_threads ();
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 128, 3, 1 << 10);
  int size = a.size * TILE - MISSING, threads = 0;
  long n = (long) size * size;
  float *in = ARRAY (float, n), *out = ARRAY (float, n), *expected = ARRAY (float, n), taps[TAPS];

  prepare (in, taps, expected, size);
#pragma omp target data map (to: in[:n], taps) map (tofrom: out[:n], threads)
  MEASURE ("conv2d", a.repeats, convolve (in, out, taps, a.size, size, &threads));
  explain_threads (threads, THREADS);
  return verdict (floats_differ (out, expected, n, TOLERANCE, SCALE));
}
