/* pivot.cu -- the kernel of pivot.c in CUDA.  */

#include "pivot.h"

static __global__ void
solve (const float *systems, float *solutions)
{
  __shared__ float a[SIZE][WIDTH], factors[SIZE];
  int t = threadIdx.x;
  const float *system = systems + (long) blockIdx.x * SIZE * WIDTH;

  for (int i = t; i < SIZE * WIDTH; i += THREADS)
    a[i / WIDTH][i % WIDTH] = system[i];
  for (int k = 0; k < SIZE; k++)
    {
      __syncthreads ();
      if (t == 0)
	{
	  int best = k;
	  for (int i = k + 1; i < SIZE; i++)
	    if (fabsf (a[i][k]) > fabsf (a[best][k]))
	      best = i;
	  if (best != k)
	    for (int j = k; j < WIDTH; j++)
	      {
		float spare = a[k][j];
		a[k][j] = a[best][j];
		a[best][j] = spare;
	      }
	}
      __syncthreads ();
      if (t < SIZE)
	factors[t] = t == k ? 0 : a[t][k] / a[k][k];
      __syncthreads ();
      for (int m = t; m < SIZE * (WIDTH - k); m += THREADS)
	{
	  int i = m / (WIDTH - k), j = k + m % (WIDTH - k);
	  if (i != k)
	    a[i][j] -= factors[i] * a[k][j];
	}
    }
  __syncthreads ();
  if (t < SIZE)
    solutions[(long) blockIdx.x * SIZE + t] = a[t][SIZE] / a[t][t];
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 1024, 4, 1 << 18);
  long n = (long) a.size * SIZE, cells = n * WIDTH;
  float *systems = ARRAY (float, cells), *solutions = ARRAY (float, n);
  float *expected = ARRAY (float, n);

  prepare (systems, expected, a.size);
  float *d_systems = on_device (systems, cells), *d_solutions = on_device (solutions, n);
  MEASURE ("pivot", a.repeats, solve<<<a.size, THREADS>>> (d_systems, d_solutions));
  from_device (solutions, d_solutions, n);
  return verdict (floats_differ (solutions, expected, n, TOLERANCE, SCALE));
}
