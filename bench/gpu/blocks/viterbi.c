/* viterbi.c -- the most likely states behind a sequence of observations, by each team: a thread for
   each state finds the best way to it from step to step, and one thread goes back along the way
   from the best last one.
   Needs up to 128 threads, a barrier a step, 8 KiB of bytes that all write and one reads, and
   threads that are idle at the end.  */

#include "viterbi.h"

static void
find (const int *moves, const int *shows, const unsigned char *symbols, int *paths, int sequences)
{
#pragma omp target teams num_teams (sequences) thread_limit (THREADS)
  {
    int scores[2][STATES];
    unsigned char from[LENGTH][STATES];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads ();
      const unsigned char *own = symbols + (long) omp_get_team_num () * LENGTH;
      int *path = paths + (long) omp_get_team_num () * LENGTH;

      for (int s = t; s < STATES; s += threads)
	scores[0][s] = shows[own[0] * STATES + s];
      for (int i = 1; i < LENGTH; i++)
	{
	  const int *before = scores[(i + 1) % 2];
#pragma omp barrier
	  for (int to = t; to < STATES; to += threads)
	    {
	      int best = before[0] + moves[to], origin = 0;
	      for (int s = 1; s < STATES; s++)
		{
		  int score = before[s] + moves[s * STATES + to];
		  if (score > best)
		    {
		      best = score;
		      origin = s;
		    }
		}
	      scores[i % 2][to] = best + shows[own[i] * STATES + to];
	      from[i][to] = (unsigned char) origin;
	    }
	}
#pragma omp barrier
      if (t == 0)
	{
	  const int *final = scores[(LENGTH + 1) % 2];
	  int last = 0;
	  for (int s = 1; s < STATES; s++)
	    if (final[s] > final[last])
	      last = s;
	  path[LENGTH - 1] = last;
	  for (int i = LENGTH - 1; i > 0; i--)
	    {
	      last = from[i][last];
	      path[i - 1] = last;
	    }
	}
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 1024, 2, 1 << 20);
  long n = (long) a.size * LENGTH;
  int *moves = ARRAY (int, STATES * STATES), *shows = ARRAY (int, SYMBOLS * STATES);
  int *paths = ARRAY (int, n), *expected = ARRAY (int, n);
  unsigned char *symbols = ARRAY (unsigned char, n);

  prepare (moves, shows, symbols, a.size);
  for (long i = 0; i < a.size; i++)
    find_exactly (moves, shows, symbols + i * LENGTH, expected + i * LENGTH);
#pragma omp target data map (to: moves[:STATES * STATES], shows[:SYMBOLS * STATES], symbols[:n]) \
			map (tofrom: paths[:n])
  MEASURE ("viterbi", a.repeats, find (moves, shows, symbols, paths, a.size));
  return verdict (integers_differ (paths, expected, n));
}
