/* blackscholes.cu -- the kernel of blackscholes.c in CUDA.  */

#include "blackscholes.h"

static __global__ void
value (const float *spot, const float *strike, const float *years, float *call, float *put, long n)
{
  long stride = (long) gridDim.x * blockDim.x;

  for (long i = (long) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    {
      float s = spot[i], y = years[i], deviation = VOLATILITY * sqrtf (y);
      float d1 = (logf (s / strike[i]) + (RATE + VOLATILITY * VOLATILITY / 2) * y) / deviation;
      float d2 = d1 - deviation, paid = strike[i] * expf (-RATE * y);
      float n1 = 0.5f * erfcf (-0.70710678f * d1), n2 = 0.5f * erfcf (-0.70710678f * d2);

      call[i] = s * n1 - paid * n2;
      put[i] = paid * (1 - n2) - s * (1 - n1);
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
  float *d_spot = on_device (spot, n), *d_strike = on_device (strike, n);
  float *d_years = on_device (years, n);
  float *d_call = on_device (call, n), *d_put = on_device (put, n);
  MEASURE ("blackscholes", a.repeats,
	   value<<<teams_for (n), THREADS>>> (d_spot, d_strike, d_years, d_call, d_put, n));
  from_device (call, d_call, n);
  from_device (put, d_put, n);
  return verdict (floats_differ (call, expected_call, n, TOLERANCE, SCALE)
		  || floats_differ (put, expected_put, n, TOLERANCE, SCALE));
}
