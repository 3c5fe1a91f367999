/* queens.c -- in how many ways N queens can be placed: each thread goes back and forth through the
   rows below a board whose first four rows have queens, with a stack of its own in arrays of the
   team.
   Needs team arrays that hold a column for each thread, teams of 96 threads, threads of very
   different work, and sums of the team and of all.  */

#include "queens.h"

static void
count_ways (const struct board *boards, int *ways, int *total, int count, int n)
{
#pragma omp target teams num_teams ((count + THREADS - 1) / THREADS) thread_limit (THREADS)
  {
    unsigned columns[DEPTH][THREADS], left[DEPTH][THREADS], right[DEPTH][THREADS];
    unsigned free[DEPTH][THREADS];
    int team_ways = 0;
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), first = omp_get_team_num () * THREADS, own = 0;
      int end = first + THREADS < count ? first + THREADS : count;
      unsigned all = (1u << n) - 1;

      for (int i = first + t; i < end; i += omp_get_num_threads ())
	{
	  int row = 0, found = 0;

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
	  own += found;
	}
#pragma omp atomic
      team_ways += own;
#pragma omp barrier
      if (t == 0)
	{
#pragma omp atomic
	  *total += team_ways;
	}
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 13, 7, MOST);
  int n = a.size < ROWS + 1 ? ROWS + 1 : a.size, count, total = 0, expected_total;
  struct board *boards = prepare (n, &count);
  int *ways = ARRAY (int, count), *expected = ARRAY (int, count);

  count_exactly (boards, count, n, expected, &expected_total);
#pragma omp target data map (to: boards[:count]) map (tofrom: ways[:count], total)
  MEASURE ("queens", a.repeats, count_ways (boards, ways, &total, count, n));
  /* The kernel was executed once more than it was measured, and the sum may wrap.  */
  expected_total = (int) ((unsigned) expected_total * (a.repeats + 1u));
  return verdict (integers_differ (ways, expected, count)
		  || integers_differ (&total, &expected_total, 1));
}
