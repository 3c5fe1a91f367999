/* scan2.cu -- the kernels of scan2.cpp in CUDA.  */

#include "scan2.h"

template <typename T>
static __device__ T
sum_to_here (T own, T *room, int t)
{
  room[t] = own;
  for (int distance = 1; distance < THREADS; distance *= 2)
    {
      __syncthreads ();
      T other = t >= distance ? room[t - distance] : 0;
      __syncthreads ();
      own += other;
      room[t] = own;
    }
  return own;
}

template <typename T>
static __global__ void
add_blocks (const T *in, T *sums)
{
  __shared__ T room[THREADS];
  int t = threadIdx.x;
  const T *block = in + (long) blockIdx.x * BLOCK;
  T own = 0;

  for (int k = 0; k < EACH; k++)
    own += block[t + k * THREADS];
  room[t] = own;
  for (int half = THREADS / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (t < half)
	room[t] += room[t + half];
    }
  if (t == 0)
    sums[blockIdx.x] = room[0];
}

template <typename T>
static __global__ void
scan_sums (T *sums, int blocks)
{
  __shared__ T room[THREADS];
  int t = threadIdx.x;
  T before = 0;

  for (int first = 0; first < blocks; first += THREADS)
    {
      T own = first + t < blocks ? sums[first + t] : 0;
      T to_here = sum_to_here (own, room, t);

      if (first + t < blocks)
	sums[first + t] = before + to_here - own;
      __syncthreads ();
      before += room[THREADS - 1];
      __syncthreads ();
    }
}

template <typename T>
static __global__ void
scan_blocks (const T *in, T *out, const T *sums)
{
  __shared__ T room[THREADS];
  int t = threadIdx.x;
  long at = (long) blockIdx.x * BLOCK + t * EACH;
  T numbers[EACH], own = 0;

  for (int k = 0; k < EACH; k++)
    {
      numbers[k] = in[at + k];
      own += numbers[k];
    }
  T before = sums[blockIdx.x] + sum_to_here (own, room, t) - own;
  for (int k = 0; k < EACH; k++)
    {
      out[at + k] = before;
      before += numbers[k];
    }
}

template <typename T>
static void
scan (const T *in, T *out, T *sums, int blocks)
{
  add_blocks<<<blocks, THREADS>>> (in, sums);
  scan_sums<<<1, THREADS>>> (sums, blocks);
  scan_blocks<<<blocks, THREADS>>> (in, out, sums);
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 8192, 5, 1 << 18);
  long n = (long) a.size * BLOCK;
  long long *in = ARRAY (long long, n), *out = ARRAY (long long, n);
  long long *expected = ARRAY (long long, n);

  prepare (in, expected, n);
  long long *d_in = on_device (in, n), *d_out = on_device (out, n);
  long long *d_sums = on_device (out, a.size);
  MEASURE ("scan2", a.repeats, scan (d_in, d_out, d_sums, a.size));
  from_device (out, d_out, n);
  return verdict (longs_differ (out, expected, n));
}
