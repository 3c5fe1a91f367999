/* merge.cpp -- numbers sorted by merging: blocks of 1024 by a team each, then pairs of ever longer
   runs, of which each team finds the parts that make its 1024 numbers.
   Needs functions and templates with an order that is a class, searches of each thread in team
   arrays of 16 KiB, numbers that one thread finds for its team, and launches in order.  */

#include "merge.h"

/* How many of the N numbers of the sorted RUN stand in front of X; those equal to it do where
   EQUAL.  */
template <typename T, typename Before>
static int
rank_in (const T *run, int n, T x, bool equal, Before before)
{
  int low = 0;
  while (n > 0)
    {
      int half = n / 2;
      if (before (run[low + half], x) || (equal && !before (x, run[low + half])))
	{
	  low += half + 1;
	  n -= half + 1;
	}
      else
	n = half;
    }
  return low;
}

/* How many of the first COUNT numbers of the merged runs A and B, of N each, are A's.  */
template <typename T, typename Before>
static int
part_of (const T *a, const T *b, int n, int count, Before before)
{
  int low = count > n ? count - n : 0, high = count < n ? count : n;
  while (low < high)
    {
      int middle = (low + high) / 2;
      if (before (b[count - middle - 1], a[middle]))
	high = middle;
      else
	low = middle + 1;
    }
  return low;
}

template <typename T, typename Before>
static void
sort_blocks (const T *in, T *out, int blocks, Before before)
{
#pragma omp target teams num_teams (blocks) thread_limit (THREADS)
  {
    T room[2][BLOCK];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads (), now = 0;
      long first = (long) omp_get_team_num () * BLOCK;

      for (int i = t; i < BLOCK; i += threads)
	room[0][i] = in[first + i];
      for (int run = 1; run < BLOCK; run *= 2)
	{
#pragma omp barrier
	  for (int i = t; i < BLOCK; i += threads)
	    {
	      int own = i / run * run, other = own ^ run;
	      int others = rank_in (room[now] + other, run, room[now][i], other < own, before);
	      room[1 - now][(own & ~run) + i - own + others] = room[now][i];
	    }
	  now = 1 - now;
	}
#pragma omp barrier
      for (int i = t; i < BLOCK; i += threads)
	out[first + i] = room[now][i];
    }
  }
}

template <typename T, typename Before>
static void
merge_runs (const T *in, T *out, int blocks, int run, Before before)
{
#pragma omp target teams num_teams (blocks) thread_limit (THREADS)
  {
    T room[BLOCK];
    int begin, end;
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads ();
      long first = (long) omp_get_team_num () * BLOCK, pair = first / (2 * run) * (2 * run);
      const T *a = in + pair, *b = a + run;
      int count = (int) (first - pair);

      if (t == 0)
	{
	  begin = part_of (a, b, run, count, before);
	  end = part_of (a, b, run, count + BLOCK, before);
	}
#pragma omp barrier
      int from_a = end - begin, from_b = BLOCK - from_a;
      for (int i = t; i < BLOCK; i += threads)
	room[i] = i < from_a ? a[begin + i] : b[count - begin + i - from_a];
#pragma omp barrier
      for (int i = t; i < BLOCK; i += threads)
	{
	  int place = i < from_a ? i + rank_in (room + from_a, from_b, room[i], false, before)
				 : i - from_a + rank_in (room, from_a, room[i], true, before);
	  out[first + place] = room[i];
	}
    }
  }
}

/* The result is in ONE if the number of passes is even, else in TWO.  */
template <typename T, typename Before>
static void
sort (const T *in, T *one, T *two, int passes, Before before)
{
  sort_blocks (in, one, 1 << passes, before);
  for (int pass = 0; pass < passes; pass++)
    merge_runs (pass % 2 ? two : one, pass % 2 ? one : two, 1 << passes, BLOCK << pass, before);
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 10, 2, 16);
  int n = BLOCK << a.size;
  long long *in = ARRAY (long long, n), *one = ARRAY (long long, n), *two = ARRAY (long long, n);
  long long *expected = ARRAY (long long, n);

  prepare (in, expected, n);
#pragma omp target data map (to: in[:n]) map (tofrom: one[:n], two[:n])
  MEASURE ("merge", a.repeats, sort (in, one, two, a.size, falling ()));
  return verdict (longs_differ (a.size % 2 ? two : one, expected, n));
}
