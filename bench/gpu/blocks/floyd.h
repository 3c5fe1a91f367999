/* floyd.h -- the shortest ways between all pairs of vertices: sizes, input and the serial
   reference.  */

#ifndef FLOYD_H
#define FLOYD_H 1

#include "blocks.h"

/* A thread has ROWS cells of a tile, one below the other.  */
enum { TILE = 32, THREADS = 256, ROWS = TILE * TILE / THREADS, STEP = TILE / ROWS };
/* No way; the sum of two fits.  */
enum { FAR = 1 << 29 };

/* Each vertex has edges to four of its neighbourhood and to two anywhere; a part of the vertices
   can't be got to.  */
static inline void
prepare (int *lengths, int *expected, int n)
{
  unsigned long long state = 25;

  for (long i = 0; i < (long) n * n; i++)
    lengths[i] = FAR;
  for (int v = 0; v < n; v++)
    {
      lengths[(long) v * n + v] = 0;
      for (int e = 0; e < 6; e++)
	{
	  int to = e < 4 ? (v + 1 + draw_below (&state, 20)) % n : draw_below (&state, n);
	  int length = 1 + draw_below (&state, e < 4 ? 100 : 10000);
	  if (to != v && to % 50 != 7)
	    lengths[(long) v * n + to] = length;
	}
    }
  memcpy (expected, lengths, (size_t) n * n * sizeof (int));
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      {
	int to = expected[(long) i * n + k], *row = expected + (long) i * n;
	if (to < FAR)
	  for (int j = 0; j < n; j++)
	    {
	      int length = to + expected[(long) k * n + j];
	      row[j] = length < row[j] ? length : row[j];
	    }
      }
}

#endif
