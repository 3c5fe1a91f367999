/* softmax.c -- softmax of a row by each team, which reads the row once for the maximum and the sum
   together.
   Needs expf, structures in a team array, and a tree of any number of threads with barriers that
   idle threads pass.  */

#include "softmax.h"

/* The sum of exp (x - most) over some x.  */
struct part
{
  float most, sum;
};

static void
softmax (const float *in, float *out, int rows)
{
#pragma omp target teams num_teams (rows) thread_limit (THREADS)
  {
    struct part parts[THREADS];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads ();
      const float *from = in + (long) omp_get_team_num () * WIDTH;
      float *to = out + (long) omp_get_team_num () * WIDTH;
      struct part own = { -FLT_MAX, 0 };

      for (int i = t; i < WIDTH; i += threads)
	{
	  float x = from[i];
	  if (x > own.most)
	    {
	      own.sum = own.sum * expf (own.most - x) + 1;
	      own.most = x;
	    }
	  else
	    own.sum += expf (x - own.most);
	}
      parts[t] = own;
      for (int live = threads; live > 1;)
	{
	  int half = (live + 1) / 2;
#pragma omp barrier
	  if (t + half < live)
	    {
	      struct part other = parts[t + half];
	      float most = own.most > other.most ? own.most : other.most;
	      own.sum = own.sum * expf (own.most - most) + other.sum * expf (other.most - most);
	      own.most = most;
	      parts[t] = own;
	    }
	  live = half;
	}
#pragma omp barrier
      float most = parts[0].most, scale = 1 / parts[0].sum;
      for (int i = t; i < WIDTH; i += threads)
	to[i] = expf (from[i] - most) * scale;
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 4096, 12, 1 << 19);
  long n = (long) a.size * WIDTH;
  float *in = ARRAY (float, n), *out = ARRAY (float, n), *expected = ARRAY (float, n);

  prepare (in, expected, a.size);
#pragma omp target data map (to: in[:n]) map (tofrom: out[:n])
  MEASURE ("softmax", a.repeats, softmax (in, out, a.size));
  return verdict (floats_differ (out, expected, n, TOLERANCE, SCALE));
}
