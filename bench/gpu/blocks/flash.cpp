/* flash.cpp -- attention: a query and its result by each thread, and tiles of keys and values that
   the team loads; the maximum and the sum of exp are those of the tiles so far.
   Needs 128 threads, two private arrays of 32 numbers kept over barriers, two team arrays that
   every thread reads in full, expf, and a template.  */

#include "flash.h"

template <int N>
static float
dot (const float (&a)[N], const float *b)
{
  float sum = 0;
  for (int i = 0; i < N; i++)
    sum += a[i] * b[i];
  return sum;
}

template <int N>
static void
attend (const float *queries, const float *keys, const float *values, float *out, int heads,
	float scale, int *threads)
{
#pragma omp target teams num_teams (heads * TEAMS) thread_limit (THREADS)
  {
    float key[TILE][N], value[TILE][N];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), team = omp_get_team_num ();
      long head = (long) (team / TEAMS) * LENGTH * N;
      long at = head + (long) (team % TEAMS * THREADS + t) * N;
      float query[N], total[N], most = -INFINITY, sum = 0;

      for (int i = 0; i < N; i++)
	{
	  query[i] = queries[at + i] * scale;
	  total[i] = 0;
	}
      for (int first = 0; first < LENGTH; first += TILE)
	{
#pragma omp barrier
	  for (int i = t; i < TILE * N; i += THREADS)
	    {
	      key[i / N][i % N] = keys[head + (long) first * N + i];
	      value[i / N][i % N] = values[head + (long) first * N + i];
	    }
#pragma omp barrier
	  for (int k = 0; k < TILE; k++)
	    {
	      float score = dot<N> (query, key[k]);
	      if (score > most)
		{
		  float shrink = expf (most - score);
		  sum *= shrink;
		  for (int i = 0; i < N; i++)
		    total[i] *= shrink;
		  most = score;
		}
	      float weight = expf (score - most);
	      sum += weight;
	      for (int i = 0; i < N; i++)
		total[i] += weight * value[k][i];
	    }
	}
      for (int i = 0; i < N; i++)
	out[at + i] = total[i] / sum;
      if (team == 0 && t == 0)
	*threads = omp_get_num_threads ();
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 64, 1, 1 << 14);
  long n = (long) a.size * LENGTH * WIDTH;
  float *queries = ARRAY (float, n), *keys = ARRAY (float, n), *values = ARRAY (float, n);
  float *out = ARRAY (float, n), *expected = ARRAY (float, n), scale = 1 / sqrtf (WIDTH);
  int threads = 0;

  prepare (queries, keys, values, expected, a.size);
#pragma omp target data map (to: queries[:n], keys[:n], values[:n]) map (tofrom: out[:n], threads)
  MEASURE ("flash", a.repeats,
	   attend<WIDTH> (queries, keys, values, out, a.size, scale, &threads));
  explain_threads (threads, THREADS);
  return verdict (floats_differ (out, expected, n, TOLERANCE, SCALE));
}
