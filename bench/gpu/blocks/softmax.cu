/* softmax.cu -- the kernel of softmax.c in CUDA.  */

#include "softmax.h"

struct part
{
  float most, sum;
};

static __global__ void
softmax (const float *in, float *out)
{
  __shared__ part parts[THREADS];
  int t = threadIdx.x;
  const float *from = in + (long) blockIdx.x * WIDTH;
  float *to = out + (long) blockIdx.x * WIDTH;
  part own = { -FLT_MAX, 0 };

  for (int i = t; i < WIDTH; i += THREADS)
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
  for (int half = THREADS / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (t < half)
	{
	  part other = parts[t + half];
	  float most = fmaxf (own.most, other.most);
	  own.sum = own.sum * expf (own.most - most) + other.sum * expf (other.most - most);
	  own.most = most;
	  parts[t] = own;
	}
    }
  __syncthreads ();
  float most = parts[0].most, scale = 1 / parts[0].sum;
  for (int i = t; i < WIDTH; i += THREADS)
    to[i] = expf (from[i] - most) * scale;
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 4096, 12, 1 << 19);
  long n = (long) a.size * WIDTH;
  float *in = ARRAY (float, n), *out = ARRAY (float, n), *expected = ARRAY (float, n);

  prepare (in, expected, a.size);
  float *d_in = on_device (in, n), *d_out = on_device (out, n);
  MEASURE ("softmax", a.repeats, softmax<<<a.size, THREADS>>> (d_in, d_out));
  from_device (out, d_out, n);
  return verdict (floats_differ (out, expected, n, TOLERANCE, SCALE));
}
