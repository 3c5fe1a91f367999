/* cells.c -- forces between particles that are near one another: a team for each cell, which loads
   the particles of the cells around it, one cell after the other, and adds up what they do to its
   own.
   Needs a structure kept over barriers, a team array of structures, teams whose threads are partly
   idle, and turns without work that all threads of a team leave out.  */

#include "cells.h"

static void
attract (const struct particle *particles, const int *counts, float *forces, int side,
	 int *threads)
{
#pragma omp target teams num_teams (side * side * side) thread_limit (THREADS)
  {
    struct particle others[ROOM];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), cell = omp_get_team_num (), here = counts[cell];
      struct particle own = particles[(long) cell * ROOM + (t < here ? t : 0)];
      float x = 0, y = 0, z = 0;

      for (int d = 0; d < 27; d++)
	{
	  int other = neighbour (cell, d, side);
	  if (other < 0)
	    continue;
	  int there = counts[other];
#pragma omp barrier
	  if (t < there)
	    others[t] = particles[(long) other * ROOM + t];
#pragma omp barrier
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
      if (cell == 0 && t == 0)
	*threads = omp_get_num_threads ();
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 16, 2, 100);
  int cells = a.size * a.size * a.size, threads = 0;
  long n = (long) cells * ROOM;
  struct particle *particles = ARRAY (struct particle, n);
  float *forces = ARRAY (float, 3 * n), *expected = ARRAY (float, 3 * n);
  int *counts = ARRAY (int, cells);

  prepare (particles, counts, a.size);
  find_forces (particles, counts, forces, expected, a.size);
#pragma omp target data map (to: particles[:n], counts[:cells]) \
			map (tofrom: forces[:3 * n], threads)
  MEASURE ("cells", a.repeats, attract (particles, counts, forces, a.size, &threads));
  explain_threads (threads, THREADS);
  return verdict (floats_differ (forces, expected, 3 * n, TOLERANCE, SCALE));
}
