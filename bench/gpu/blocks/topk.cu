/* topk.cu -- the kernel of topk.cpp in CUDA.  */

#include "topk.h"

template <int K>
static __device__ void
insert (list<K> &l, item x)
{
  if (!before (x, l.items[K - 1]))
    return;
#pragma unroll
  for (int k = 0; k < K; k++)
    if (before (x, l.items[k]))
      {
	item next = l.items[k];
	l.items[k] = x;
	x = next;
      }
}

template <int K>
static __global__ void
largest (const float *in, float *values, int *indices)
{
  __shared__ list<K> lists[THREADS];
  int t = threadIdx.x;
  long row = blockIdx.x;
  list<K> own;

#pragma unroll
  for (int k = 0; k < K; k++)
    own.items[k] = { -FLT_MAX, INT_MAX };
  for (int i = t; i < WIDTH; i += THREADS)
    insert (own, { in[row * WIDTH + i], i });
  lists[t] = own;
  for (int half = THREADS / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (t < half)
	{
	  for (int k = 0; k < K; k++)
	    insert (own, lists[t + half].items[k]);
	  lists[t] = own;
	}
    }
  __syncthreads ();
  if (t < K)
    {
      values[row * K + t] = lists[0].items[t].value;
      indices[row * K + t] = lists[0].items[t].index;
    }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 4096, 4, 1 << 18);
  long n = (long) a.size * WIDTH, m = (long) a.size * LARGEST;
  float *in = ARRAY (float, n), *values = ARRAY (float, m), *expected_values = ARRAY (float, m);
  int *indices = ARRAY (int, m), *expected_indices = ARRAY (int, m);

  prepare (in, expected_values, expected_indices, a.size);
  float *d_in = on_device (in, n), *d_values = on_device (values, m);
  int *d_indices = on_device (indices, m);
  MEASURE ("topk", a.repeats, largest<LARGEST><<<a.size, THREADS>>> (d_in, d_values, d_indices));
  from_device (values, d_values, m);
  from_device (indices, d_indices, m);
  return verdict (integers_differ (indices, expected_indices, m)
		  || floats_differ (values, expected_values, m, 0, 0));
}
