/* edges.c -- the edges in a coloured picture by five kernels: gray and smoothed, gradients, thinned
   and counted by strength, a threshold, and strong pixels with their neighbours.
   Needs kernels in order whose results stay on the device, structures of three bytes, short numbers
   in team arrays, and counts of the team that are added to those of all.  */

#include "edges.h"

static void
smooth (const struct pixel *in, unsigned char *out, int *bins, int across, int down, int size)
{
#pragma omp target teams num_teams (across * down) thread_limit (THREADS)
  {
    unsigned char gray[SMOOTH_HEIGHT][SMOOTH_WIDTH];
    short rows[SMOOTH_HEIGHT][WIDTH];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads (), team = omp_get_team_num ();
      int left = team % across * WIDTH, top = team / across * HEIGHT;

      for (int i = t; i < SMOOTH_WIDTH * SMOOTH_HEIGHT; i += threads)
	{
	  int x = inside (left + i % SMOOTH_WIDTH - RADIUS, size);
	  int y = inside (top + i / SMOOTH_WIDTH - RADIUS, size);
	  gray[i / SMOOTH_WIDTH][i % SMOOTH_WIDTH] = gray_of (in[(long) y * size + x]);
	}
      if (team == 0)
	for (int i = t; i < BINS; i += threads)
	  bins[i] = 0;
#pragma omp barrier
      for (int i = t; i < WIDTH * SMOOTH_HEIGHT; i += threads)
	{
	  const unsigned char *g = &gray[i / WIDTH][i % WIDTH];
	  rows[i / WIDTH][i % WIDTH] = smoothed (g[0], g[1], g[2], g[3], g[4]);
	}
#pragma omp barrier
      for (int i = t; i < WIDTH * HEIGHT; i += threads)
	{
	  int x = i % WIDTH, y = i / WIDTH;
	  if (left + x < size && top + y < size)
	    out[(long) (top + y) * size + left + x]
	      = smoothed (rows[y][x], rows[y + 1][x], rows[y + 2][x], rows[y + 3][x],
			  rows[y + 4][x]) >> 8;
	}
    }
  }
}

static void
differentiate (const unsigned char *in, short *out, int across, int down, int size)
{
#pragma omp target teams num_teams (across * down) thread_limit (THREADS)
  {
    unsigned char tile[HIGHER][WIDER];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads (), team = omp_get_team_num ();
      int left = team % across * WIDTH, top = team / across * HEIGHT;

      for (int i = t; i < WIDER * HIGHER; i += threads)
	tile[i / WIDER][i % WIDER] = in[(long) inside (top + i / WIDER - 1, size) * size
					+ inside (left + i % WIDER - 1, size)];
#pragma omp barrier
      for (int i = t; i < WIDTH * HEIGHT; i += threads)
	{
	  int x = i % WIDTH, y = i / WIDTH, to_right = 0, to_below = 0;
	  for (int k = 0; k < 3; k++)
	    {
	      int twice = k == 1 ? 2 : 1;
	      to_right += twice * (tile[y + k][x + 2] - tile[y + k][x]);
	      to_below += twice * (tile[y + 2][x + k] - tile[y][x + k]);
	    }
	  if (left + x < size && top + y < size)
	    out[(long) (top + y) * size + left + x] = gradient (to_right, to_below);
	}
    }
  }
}

static void
thin_out (const short *in, short *out, int *bins, int across, int down, int size)
{
#pragma omp target teams num_teams (across * down) thread_limit (THREADS)
  {
    short tile[HIGHER][WIDER];
    int counts[BINS];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads (), team = omp_get_team_num ();
      int left = team % across * WIDTH, top = team / across * HEIGHT;

      for (int i = t; i < WIDER * HIGHER; i += threads)
	tile[i / WIDER][i % WIDER] = in[(long) inside (top + i / WIDER - 1, size) * size
					+ inside (left + i % WIDER - 1, size)];
      for (int i = t; i < BINS; i += threads)
	counts[i] = 0;
#pragma omp barrier
      for (int i = t; i < WIDTH * HEIGHT; i += threads)
	{
	  int x = i % WIDTH + 1, y = i / WIDTH + 1;
	  if (left + x <= size && top + y <= size)
	    {
	      int g = tile[y][x], strength = strength_of (g);
	      int ahead = strength_of (tile[y + side_y (g)][x + side_x (g)]);
	      int behind = strength_of (tile[y - side_y (g)][x - side_x (g)]);
	      if (strength < ahead || strength < behind)
		strength = 0;
	      out[(long) (top + y - 1) * size + left + x - 1] = strength;
#pragma omp atomic
	      counts[strength / BIN_SIZE]++;
	    }
	}
#pragma omp barrier
      for (int i = t; i < BINS; i += threads)
	if (counts[i] > 0)
	  {
#pragma omp atomic
	    bins[i] += counts[i];
	  }
    }
  }
}

/* The lowest bin of the strong pixels.  */
static void
choose (const int *bins, int *high, int size)
{
#pragma omp target teams num_teams (1) thread_limit (BINS)
  {
    int above[BINS], lowest;
#pragma omp parallel TEAM_OF (BINS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads ();

      if (t == 0)
	lowest = 1;
      for (int i = t; i < BINS; i += threads)
	{
	  above[i] = 0;
	  for (int j = i + 1; j < BINS; j++)
	    above[i] += bins[j];
	}
#pragma omp barrier
      for (int i = t + 1; i < BINS; i += threads)
	if ((long) above[i] * SHARE <= (long) size * size
	    && ((long) above[i - 1] * SHARE > (long) size * size || i == 1))
	  lowest = i;
#pragma omp barrier
      if (t == 0)
	*high = lowest;
    }
  }
}

static void
mark (const short *in, unsigned char *out, const int *high, int across, int down, int size)
{
#pragma omp target teams num_teams (across * down) thread_limit (THREADS)
  {
    short tile[HIGHER][WIDER];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads (), team = omp_get_team_num ();
      int left = team % across * WIDTH, top = team / across * HEIGHT, least = *high * BIN_SIZE;

      for (int i = t; i < WIDER * HIGHER; i += threads)
	tile[i / WIDER][i % WIDER] = in[(long) inside (top + i / WIDER - 1, size) * size
					+ inside (left + i % WIDER - 1, size)];
#pragma omp barrier
      for (int i = t; i < WIDTH * HEIGHT; i += threads)
	{
	  int x = i % WIDTH, y = i / WIDTH, strong = 0;
	  for (int k = 0; k < 9; k++)
	    strong |= tile[y + k / 3][x + k % 3] >= least;
	  if (left + x < size && top + y < size)
	    out[(long) (top + y) * size + left + x]
	      = strong && tile[y + 1][x + 1] >= least / 2 ? 255 : 0;
	}
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 64, 2, 1 << 10);
  int size = a.size * WIDTH - MISSING, across = a.size, down = (size + HEIGHT - 1) / HEIGHT;
  long n = (long) size * size;
  struct pixel *in = ARRAY (struct pixel, n);
  unsigned char *gray = ARRAY (unsigned char, n), *out = ARRAY (unsigned char, n);
  short *gradients = ARRAY (short, n), *thin = ARRAY (short, n);
  int *got = ARRAY (int, n), *expected = ARRAY (int, n), bins[BINS], high;

  make_picture (in, size);
  find_exactly (in, expected, size);
#pragma omp target data map (to: in[:n]) map (tofrom: out[:n]) \
			map (alloc: gray[:n], gradients[:n], thin[:n], bins, high)
  MEASURE ("edges", a.repeats, smooth (in, gray, bins, across, down, size);
	   differentiate (gray, gradients, across, down, size);
	   thin_out (gradients, thin, bins, across, down, size);
	   choose (bins, &high, size);
	   mark (thin, out, &high, across, down, size));
  for (long i = 0; i < n; i++)
    got[i] = out[i];
  return verdict (integers_differ (got, expected, n));
}
