/* cells.cu -- the kernel of cells.c in CUDA.  */

#include "cells.h"

static __global__ void
attract (const particle *particles, const int *counts, float *forces, int side)
{
  __shared__ particle others[ROOM];
  int t = threadIdx.x, cell = blockIdx.x, here = counts[cell];
  particle own = particles[(long) cell * ROOM + (t < here ? t : 0)];
  float x = 0, y = 0, z = 0;

  for (int d = 0; d < 27; d++)
    {
      int other = neighbour (cell, d, side);
      if (other < 0)
	continue;
      int there = counts[other];
      __syncthreads ();
      if (t < there)
	others[t] = particles[(long) other * ROOM + t];
      __syncthreads ();
      if (t < here)
	for (int j = 0; j < there; j++)
	  {
	    float dx = own.x - others[j].x, dy = own.y - others[j].y, dz = own.z - others[j].z;
	    float square = dx * dx + dy * dy + dz * dz;
	    if (square < 1 && square > 0)
	      {
		float s = 0.04f / square, cube = s * s * s;
		float force = 24 * cube * (2 * cube - 1) / square;
		x += force * dx;
		y += force * dy;
		z += force * dz;
	      }
	  }
    }
  if (t < here)
    {
      float *to = forces + ((long) cell * ROOM + t) * 3;
      to[0] = x;
      to[1] = y;
      to[2] = z;
    }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 16, 2, 100);
  int cells = a.size * a.size * a.size;
  long n = (long) cells * ROOM;
  particle *particles = ARRAY (particle, n);
  float *forces = ARRAY (float, 3 * n), *expected = ARRAY (float, 3 * n);
  int *counts = ARRAY (int, cells);

  prepare (particles, counts, a.size);
  find_forces (particles, counts, forces, expected, a.size);
  particle *d_particles = on_device (particles, n);
  int *d_counts = on_device (counts, cells);
  float *d_forces = on_device (forces, 3 * n);
  MEASURE ("cells", a.repeats,
	   attract<<<cells, THREADS>>> (d_particles, d_counts, d_forces, a.size));
  from_device (forces, d_forces, 3 * n);
  return verdict (floats_differ (forces, expected, 3 * n, TOLERANCE, SCALE));
}
