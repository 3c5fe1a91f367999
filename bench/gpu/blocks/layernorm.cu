/* layernorm.cu -- the kernel of layernorm.c in CUDA.  */

#include "layernorm.h"

/* The sum of OWN of all threads.  */
static __device__ float
sum_of_all (float own, float *room)
{
  int t = threadIdx.x;

  __syncthreads ();
  room[t] = own;
  for (int half = THREADS / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (t < half)
	room[t] += room[t + half];
    }
  __syncthreads ();
  return room[0];
}

static __global__ void
normalize (const float *in, float *out, const float *gain, const float *bias)
{
  __shared__ float row[WIDTH], room[THREADS];
  const float *from = in + (long) blockIdx.x * WIDTH;
  float *to = out + (long) blockIdx.x * WIDTH, sum = 0, squares = 0;

  for (int i = threadIdx.x; i < WIDTH; i += THREADS)
    {
      row[i] = from[i];
      sum += row[i];
    }
  float mean = sum_of_all (sum, room) / WIDTH;
  for (int i = threadIdx.x; i < WIDTH; i += THREADS)
    squares += (row[i] - mean) * (row[i] - mean);
  float scale = 1 / sqrtf (sum_of_all (squares, room) / WIDTH + EPSILON);
  for (int i = threadIdx.x; i < WIDTH; i += THREADS)
    to[i] = (row[i] - mean) * scale * gain[i] + bias[i];
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 8192, 16, 1 << 20);
  long n = (long) a.size * WIDTH;
  float *in = ARRAY (float, n), *out = ARRAY (float, n), *expected = ARRAY (float, n);
  float gain[WIDTH], bias[WIDTH];

  prepare (in, gain, bias, expected, a.size);
  float *d_in = on_device (in, n), *d_out = on_device (out, n);
  float *d_gain = on_device (gain, WIDTH), *d_bias = on_device (bias, WIDTH);
  MEASURE ("layernorm", a.repeats,
	   normalize<<<a.size, THREADS>>> (d_in, d_out, d_gain, d_bias));
  from_device (out, d_out, n);
  return verdict (floats_differ (out, expected, n, TOLERANCE, SCALE));
}
