/* dct8.c -- cosine transforms of a picture's blocks of 8 x 8, four of them side by side by each
   team: along the rows, then along the columns.
   Needs 256 threads that are a pixel each, three team arrays of two dimensions, and many short
   teams.  */

#include "dct8.h"

static void
transform (const float *in, float *out, const float (*cosines)[SIDE], int width, int height,
	   int *threads)
{
  int across = width / WIDTH;

#pragma omp target teams num_teams (across * (height / SIDE)) thread_limit (THREADS)
  {
    float factors[SIDE][SIDE], pixels[SIDE][WIDTH], rows[SIDE][WIDTH];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), team = omp_get_team_num ();
      int x = t % WIDTH, y = t / WIDTH, u = x % SIDE, left = x - u;
      long at = (long) (team / across * SIDE + y) * width + team % across * WIDTH + x;
      float sum = 0;

      if (x < SIDE)
	factors[y][x] = cosines[y][x];
      pixels[y][x] = in[at];
#pragma omp barrier
      for (int k = 0; k < SIDE; k++)
	sum += factors[u][k] * pixels[y][left + k];
      rows[y][x] = sum;
#pragma omp barrier
      sum = 0;
      for (int k = 0; k < SIDE; k++)
	sum += factors[y][k] * rows[k][x];
      out[at] = sum;
      if (at == 0)
	*threads = omp_get_num_threads ();
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 64, 1, 1 << 10);
  int width = a.size * WIDTH, height = a.size * WIDTH, threads = 0;
  long n = (long) width * height;
  float *in = ARRAY (float, n), *out = ARRAY (float, n), *expected = ARRAY (float, n);
  float cosines[SIDE][SIDE];

  prepare (in, cosines, expected, width, height);
#pragma omp target data map (to: in[:n], cosines) map (tofrom: out[:n], threads)
  MEASURE ("dct8", a.repeats, transform (in, out, cosines, width, height, &threads));
  explain_threads (threads, THREADS);
  return verdict (floats_differ (out, expected, n, TOLERANCE, SCALE));
}
