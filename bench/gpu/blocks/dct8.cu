/* dct8.cu -- the kernel of dct8.c in CUDA.  */

#include "dct8.h"

static __global__ void
transform (const float *in, float *out, const float *cosines, int width)
{
  __shared__ float factors[SIDE][SIDE], pixels[SIDE][WIDTH], rows[SIDE][WIDTH];
  int t = threadIdx.x, across = width / WIDTH;
  int x = t % WIDTH, y = t / WIDTH, u = x % SIDE, left = x - u;
  long at = (long) (blockIdx.x / across * SIDE + y) * width + blockIdx.x % across * WIDTH + x;
  float sum = 0;

  if (x < SIDE)
    factors[y][x] = cosines[y * SIDE + x];
  pixels[y][x] = in[at];
  __syncthreads ();
  for (int k = 0; k < SIDE; k++)
    sum += factors[u][k] * pixels[y][left + k];
  rows[y][x] = sum;
  __syncthreads ();
  sum = 0;
  for (int k = 0; k < SIDE; k++)
    sum += factors[y][k] * rows[k][x];
  out[at] = sum;
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 64, 1, 1 << 10);
  int width = a.size * WIDTH, height = a.size * WIDTH;
  long n = (long) width * height;
  float *in = ARRAY (float, n), *out = ARRAY (float, n), *expected = ARRAY (float, n);
  float cosines[SIDE][SIDE];

  prepare (in, cosines, expected, width, height);
  float *d_in = on_device (in, n), *d_out = on_device (out, n);
  float *d_cosines = on_device (&cosines[0][0], SIDE * SIDE);
  MEASURE ("dct8", a.repeats,
	   transform<<<width / WIDTH * (height / SIDE), THREADS>>> (d_in, d_out, d_cosines, width));
  from_device (out, d_out, n);
  return verdict (floats_differ (out, expected, n, TOLERANCE, SCALE));
}
