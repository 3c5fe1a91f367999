/* flash.cu -- the kernel of flash.cpp in CUDA.  */

#include "flash.h"

template <int N>
static __global__ void
attend (const float *queries, const float *keys, const float *values, float *out, float scale)
{
  __shared__ float key[TILE][N], value[TILE][N];
  int t = threadIdx.x, team = blockIdx.x;
  long head = (long) (team / TEAMS) * LENGTH * N;
  long at = head + (long) (team % TEAMS * THREADS + t) * N;
  float query[N], total[N], most = -INFINITY, sum = 0;

#pragma unroll
  for (int i = 0; i < N; i++)
    {
      query[i] = queries[at + i] * scale;
      total[i] = 0;
    }
  for (int first = 0; first < LENGTH; first += TILE)
    {
      __syncthreads ();
      for (int i = t; i < TILE * N; i += THREADS)
	{
	  key[i / N][i % N] = keys[head + (long) first * N + i];
	  value[i / N][i % N] = values[head + (long) first * N + i];
	}
      __syncthreads ();
      for (int k = 0; k < TILE; k++)
	{
	  float score = 0;
#pragma unroll
	  for (int i = 0; i < N; i++)
	    score += query[i] * key[k][i];
	  if (score > most)
	    {
	      float shrink = expf (most - score);
	      sum *= shrink;
#pragma unroll
	      for (int i = 0; i < N; i++)
		total[i] *= shrink;
	      most = score;
	    }
	  float weight = expf (score - most);
	  sum += weight;
#pragma unroll
	  for (int i = 0; i < N; i++)
	    total[i] += weight * value[k][i];
	}
    }
#pragma unroll
  for (int i = 0; i < N; i++)
    out[at + i] = total[i] / sum;
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 64, 1, 1 << 14);
  long n = (long) a.size * LENGTH * WIDTH;
  float *queries = ARRAY (float, n), *keys = ARRAY (float, n), *values = ARRAY (float, n);
  float *out = ARRAY (float, n), *expected = ARRAY (float, n), scale = 1 / sqrtf (WIDTH);

  prepare (queries, keys, values, expected, a.size);
  float *d_queries = on_device (queries, n), *d_keys = on_device (keys, n);
  float *d_values = on_device (values, n), *d_out = on_device (out, n);
  MEASURE ("flash", a.repeats, attend<WIDTH><<<a.size * TEAMS, THREADS>>> (d_queries, d_keys,
									   d_values, d_out, scale));
  from_device (out, d_out, n);
  return verdict (floats_differ (out, expected, n, TOLERANCE, SCALE));
}
