/* asian.c -- prices of options on an average by Monte Carlo: a team for each option, whose threads
   share the paths and add up what they pay.
   Needs a reduction of two variables in each team, structures of the input, expf, logf, cosf and
   sinf, and what the team computes of the sums behind the region.  */

#include "asian.h"

static void
price (const struct option *options, float *means, float *errors, int n)
{
#pragma omp target teams num_teams (n) thread_limit (THREADS)
  {
    int o = omp_get_team_num ();
    struct option p = options[o];
    float step = p.years / STEPS, turn = p.volatility * sqrtf (step), sum = 0, squares = 0;
    float drift = (p.rate - 0.5f * p.volatility * p.volatility) * step;
    float discount = expf (-p.rate * p.years);

#pragma omp parallel for reduction (+: sum, squares) TEAM_OF (THREADS)
    for (int path = 0; path < PATHS; path++)
      {
	unsigned bits = seed_of (o, path);
	float log_price = 0, total = 0;
	for (int s = 0; s < STEPS; s += 2)
	  {
	    unsigned more = next_bits (bits);
	    float radius = sqrtf (-2 * logf (uniform (bits)));
	    float angle = 6.28318531f * uniform (more);
	    log_price += drift + turn * radius * cosf (angle);
	    total += expf (log_price);
	    log_price += drift + turn * radius * sinf (angle);
	    total += expf (log_price);
	    bits = next_bits (more);
	  }
	float paid = p.price * total / STEPS - p.strike;
	paid = paid > 0 ? paid * discount : 0;
	sum += paid;
	squares += paid * paid;
      }
    float mean = sum / PATHS;
    means[o] = mean;
    errors[o] = sqrtf ((squares / PATHS - mean * mean) / PATHS);
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 1024, 6, 1 << 20);
  int n = a.size;
  struct option *options = ARRAY (struct option, n);
  float *means = ARRAY (float, n), *errors = ARRAY (float, n);
  float *expected_means = ARRAY (float, n), *expected_errors = ARRAY (float, n);

  prepare (options, expected_means, expected_errors, n);
#pragma omp target data map (to: options[:n]) map (tofrom: means[:n], errors[:n])
  MEASURE ("asian", a.repeats, price (options, means, errors, n));
  return verdict (floats_differ (means, expected_means, n, TOLERANCE, SCALE)
		  || floats_differ (errors, expected_errors, n, TOLERANCE, SCALE));
}
