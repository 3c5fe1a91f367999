/* near.c -- the eight nearest points to a query by each team: its threads look through the points
   and put what is nearer than the farthest so far into the team's list, one at a time.
   Needs a critical construct that many threads of a team enter, in other teams at the same time,
   and a number of the team that others read while it is written.  */

#include "near.h"

static void
find (const short *points, const short *queries, int *nearest, int n)
{
#pragma omp target teams num_teams (n) thread_limit (THREADS)
  {
    struct found best[NEAREST];
    short query[DIMENSIONS];
    int farthest = 1 << 30;
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads ();
      long team = omp_get_team_num ();

      for (int k = t; k < NEAREST; k += threads)
	best[k].distance = best[k].index = 1 << 30;
      for (int d = t; d < DIMENSIONS; d += threads)
	query[d] = queries[team * DIMENSIONS + d];
#pragma omp barrier
      for (int i = t; i < POINTS; i += threads)
	{
	  struct found x = { distance_of (points + i * DIMENSIONS, query), i };
	  int limit;
#pragma omp atomic read
	  limit = farthest;
	  if (x.distance <= limit)
	    {
#pragma omp critical
	      {
		insert (best, x);
#pragma omp atomic write
		farthest = best[NEAREST - 1].distance;
	      }
	    }
	}
#pragma omp barrier
      for (int k = t; k < NEAREST; k += threads)
	nearest[team * NEAREST + k] = best[k].index;
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 1024, 3, 1 << 18);
  long n = (long) a.size * NEAREST, query_size = (long) a.size * DIMENSIONS;
  short *points = ARRAY (short, POINTS * DIMENSIONS), *queries = ARRAY (short, query_size);
  int *nearest = ARRAY (int, n), *expected = ARRAY (int, n);

  prepare (points, queries, expected, a.size);
#pragma omp target data map (to: points[:POINTS * DIMENSIONS], queries[:query_size]) \
			map (tofrom: nearest[:n])
  MEASURE ("near", a.repeats, find (points, queries, nearest, a.size));
  return verdict (integers_differ (nearest, expected, n));
}
