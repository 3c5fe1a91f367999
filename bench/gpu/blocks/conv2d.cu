/* conv2d.cu -- the kernel of conv2d.c in CUDA.  */

#include "conv2d.h"

static __global__ void
convolve (const float *in, float *out, const float *taps, int tiles, int size)
{
  __shared__ float tile[WIDE][WIDE], rows[WIDE][TILE];
  int t = threadIdx.x, team = blockIdx.x;
  int left = team % tiles * TILE, top = team / tiles * TILE;

  for (int i = t; i < WIDE * WIDE; i += THREADS)
    {
      int y = inside (top + i / WIDE - RADIUS, size);
      int x = inside (left + i % WIDE - RADIUS, size);
      tile[i / WIDE][i % WIDE] = in[(long) y * size + x];
    }
  __syncthreads ();
  for (int i = t; i < WIDE * TILE; i += THREADS)
    {
      float sum = 0;
      for (int k = 0; k < TAPS; k++)
	sum += taps[k] * tile[i / TILE][i % TILE + k];
      rows[i / TILE][i % TILE] = sum;
    }
  __syncthreads ();
  int y = t / TILE, x = t % TILE;
  if (top + y < size && left + x < size)
    {
      float sum = 0;
      for (int k = 0; k < TAPS; k++)
	sum += taps[k] * rows[y + k][x];
      out[(long) (top + y) * size + left + x] = sum;
    }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 128, 3, 1 << 10);
  int size = a.size * TILE - MISSING;
  long n = (long) size * size;
  float *in = ARRAY (float, n), *out = ARRAY (float, n), *expected = ARRAY (float, n), taps[TAPS];

  prepare (in, taps, expected, size);
  float *d_in = on_device (in, n), *d_out = on_device (out, n), *d_taps = on_device (taps, TAPS);
  MEASURE ("conv2d", a.repeats,
	   convolve<<<a.size * a.size, THREADS>>> (d_in, d_out, d_taps, a.size, size));
  from_device (out, d_out, n);
  return verdict (floats_differ (out, expected, n, TOLERANCE, SCALE));
}
