/* queens.cu -- the kernel of queens.c in CUDA.  */

#include "queens.h"

static __global__ void
count_ways (const board *boards, int *ways, int *total, int count, int n)
{
  __shared__ unsigned columns[DEPTH][THREADS], left[DEPTH][THREADS], right[DEPTH][THREADS];
  __shared__ unsigned free[DEPTH][THREADS];
  __shared__ int team_ways;
  int t = threadIdx.x, i = blockIdx.x * THREADS + t, found = 0;
  unsigned all = (1u << n) - 1;

  if (t == 0)
    team_ways = 0;
  __syncthreads ();
  if (i < count)
    {
      int row = 0;

      columns[0][t] = boards[i].columns;
      left[0][t] = boards[i].left;
      right[0][t] = boards[i].right;
      free[0][t] = all & ~(columns[0][t] | left[0][t] | right[0][t]);
      while (row >= 0)
	if (free[row][t] == 0)
	  row--;
	else
	  {
	    unsigned bit = free[row][t] & -free[row][t];

	    free[row][t] ^= bit;
	    if (row == n - ROWS - 1)
	      found++;
	    else
	      {
		columns[row + 1][t] = columns[row][t] | bit;
		left[row + 1][t] = (left[row][t] | bit) << 1;
		right[row + 1][t] = (right[row][t] | bit) >> 1;
		row++;
		free[row][t] = all & ~(columns[row][t] | left[row][t] | right[row][t]);
	      }
	  }
      ways[i] = found;
    }
  atomicAdd (&team_ways, found);
  __syncthreads ();
  if (t == 0)
    atomicAdd (total, team_ways);
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 13, 7, MOST);
  int n = a.size < ROWS + 1 ? ROWS + 1 : a.size, count, total = 0, expected_total;
  board *boards = prepare (n, &count);
  int *ways = ARRAY (int, count), *expected = ARRAY (int, count);

  count_exactly (boards, count, n, expected, &expected_total);
  board *d_boards = on_device (boards, count);
  int *d_ways = on_device (ways, count), *d_total = on_device (&total, 1);
  MEASURE ("queens", a.repeats, count_ways<<<(count + THREADS - 1) / THREADS, THREADS>>> (
	     d_boards, d_ways, d_total, count, n));
  from_device (ways, d_ways, count);
  from_device (&total, d_total, 1);
  expected_total = (int) ((unsigned) expected_total * (a.repeats + 1u));
  return verdict (integers_differ (ways, expected, count)
		  || integers_differ (&total, &expected_total, 1));
}
