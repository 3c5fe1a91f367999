/* fft.cu -- the kernel of fft.c in CUDA.  */

#include "fft.h"

static __device__ float2
times (float2 a, float2 b)
{
  return make_float2 (a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

static __global__ void
transform (const float2 *in, float2 *out, const float2 *factors)
{
  __shared__ float2 shared[POINTS];
  int t = threadIdx.x;
  long base = (long) blockIdx.x * POINTS;
  float2 x[4];

  for (int k = 0; k < 4; k++)
    x[k] = in[base + t + k * THREADS];
#pragma unroll
  for (int step = 1; step < POINTS; step *= 4)
    {
      int within = t % step, w = t - within;
      float2 sum0 = make_float2 (x[0].x + x[2].x, x[0].y + x[2].y);
      float2 sum1 = make_float2 (x[1].x + x[3].x, x[1].y + x[3].y);
      float2 minus0 = make_float2 (x[0].x - x[2].x, x[0].y - x[2].y);
      float2 minus1 = make_float2 (x[1].y - x[3].y, x[3].x - x[1].x);

      x[0] = make_float2 (sum0.x + sum1.x, sum0.y + sum1.y);
      x[1] = times (make_float2 (minus0.x + minus1.x, minus0.y + minus1.y), factors[w]);
      x[2] = times (make_float2 (sum0.x - sum1.x, sum0.y - sum1.y), factors[2 * w]);
      x[3] = times (make_float2 (minus0.x - minus1.x, minus0.y - minus1.y), factors[3 * w]);
      if (step * 4 < POINTS)
	{
	  for (int k = 0; k < 4; k++)
	    shared[within + 4 * w + k * step] = x[k];
	  __syncthreads ();
	  for (int k = 0; k < 4; k++)
	    x[k] = shared[t + k * THREADS];
	  __syncthreads ();
	}
    }
  for (int k = 0; k < 4; k++)
    out[base + t + k * THREADS] = x[k];
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 2048, 4, 1 << 20);
  long n = (long) a.size * POINTS;
  struct point *in = ARRAY (struct point, n), *out = ARRAY (struct point, n);
  struct point *expected = ARRAY (struct point, n), *factors = ARRAY (struct point, POINTS);

  prepare (in, expected, factors, a.size);
  struct point *d_in = on_device (in, n), *d_out = on_device (out, n);
  struct point *d_factors = on_device (factors, POINTS);
  MEASURE ("fft", a.repeats,
	   transform<<<a.size, THREADS>>> ((float2 *) d_in, (float2 *) d_out,
					   (float2 *) d_factors));
  from_device (out, d_out, n);
  return verdict (floats_differ (&out->re, &expected->re, 2 * n, TOLERANCE, SCALE));
}
