/* bfs.cu -- the kernels of bfs.c in CUDA.  */

#include "bfs.h"

static __global__ void
begin (int *distances, int *frontier, int *sizes, int vertices)
{
  for (int v = blockIdx.x * THREADS + threadIdx.x; v < vertices; v += gridDim.x * THREADS)
    {
      distances[v] = v == 0 ? 0 : -1;
      sizes[v] = v == 0 ? 1 : 0;
      if (v == 0)
	frontier[0] = 0;
    }
}

static __global__ void
advance (const int *offsets, const int *targets, int *distances, const int *frontier, int size,
	 int *next, int *next_size, int distance)
{
  __shared__ int found[ROOM], count, place;
  int t = threadIdx.x;

  for (int first = blockIdx.x * THREADS; first < size; first += gridDim.x * THREADS)
    {
      if (t == 0)
	count = 0;
      __syncthreads ();
      if (first + t < size)
	for (int e = offsets[frontier[first + t]]; e < offsets[frontier[first + t] + 1]; e++)
	  {
	    int v = targets[e];
	    if (*(volatile int *) (distances + v) >= 0 || atomicExch (distances + v, distance) >= 0)
	      continue;
	    int at = atomicAdd (&count, 1);
	    if (at < ROOM)
	      found[at] = v;
	    else
	      next[atomicAdd (next_size, 1)] = v;
	  }
      __syncthreads ();
      int kept = min (count, (int) ROOM);
      if (t == 0)
	place = atomicAdd (next_size, kept);
      __syncthreads ();
      for (int i = t; i < kept; i += THREADS)
	next[place + i] = found[i];
    }
}

/* The arrays are the device's.  */
static void
search (struct graph g, int *distances, int *frontier, int *next, int *sizes)
{
  begin<<<teams_for (g.vertices), THREADS>>> (distances, frontier, sizes, g.vertices);
  for (int distance = 1, size = 1; size > 0; distance++)
    {
      advance<<<teams_for (size), THREADS>>> (g.offsets, g.targets, distances, frontier, size,
					      next, sizes + distance, distance);
      int *spare = frontier;
      frontier = next;
      next = spare;
      if (distance == g.vertices - 1)
	break;
      CUDA (cudaMemcpy (&size, sizes + distance, sizeof size, cudaMemcpyDeviceToHost));
    }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 2048, 6, 1000000);
  struct graph g = make_graph (a.size), on = g;
  int n = g.vertices;
  int *distances = ARRAY (int, n), *expected = ARRAY (int, n);

  find_distances (g, expected);
  on.offsets = on_device (g.offsets, n + 1);
  on.targets = on_device (g.targets, g.edges);
  int *d_distances = on_device (distances, n), *d_frontier = on_device (distances, n);
  int *d_next = on_device (distances, n), *d_sizes = on_device (distances, n);
  MEASURE ("bfs", a.repeats, search (on, d_distances, d_frontier, d_next, d_sizes));
  from_device (distances, d_distances, n);
  return verdict (integers_differ (distances, expected, n));
}
