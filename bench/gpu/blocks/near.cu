/* near.cu -- the kernel of near.c in CUDA.  */

#include "near.h"

static __global__ void
find (const short *points, const short *queries, int *nearest)
{
  __shared__ found best[NEAREST];
  __shared__ short query[DIMENSIONS];
  __shared__ int farthest, lock;
  int t = threadIdx.x;
  long team = blockIdx.x;

  if (t == 0)
    {
      farthest = 1 << 30;
      lock = 0;
    }
  if (t < NEAREST)
    best[t].distance = best[t].index = 1 << 30;
  if (t < DIMENSIONS)
    query[t] = queries[team * DIMENSIONS + t];
  __syncthreads ();
  for (int i = t; i < POINTS; i += THREADS)
    {
      found x = { distance_of (points + i * DIMENSIONS, query), i };
      if (x.distance <= *(volatile int *) &farthest)
	{
	  while (atomicCAS (&lock, 0, 1) != 0)
	    ;
	  __threadfence_block ();
	  insert (best, x);
	  *(volatile int *) &farthest = best[NEAREST - 1].distance;
	  __threadfence_block ();
	  atomicExch (&lock, 0);
	}
    }
  __syncthreads ();
  if (t < NEAREST)
    nearest[team * NEAREST + t] = best[t].index;
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 1024, 3, 1 << 18);
  long n = (long) a.size * NEAREST, query_size = (long) a.size * DIMENSIONS;
  short *points = ARRAY (short, POINTS * DIMENSIONS), *queries = ARRAY (short, query_size);
  int *nearest = ARRAY (int, n), *expected = ARRAY (int, n);

  prepare (points, queries, expected, a.size);
  short *d_points = on_device (points, POINTS * DIMENSIONS);
  short *d_queries = on_device (queries, query_size);
  int *d_nearest = on_device (nearest, n);
  MEASURE ("near", a.repeats, find<<<a.size, THREADS>>> (d_points, d_queries, d_nearest));
  from_device (nearest, d_nearest, n);
  return verdict (integers_differ (nearest, expected, n));
}
