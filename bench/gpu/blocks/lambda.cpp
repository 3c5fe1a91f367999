/* lambda.cpp -- the box around points and places of the points in it, by templates of a reduction
   and of a loop whose bodies are lambdas.
   Needs lambdas that travel with the launch and hold pointers of the device, a team array of a
   class, a barrier in a class, and kernels in order of many teams and one.  */

#include "lambda.h"

/* What a body is told of where it runs.  */
struct worker
{
  int team, teams, thread, threads;

  void
  wait () const
  {
#pragma omp barrier
  }
};

/* Calls BODY (worker, room) in all threads of TEAMS teams, which have an array of SIZE elements
   each.  */
template <typename T, int SIZE, typename Body>
static void
for_teams (int teams, Body body)
{
#pragma omp target teams num_teams (teams) thread_limit (THREADS)
  {
    T room[SIZE];
#pragma omp parallel TEAM_OF (THREADS)
    {
      worker w = { omp_get_team_num (), omp_get_num_teams (), omp_get_thread_num (),
		   omp_get_num_threads () };
      body (w, room);
    }
  }
}

/* RESULTS[TEAM] = the elements GET (I) of the team, I < N, put together by JOIN.  */
template <typename T, typename Get, typename Join>
static void
reduce (int teams, long n, T *results, T none, Get get, Join join)
{
  for_teams<T, THREADS> (teams, [=] (worker w, T *room)
  {
    T own = none;
    for (long i = (long) w.team * w.threads + w.thread; i < n; i += (long) w.teams * w.threads)
      own = join (own, get (i));
    room[w.thread] = own;
    for (int live = w.threads; live > 1;)
      {
	int half = (live + 1) / 2;
	w.wait ();
	if (w.thread + half < live)
	  room[w.thread] = join (room[w.thread], room[w.thread + half]);
	live = half;
      }
    if (w.thread == 0)
      results[w.team] = room[0];
  });
}

/* BODY (I) for each I < N.  */
template <typename Body>
static void
for_each (int teams, long n, Body body)
{
  for_teams<char, 1> (teams, [=] (worker w, char *)
  {
    for (long i = (long) w.team * w.threads + w.thread; i < n; i += (long) w.teams * w.threads)
      body (i);
  });
}

static void
sort_into_box (const float *points, int *places, box *parts, box *whole, long n, int teams)
{
#pragma omp target data use_device_ptr (points, places, parts, whole)
  {
    auto join = [] (const box &a, const box &b) { return around (a, b); };
    reduce (teams, n, parts, empty_box (), [=] (long i)
    {
      const float x = points[i], y = points[n + i], z = points[2 * n + i];
      return box { { x, y, z }, { x, y, z } };
    }, join);
    reduce (1, teams, whole, empty_box (), [=] (long i) { return parts[i]; }, join);
    for_each (teams, n, [=] (long i)
    {
      places[i] = place_in (*whole, points[i], points[n + i], points[2 * n + i]);
    });
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 2048, 5, 1 << 17);
  long n = (long) a.size * POINTS;
  float *points = ARRAY (float, 3 * n);
  int *places = ARRAY (int, n), *expected = ARRAY (int, n);
  box *parts = ARRAY (box, a.size), *whole = ARRAY (box, 1), expected_whole;

  prepare (points, expected, &expected_whole, n);
#pragma omp target data map (to: points[:3 * n]) map (tofrom: places[:n], whole[:1]) \
			map (alloc: parts[:a.size])
  MEASURE ("lambda", a.repeats, sort_into_box (points, places, parts, whole, n, a.size));
  return verdict (floats_differ (whole->low, expected_whole.low, 3, 0, 0)
		  || floats_differ (whole->high, expected_whole.high, 3, 0, 0)
		  || integers_differ (places, expected, n));
}
