/* fir.cu -- the kernel of fir.c in CUDA.  */

#include "fir.h"

static __global__ void
filter_signal (const float *in, float *out, const float *filter, int taps)
{
  extern __shared__ float samples[];
  float *weights = samples + BLOCK + taps - 1;
  int t = threadIdx.x;
  long first = (long) blockIdx.x * BLOCK;

  for (int i = t; i < BLOCK + taps - 1; i += THREADS)
    samples[i] = in[first + i];
  for (int k = t; k < taps; k += THREADS)
    weights[k] = filter[k];
  __syncthreads ();
  for (int i = t; i < BLOCK; i += THREADS)
    {
      float sum = 0;
      for (int k = 0; k < taps; k++)
	sum += weights[k] * samples[i + k];
      out[first + i] = sum;
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
  float *d_in = on_device (in, in_size), *d_out = on_device (out, n);
  float *d_filter = on_device (filter, taps);
  size_t room = (BLOCK + 2 * taps - 1) * sizeof (float);
  MEASURE ("fir", a.repeats,
	   filter_signal<<<a.size, THREADS, room>>> (d_in, d_out, d_filter, taps));
  from_device (out, d_out, n);
  return verdict (floats_differ (out, expected, n, TOLERANCE, SCALE));
}
