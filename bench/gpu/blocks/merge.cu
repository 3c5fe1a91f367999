/* merge.cu -- the kernels of merge.cpp in CUDA.  */

#include "merge.h"

template <typename T, typename Before>
static __device__ int
rank_in (const T *run, int n, T x, bool equal, Before before)
{
  int low = 0;
  while (n > 0)
    {
      int half = n / 2;
      if (before (run[low + half], x) || (equal && !before (x, run[low + half])))
	{
	  low += half + 1;
	  n -= half + 1;
	}
      else
	n = half;
    }
  return low;
}

template <typename T, typename Before>
static __device__ int
part_of (const T *a, const T *b, int n, int count, Before before)
{
  int low = max (0, count - n), high = min (count, n);
  while (low < high)
    {
      int middle = (low + high) / 2;
      if (before (b[count - middle - 1], a[middle]))
	high = middle;
      else
	low = middle + 1;
    }
  return low;
}

template <typename T, typename Before>
static __global__ void
sort_blocks (const T *in, T *out, Before before)
{
  __shared__ T room[2][BLOCK];
  int t = threadIdx.x, now = 0;
  long first = (long) blockIdx.x * BLOCK;

  for (int i = t; i < BLOCK; i += THREADS)
    room[0][i] = in[first + i];
  for (int run = 1; run < BLOCK; run *= 2)
    {
      __syncthreads ();
      for (int i = t; i < BLOCK; i += THREADS)
	{
	  int own = i / run * run, other = own ^ run;
	  int others = rank_in (room[now] + other, run, room[now][i], other < own, before);
	  room[1 - now][(own & ~run) + i - own + others] = room[now][i];
	}
      now = 1 - now;
    }
  __syncthreads ();
  for (int i = t; i < BLOCK; i += THREADS)
    out[first + i] = room[now][i];
}

template <typename T, typename Before>
static __global__ void
merge_runs (const T *in, T *out, int run, Before before)
{
  __shared__ T room[BLOCK];
  __shared__ int begin, end;
  int t = threadIdx.x;
  long first = (long) blockIdx.x * BLOCK, pair = first / (2 * run) * (2 * run);
  const T *a = in + pair, *b = a + run;
  int count = (int) (first - pair);

  if (t == 0)
    {
      begin = part_of (a, b, run, count, before);
      end = part_of (a, b, run, count + BLOCK, before);
    }
  __syncthreads ();
  int from_a = end - begin, from_b = BLOCK - from_a;
  for (int i = t; i < BLOCK; i += THREADS)
    room[i] = i < from_a ? a[begin + i] : b[count - begin + i - from_a];
  __syncthreads ();
  for (int i = t; i < BLOCK; i += THREADS)
    {
      int place = i < from_a ? i + rank_in (room + from_a, from_b, room[i], false, before)
			     : i - from_a + rank_in (room, from_a, room[i], true, before);
      out[first + place] = room[i];
    }
}

template <typename T, typename Before>
static void
sort (const T *in, T *one, T *two, int passes, Before before)
{
  sort_blocks<<<1 << passes, THREADS>>> (in, one, before);
  for (int pass = 0; pass < passes; pass++)
    merge_runs<<<1 << passes, THREADS>>> (pass % 2 ? two : one, pass % 2 ? one : two,
					  BLOCK << pass, before);
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 10, 2, 16);
  int n = BLOCK << a.size;
  long long *in = ARRAY (long long, n), *out = ARRAY (long long, n);
  long long *expected = ARRAY (long long, n);

  prepare (in, expected, n);
  long long *d_in = on_device (in, n), *d_one = on_device (out, n), *d_two = on_device (out, n);
  MEASURE ("merge", a.repeats, sort (d_in, d_one, d_two, a.size, falling ()));
  from_device (out, a.size % 2 ? d_two : d_one, n);
  return verdict (longs_differ (out, expected, n));
}
