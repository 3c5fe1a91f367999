/* blackscholes.c -- prices of options, with as many teams as a device can hold and each thread in
   strides of all.
   Needs erfcf, expf, logf and sqrtf, and numbers of teams and threads that agree with those that
   there are.  */

#include "blackscholes.h"

static void
value (const float *spot, const float *strike, const float *years, float *call, float *put, long n)
{
#pragma omp target teams num_teams (teams_for (n)) thread_limit (THREADS)
#pragma omp parallel TEAM_OF (THREADS)
  {
    long threads = omp_get_num_threads (), stride = omp_get_num_teams () * threads;
    long own = omp_get_team_num () * threads + omp_get_thread_num ();

    for (long i = own; i < n; i += stride)
      {
	float s = spot[i], y = years[i], deviation = VOLATILITY * sqrtf (y);
	float d1 = (logf (s / strike[i]) + (RATE + VOLATILITY * VOLATILITY / 2) * y) / deviation;
	float d2 = d1 - deviation, paid = strike[i] * expf (-RATE * y);
	float n1 = 0.5f * erfcf (-0.70710678f * d1), n2 = 0.5f * erfcf (-0.70710678f * d2);

	call[i] = s * n1 - paid * n2;
	put[i] = paid * (1 - n2) - s * (1 - n1);
      }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 4000, 5, 1000000);
  long n = (long) a.size * UNIT;
  float *spot = ARRAY (float, n), *strike = ARRAY (float, n), *years = ARRAY (float, n);
  float *call = ARRAY (float, n), *put = ARRAY (float, n);
  float *expected_call = ARRAY (float, n), *expected_put = ARRAY (float, n);

  prepare (spot, strike, years, expected_call, expected_put, n);
#pragma omp target data map (to: spot[:n], strike[:n], years[:n]) map (tofrom: call[:n], put[:n])
  MEASURE ("blackscholes", a.repeats, value (spot, strike, years, call, put, n));
  return verdict (floats_differ (call, expected_call, n, TOLERANCE, SCALE)
		  || floats_differ (put, expected_put, n, TOLERANCE, SCALE));
}
