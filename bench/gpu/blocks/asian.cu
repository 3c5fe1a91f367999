/* asian.cu -- the kernel of asian.c in CUDA.  */

#include "asian.h"

static __global__ void
price (const option *options, float *means, float *errors)
{
  __shared__ float sums[THREADS], all_squares[THREADS];
  int o = blockIdx.x, t = threadIdx.x;
  option p = options[o];
  float step = p.years / STEPS, turn = p.volatility * sqrtf (step), sum = 0, squares = 0;
  float drift = (p.rate - 0.5f * p.volatility * p.volatility) * step;
  float discount = expf (-p.rate * p.years);

  for (int path = t; path < PATHS; path += THREADS)
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
  sums[t] = sum;
  all_squares[t] = squares;
  for (int half = THREADS / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (t < half)
	{
	  sums[t] += sums[t + half];
	  all_squares[t] += all_squares[t + half];
	}
    }
  if (t == 0)
    {
      float mean = sums[0] / PATHS;
      means[o] = mean;
      errors[o] = sqrtf ((all_squares[0] / PATHS - mean * mean) / PATHS);
    }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 1024, 6, 1 << 20);
  int n = a.size;
  option *options = ARRAY (option, n);
  float *means = ARRAY (float, n), *errors = ARRAY (float, n);
  float *expected_means = ARRAY (float, n), *expected_errors = ARRAY (float, n);

  prepare (options, expected_means, expected_errors, n);
  option *d_options = on_device (options, n);
  float *d_means = on_device (means, n), *d_errors = on_device (errors, n);
  MEASURE ("asian", a.repeats, price<<<n, THREADS>>> (d_options, d_means, d_errors));
  from_device (means, d_means, n);
  from_device (errors, d_errors, n);
  return verdict (floats_differ (means, expected_means, n, TOLERANCE, SCALE)
		  || floats_differ (errors, expected_errors, n, TOLERANCE, SCALE));
}
