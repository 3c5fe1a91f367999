/* heat.cu -- the kernel of heat.c in CUDA.  */

#include "heat.h"

static __global__ void
advance (const float *from, const float *power, float *to, int across, int size)
{
  __shared__ float room[2][TILE][TILE];
  int t = threadIdx.x, team = blockIdx.x, i = t % TILE, j = t / TILE;
  int x = team % across * CORE + i - STEPS, y = team / across * CORE + j - STEPS;
  bool inside = x >= 0 && x < size && y >= 0 && y < size;
  long at = (long) y * size + x;
  float own_power = 0;

  if (inside)
    {
      room[0][j][i] = from[at];
      own_power = power[at];
    }
#pragma unroll
  for (int step = 0; step < STEPS; step++)
    {
      int now = step % 2;
      __syncthreads ();
      if (inside && i > step && i < TILE - 1 - step && j > step && j < TILE - 1 - step)
	{
	  float here = room[now][j][i];
	  float above = y > 0 ? room[now][j - 1][i] : here;
	  float below = y < size - 1 ? room[now][j + 1][i] : here;
	  float left = x > 0 ? room[now][j][i - 1] : here;
	  float right = x < size - 1 ? room[now][j][i + 1] : here;
	  room[1 - now][j][i] = after (here, above, below, left, right, own_power);
	}
    }
  if (inside && i >= STEPS && i < TILE - STEPS && j >= STEPS && j < TILE - STEPS)
    to[at] = room[STEPS % 2][j][i];
}

static void
run (const float *start, const float *power, float *one, float *two, int size)
{
  int across = (size + CORE - 1) / CORE;

  for (int launch = 0; launch < LAUNCHES; launch++)
    advance<<<across * across, THREADS>>> (launch == 0 ? start : launch % 2 ? one : two, power,
					   launch % 2 ? two : one, across, size);
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 128, 3, 1 << 10);
  int size = a.size * TILE - 5;
  long n = (long) size * size;
  float *start = ARRAY (float, n), *power = ARRAY (float, n), *expected = ARRAY (float, n);
  float *out = ARRAY (float, n);

  prepare (start, power, expected, size);
  float *d_start = on_device (start, n), *d_power = on_device (power, n);
  float *d_one = on_device (out, n), *d_two = on_device (out, n);
  MEASURE ("heat", a.repeats, run (d_start, d_power, d_one, d_two, size));
  from_device (out, LAUNCHES % 2 ? d_one : d_two, n);
  return verdict (floats_differ (out, expected, n, TOLERANCE, SCALE));
}
