/* queens.h -- in how many ways N queens can be placed: sizes, the first rows, and the serial
   reference.  */

#ifndef QUEENS_H
#define QUEENS_H 1

#include "blocks.h"

/* The host places the queens of the first ROWS rows.  */
enum { MOST = 17, ROWS = 4, DEPTH = MOST - ROWS + 1, THREADS = 96 };

/* A board whose first rows have queens: the columns and diagonals in which the next row can't have
   one.  */
struct board
{
  unsigned columns, left, right;
};

static inline void
place_first (struct board b, int row, int n, struct board *boards, int *count)
{
  if (row == ROWS)
    {
      boards[(*count)++] = b;
      return;
    }
  for (unsigned free = ~(b.columns | b.left | b.right) & ((1u << n) - 1); free; free &= free - 1)
    {
      unsigned bit = free & -free;
      struct board next = { b.columns | bit, (b.left | bit) << 1, (b.right | bit) >> 1 };
      place_first (next, row + 1, n, boards, count);
    }
}

static inline struct board *
prepare (int n, int *count)
{
  struct board empty = { 0, 0, 0 }, *boards = ARRAY (struct board, n * n * n * n);

  *count = 0;
  place_first (empty, 0, n, boards, count);
  return boards;
}

/* The ways to place queens in the rows from ROW on.  */
static inline int
ways_from (struct board b, int row, int n)
{
  int ways = 0;

  if (row == n)
    return 1;
  for (unsigned free = ~(b.columns | b.left | b.right) & ((1u << n) - 1); free; free &= free - 1)
    {
      unsigned bit = free & -free;
      struct board next = { b.columns | bit, (b.left | bit) << 1, (b.right | bit) >> 1 };
      ways += ways_from (next, row + 1, n);
    }
  return ways;
}

static inline void
count_exactly (const struct board *boards, int count, int n, int *expected, int *expected_total)
{
  *expected_total = 0;
  for (int i = 0; i < count; i++)
    {
      expected[i] = ways_from (boards[i], ROWS, n);
      *expected_total += expected[i];
    }
}

#endif
