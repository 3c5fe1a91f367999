/* stencil8.cu -- the kernel of stencil8.c in CUDA.  */

#include "stencil8.h"

static __global__ void
step (const float *now, const float *before, float *next, const float *weights, int n)
{
  __shared__ float tile[HEIGHT + 2 * RADIUS][WIDTH + 2 * RADIUS];
  int t = threadIdx.x, team = blockIdx.x, across = n / WIDTH;
  int x = t % WIDTH + RADIUS, y = t / WIDTH + RADIUS;
  long row = n + 2 * RADIUS, plane = row * row;
  long at = (team / across * HEIGHT + y) * row + team % across * WIDTH + x;
  float column[2 * RADIUS + 1], w[RADIUS + 1];

#pragma unroll
  for (int k = 0; k <= RADIUS; k++)
    w[k] = weights[k];
#pragma unroll
  for (int k = 0; k < 2 * RADIUS; k++)
    column[k + 1] = now[at + k * plane];
  at += RADIUS * plane;
  for (int z = 0; z < n; z++, at += plane)
    {
#pragma unroll
      for (int k = 0; k < 2 * RADIUS; k++)
	column[k] = column[k + 1];
      column[2 * RADIUS] = now[at + RADIUS * plane];
      __syncthreads ();
      tile[y][x] = column[RADIUS];
      if (y < 2 * RADIUS)
	{
	  tile[y - RADIUS][x] = now[at - RADIUS * row];
	  tile[y + HEIGHT][x] = now[at + HEIGHT * row];
	}
      if (x < 2 * RADIUS)
	{
	  tile[y][x - RADIUS] = now[at - RADIUS];
	  tile[y][x + WIDTH] = now[at + WIDTH];
	}
      __syncthreads ();
      float sum = 2 * column[RADIUS] - before[at] + w[0] * column[RADIUS];
#pragma unroll
      for (int k = 1; k <= RADIUS; k++)
	sum += w[k] * (tile[y][x - k] + tile[y][x + k] + tile[y - k][x] + tile[y + k][x]
		       + column[RADIUS - k] + column[RADIUS + k]);
      next[at] = sum;
    }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 8, 1, 24);
  int n = a.size * WIDTH, teams = n / WIDTH * (n / HEIGHT);
  long all = points (n);
  float *now = ARRAY (float, all), *before = ARRAY (float, all), *next = ARRAY (float, all);
  float *expected = ARRAY (float, all), weights[RADIUS + 1];

  prepare (now, before, weights, expected, n);
  memset (next, 0, all * sizeof (float));
  float *d_now = on_device (now, all), *d_before = on_device (before, all);
  float *d_next = on_device (next, all), *d_weights = on_device (weights, RADIUS + 1);
  MEASURE ("stencil8", a.repeats, step<<<teams, THREADS>>> (d_now, d_before, d_next, d_weights, n));
  from_device (next, d_next, all);
  return verdict (floats_differ (next, expected, all, TOLERANCE, SCALE));
}
