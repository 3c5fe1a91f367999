/* wavefront.h -- the local alignment of two texts by Smith and Waterman: sizes, scores, input and
   the serial reference.  */

#ifndef WAVEFRONT_H
#define WAVEFRONT_H 1

#include "blocks.h"

/* A tile has so many rows and columns.  */
enum { TILE = 64, THREADS = TILE };
enum { SAME = 3, OTHER = -2, GAP = -2 };

/* The best alignment that ends in a cell, from those that end left of it, above it and before
   both.  */
BOTH_SIDES int
score_of (int left, int above, int diagonal, char a, char b)
{
  int score = diagonal + (a == b ? SAME : OTHER);
  score = left + GAP > score ? left + GAP : score;
  score = above + GAP > score ? above + GAP : score;
  return score > 0 ? score : 0;
}

/* Diagonals of tiles, of which there are N * N: the row of the first, and how many there are.  */
static inline int
first_row (int diagonal, int n)
{
  return diagonal < n ? 0 : diagonal - n + 1;
}

static inline int
tiles_in (int diagonal, int n)
{
  return diagonal < n ? diagonal + 1 : 2 * n - 1 - diagonal;
}

/* Makes two texts, of which the second is noise and pieces of the first with faults in turn; the
   table of scores, whose first row and column are zeros; and the best score of each tile.  */
static inline void
prepare (char *a, char *b, int *expected, int *expected_best, int n)
{
  unsigned long long state = 5;
  int length = n * TILE;
  long width = length + 1;

  for (int i = 0; i < length; i++)
    a[i] = "acgt"[draw_below (&state, 4)];
  for (int i = 0, from = 0; i < length; i++, from = (from + 1) % length)
    {
      if (i % 50 == 0)
	from = draw_below (&state, (unsigned) length);
      if (draw_below (&state, 20) == 0)
	from = (from + 1) % length;
      b[i] = i / 50 % 2 == 0 || draw_below (&state, 10) == 0 ? "acgt"[draw_below (&state, 4)]
								  : a[from];
    }

  memset (expected_best, 0, (size_t) n * n * sizeof *expected_best);
  for (int i = 0; i <= length; i++)
    for (int j = 0; j <= length; j++)
      {
	int *cell = expected + i * width + j;
	*cell = 0;
	if (i > 0 && j > 0)
	  *cell = score_of (cell[-1], cell[-width], cell[-width - 1], a[i - 1], b[j - 1]);
	if (*cell > 0)
	  {
	    int *best = expected_best + (i - 1) / TILE * n + (j - 1) / TILE;
	    *best = *cell > *best ? *cell : *best;
	  }
      }
}

#endif
