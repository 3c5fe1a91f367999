/* fir.c -- a signal filtered by a filter whose length is known to the program only when it runs:
   each team has 1024 samples, those before them, and the filter in arrays of that length.
   Needs team arrays of variable length, where CUDA has its dynamic shared memory.  */

#include "fir.h"

static void
filter_signal (const float *in, float *out, const float *filter, int blocks, int taps)
{
#pragma omp target teams num_teams (blocks) thread_limit (THREADS)
  {
    float samples[BLOCK + taps - 1], weights[taps];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads ();
      long first = (long) omp_get_team_num () * BLOCK;

      for (int i = t; i < BLOCK + taps - 1; i += threads)
	samples[i] = in[first + i];
      for (int k = t; k < taps; k += threads)
	weights[k] = filter[k];
#pragma omp barrier
      for (int i = t; i < BLOCK; i += threads)
	{
	  float sum = 0;
	  for (int k = 0; k < taps; k++)
	    sum += weights[k] * samples[i + k];
	  out[first + i] = sum;
	}
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 8192, 5, 1 << 19);
  int taps = USUAL_TAPS;
  long n = (long) a.size * BLOCK, in_size = n + taps - 1;
  float *in = ARRAY (float, in_size), *out = ARRAY (float, n), *expected = ARRAY (float, n);
  float *filter = ARRAY (float, taps);

  prepare (in, filter, expected, n, taps);
#pragma omp target data map (to: in[:in_size], filter[:taps]) map (tofrom: out[:n])
  MEASURE ("fir", a.repeats, filter_signal (in, out, filter, a.size, taps));
  return verdict (floats_differ (out, expected, n, TOLERANCE, SCALE));
}
