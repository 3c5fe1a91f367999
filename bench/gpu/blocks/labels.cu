/* labels.cu -- the kernels of labels.c in CUDA.  */

#include "labels.h"

static __device__ int
top_of (const int *parents, int at)
{
  for (;;)
    {
      int parent = *(const volatile int *) (parents + at);
      if (parent == at)
	return at;
      at = parent;
    }
}

static __device__ void
join (int *parents, int a, int b)
{
  for (;;)
    {
      a = top_of (parents, a);
      b = top_of (parents, b);
      if (a == b)
	return;
      if (a < b)
	{
	  int spare = a;
	  a = b;
	  b = spare;
	}
      int was = atomicMin (parents + a, b);
      if (was == a)
	return;
      a = was;
    }
}

static __global__ void
label_tiles (const unsigned char *picture, int *labels, int tiles, int size)
{
  __shared__ int parents[PIXELS];
  int t = threadIdx.x, team = blockIdx.x;
  int x = team % tiles * TILE + t % TILE, y = team / tiles * TILE + t / TILE;

  parents[t] = x < size && y < size && picture[y * size + x] ? t : -1;
  __syncthreads ();
  if (parents[t] >= 0)
    {
      if (t % TILE > 0 && parents[t - 1] >= 0)
	join (parents, t, t - 1);
      if (t >= TILE && parents[t - TILE] >= 0)
	join (parents, t, t - TILE);
    }
  __syncthreads ();
  if (x < size && y < size)
    {
      int first = parents[t] >= 0 ? top_of (parents, t) : -1;
      labels[y * size + x] = first < 0 ? -1 : (team / tiles * TILE + first / TILE) * size
					      + team % tiles * TILE + first % TILE;
    }
}

static __global__ void
join_tiles (const unsigned char *picture, int *labels, int tiles, int size)
{
  int i = threadIdx.x, left = blockIdx.x % tiles * TILE, top = blockIdx.x / tiles * TILE;
  bool beside = i < TILE;
  int x = left + (beside ? 0 : i - TILE), y = top + (beside ? i : 0);
  int at = y * size + x, other = beside ? at - 1 : at - size;

  if (i < 2 * TILE && x < size && y < size && (beside ? x : y) > 0 && picture[at]
      && picture[other])
    join (labels, at, other);
}

static __global__ void
look_up (int *labels, int n)
{
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
    if (labels[i] >= 0)
      *(volatile int *) (labels + i) = top_of (labels, i);
}

static void
label (const unsigned char *picture, int *labels, int tiles, int size)
{
  label_tiles<<<tiles * tiles, THREADS>>> (picture, labels, tiles, size);
  join_tiles<<<tiles * tiles, THREADS>>> (picture, labels, tiles, size);
  look_up<<<tiles * tiles, THREADS>>> (labels, size * size);
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 128, 3, 2000);
  int size = a.size * TILE - MISSING, n = size * size;
  unsigned char *picture = ARRAY (unsigned char, n);
  int *labels = ARRAY (int, n), *expected = ARRAY (int, n);

  prepare (picture, expected, size);
  unsigned char *d_picture = on_device (picture, n);
  int *d_labels = on_device (labels, n);
  MEASURE ("labels", a.repeats, label (d_picture, d_labels, a.size, size));
  from_device (labels, d_labels, n);
  return verdict (integers_differ (labels, expected, n));
}
