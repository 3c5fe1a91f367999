/* sort2.cu -- the kernels of sort2.c in CUDA.  */

#include "sort2.h"

/* The lower index of pair PAIR of those DISTANCE apart.  */
#define LOWER(pair, distance) (2 * (pair) - ((pair) & ((distance) - 1)))

static __global__ void
sort_in_blocks (unsigned *keys, int *values, int first, int last)
{
  __shared__ unsigned key[BLOCK];
  __shared__ int value[BLOCK];
  int t = threadIdx.x, base = blockIdx.x * BLOCK;

  for (int i = t; i < BLOCK; i += THREADS)
    {
      key[i] = keys[base + i];
      value[i] = values[base + i];
    }
  for (int size = first; size <= last; size *= 2)
    for (int distance = min (size, (int) BLOCK) / 2; distance > 0; distance /= 2)
      {
	__syncthreads ();
	for (int pair = t; pair < BLOCK / 2; pair += THREADS)
	  {
	    int a = LOWER (pair, distance), b = a + distance;
	    int falls = ((base + a) & size) != 0;
	    if (comes_after (key[a], value[a], key[b], value[b]) != falls)
	      {
		unsigned spare_key = key[a];
		int spare_value = value[a];
		key[a] = key[b];
		value[a] = value[b];
		key[b] = spare_key;
		value[b] = spare_value;
	      }
	  }
      }
  __syncthreads ();
  for (int i = t; i < BLOCK; i += THREADS)
    {
      keys[base + i] = key[i];
      values[base + i] = value[i];
    }
}

static __global__ void
exchange (unsigned *keys, int *values, int n, int size, int distance)
{
  for (int pair = blockIdx.x * THREADS + threadIdx.x; pair < n / 2; pair += gridDim.x * THREADS)
    {
      int a = LOWER (pair, distance), b = a + distance, falls = (a & size) != 0;
      unsigned key_a = keys[a], key_b = keys[b];
      int value_a = values[a], value_b = values[b];
      if (comes_after (key_a, value_a, key_b, value_b) != falls)
	{
	  keys[a] = key_b;
	  values[a] = value_b;
	  keys[b] = key_a;
	  values[b] = value_a;
	}
    }
}

static __global__ void
copy (const unsigned *from_keys, const int *from_values, unsigned *keys, int *values, int n)
{
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
    {
      keys[i] = from_keys[i];
      values[i] = from_values[i];
    }
}

static void
sort (const unsigned *from_keys, const int *from_values, unsigned *keys, int *values, int n)
{
  copy<<<n / BLOCK, THREADS>>> (from_keys, from_values, keys, values, n);
  sort_in_blocks<<<n / BLOCK, THREADS>>> (keys, values, 2, BLOCK);
  for (int size = 2 * BLOCK; size <= n; size *= 2)
    {
      for (int distance = size / 2; distance >= BLOCK; distance /= 2)
	exchange<<<n / BLOCK, THREADS>>> (keys, values, n, size, distance);
      sort_in_blocks<<<n / BLOCK, THREADS>>> (keys, values, size, size);
    }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 10, 2, 17);
  int n = BLOCK << a.size;
  unsigned *from_keys = ARRAY (unsigned, n), *keys = ARRAY (unsigned, n);
  int *from_values = ARRAY (int, n), *values = ARRAY (int, n);
  int *expected_keys = ARRAY (int, n), *expected_values = ARRAY (int, n);

  prepare (from_keys, from_values, expected_keys, expected_values, n);
  unsigned *d_from_keys = on_device (from_keys, n), *d_keys = on_device (keys, n);
  int *d_from_values = on_device (from_values, n), *d_values = on_device (values, n);
  MEASURE ("sort2", a.repeats, sort (d_from_keys, d_from_values, d_keys, d_values, n));
  from_device (keys, d_keys, n);
  from_device (values, d_values, n);
  return verdict (integers_differ ((const int *) keys, expected_keys, n)
		  || integers_differ (values, expected_values, n));
}
