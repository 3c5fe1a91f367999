/* cells.h -- forces between particles that are near one another: sizes, the cells, input and the
   serial reference.  */

#ifndef CELLS_H
#define CELLS_H 1

#include "blocks.h"

/* A cell is as wide as the forces reach, 1, and has up to ROOM particles.  */
enum { ROOM = 64, LEAST = 27, THREADS = 64 };
#define TOLERANCE 2e-5
#define SCALE 200

struct particle
{
  float x, y, z;
};

/* The cell in direction D, 0 to 26, of cell AT in a cube of SIDE cells each way, or -1.  */
BOTH_SIDES int
neighbour (int at, int d, int side)
{
  int x = at % side + d % 3 - 1, y = at / side % side + d / 3 % 3 - 1;
  int z = at / side / side + d / 9 - 1;
  if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side)
    return -1;
  return (z * side + y) * side + x;
}

/* Cell C has particles C * ROOM to C * ROOM + COUNTS[C] - 1, which stand near places of a lattice,
   so that none are too near to each other.  */
static inline void
prepare (struct particle *particles, int *counts, int side)
{
  unsigned long long state = 34;

  for (int c = 0; c < side * side * side; c++)
    {
      counts[c] = 0;
      for (int i = 0; i < ROOM; i++)
	if (i < LEAST || draw_below (&state, 3) == 0)
	  {
	    struct particle *p = particles + (long) c * ROOM + counts[c]++;
	    p->x = c % side + 0.25f * (i % 4) + draw_between (&state, 0, 0.08f);
	    p->y = c / side % side + 0.25f * (i / 4 % 4) + draw_between (&state, 0, 0.08f);
	    p->z = c / side / side + 0.25f * (i / 16) + draw_between (&state, 0, 0.08f);
	  }
    }
}

/* EXPECTED has three numbers for each of a cell's particles; those of places without one are as
   they were in FORCES.  */
static inline void
find_forces (const struct particle *particles, const int *counts, const float *forces,
	     float *expected, int side)
{
  memcpy (expected, forces, 3 * sizeof (float) * ROOM * side * side * side);
  for (int c = 0; c < side * side * side; c++)
    for (int i = 0; i < counts[c]; i++)
      {
	struct particle p = particles[(long) c * ROOM + i];
	double x = 0, y = 0, z = 0;
	for (int d = 0; d < 27; d++)
	  {
	    int other = neighbour (c, d, side);
	    for (int j = 0; other >= 0 && j < counts[other]; j++)
	      {
		struct particle q = particles[(long) other * ROOM + j];
		double dx = (double) p.x - q.x, dy = (double) p.y - q.y, dz = (double) p.z - q.z;
		double square = dx * dx + dy * dy + dz * dz;
		if (square < 1 && square > 0)
		  {
		    double s = 0.04 / square, cube = s * s * s;
		    double force = 24 * cube * (2 * cube - 1) / square;
		    x += force * dx;
		    y += force * dy;
		    z += force * dz;
		  }
	      }
	  }
	expected[((long) c * ROOM + i) * 3] = (float) x;
	expected[((long) c * ROOM + i) * 3 + 1] = (float) y;
	expected[((long) c * ROOM + i) * 3 + 2] = (float) z;
      }
}

#endif
