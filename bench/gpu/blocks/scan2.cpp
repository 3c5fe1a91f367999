/* scan2.cpp -- the sums of all numbers before each, in three kernels: the sum of each block, the
   sums of all blocks before each, and the sums within the blocks on top of them.
   Needs 256 threads, barriers in a function that a team calls, four numbers of a thread kept over
   them, and kernels in order: many teams, one, many.  */

#include "scan2.h"

/* The sum of OWN of thread 0 to this one, by all threads of the team; all find that of thread T in
   ROOM[T] behind the next barrier.  */
template <typename T>
static T
sum_to_here (T own, T *room, int t)
{
  room[t] = own;
  for (int distance = 1; distance < THREADS; distance *= 2)
    {
#pragma omp barrier
      T other = t >= distance ? room[t - distance] : 0;
#pragma omp barrier
      own += other;
      room[t] = own;
    }
  return own;
}

template <typename T>
static void
add_blocks (const T *in, T *sums, int blocks)
{
#pragma omp target teams num_teams (blocks) thread_limit (THREADS)
  {
    T room[THREADS];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num ();
      const T *block = in + (long) omp_get_team_num () * BLOCK;
      T own = 0;

      for (int k = 0; k < EACH; k++)
	own += block[t + k * THREADS];
      room[t] = own;
      for (int half = THREADS / 2; half > 0; half /= 2)
	{
#pragma omp barrier
	  if (t < half)
	    room[t] += room[t + half];
	}
      if (t == 0)
	sums[omp_get_team_num ()] = room[0];
    }
  }
}

/* In place.  */
template <typename T>
static void
scan_sums (T *sums, int blocks)
{
#pragma omp target teams num_teams (1) thread_limit (THREADS)
  {
    T room[THREADS];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num ();
      T before = 0;

      for (int first = 0; first < blocks; first += THREADS)
	{
	  T own = first + t < blocks ? sums[first + t] : 0;
	  T to_here = sum_to_here (own, room, t);

	  if (first + t < blocks)
	    sums[first + t] = before + to_here - own;
#pragma omp barrier
	  before += room[THREADS - 1];
#pragma omp barrier
	}
    }
  }
}

template <typename T>
static void
scan_blocks (const T *in, T *out, const T *sums, int blocks, int *threads)
{
#pragma omp target teams num_teams (blocks) thread_limit (THREADS)
  {
    T room[THREADS];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), team = omp_get_team_num ();
      long at = (long) team * BLOCK + t * EACH;
      T numbers[EACH], own = 0;

      for (int k = 0; k < EACH; k++)
	{
	  numbers[k] = in[at + k];
	  own += numbers[k];
	}
      T before = sums[team] + sum_to_here (own, room, t) - own;
      for (int k = 0; k < EACH; k++)
	{
	  out[at + k] = before;
	  before += numbers[k];
	}
      if (at == 0)
	*threads = omp_get_num_threads ();
    }
  }
}

template <typename T>
static void
scan (const T *in, T *out, T *sums, int blocks, int *threads)
{
  add_blocks (in, sums, blocks);
  scan_sums (sums, blocks);
  scan_blocks (in, out, sums, blocks, threads);
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 8192, 5, 1 << 18);
  long n = (long) a.size * BLOCK;
  long long *in = ARRAY (long long, n), *out = ARRAY (long long, n);
  long long *expected = ARRAY (long long, n);
  long long *sums = ARRAY (long long, a.size);
  int threads = 0;

  prepare (in, expected, n);
#pragma omp target data map (to: in[:n]) map (tofrom: out[:n], threads) map (alloc: sums[:a.size])
  MEASURE ("scan2", a.repeats, scan (in, out, sums, a.size, &threads));
  explain_threads (threads, THREADS);
  return verdict (longs_differ (out, expected, n));
}
