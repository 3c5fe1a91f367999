/* lambda.cu -- the kernels of lambda.cpp in CUDA.  */

#include "lambda.h"

struct worker
{
  int team, teams, thread, threads;

  __device__ void
  wait () const
  {
    __syncthreads ();
  }
};

template <typename T, int SIZE, typename Body>
static __global__ void
call_body (Body body)
{
  __shared__ T room[SIZE];
  worker w = { (int) blockIdx.x, (int) gridDim.x, (int) threadIdx.x, THREADS };
  body (w, room);
}

template <typename T, int SIZE, typename Body>
void
for_teams (int teams, Body body)
{
  call_body<T, SIZE><<<teams, THREADS>>> (body);
}

template <typename T, typename Get, typename Join>
void
reduce (int teams, long n, T *results, T none, Get get, Join join)
{
  for_teams<T, THREADS> (teams, [=] __device__ (worker w, T *room)
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

template <typename Body>
void
for_each (int teams, long n, Body body)
{
  for_teams<char, 1> (teams, [=] __device__ (worker w, char *)
  {
    for (long i = (long) w.team * w.threads + w.thread; i < n; i += (long) w.teams * w.threads)
      body (i);
  });
}

void
sort_into_box (const float *points, int *places, box *parts, box *whole, long n, int teams)
{
  auto join = [] __device__ (const box &a, const box &b) { return around (a, b); };
  reduce (teams, n, parts, empty_box (), [=] __device__ (long i)
  {
    const float x = points[i], y = points[n + i], z = points[2 * n + i];
    return box { { x, y, z }, { x, y, z } };
  }, join);
  reduce (1, teams, whole, empty_box (), [=] __device__ (long i) { return parts[i]; }, join);
  for_each (teams, n, [=] __device__ (long i)
  {
    places[i] = place_in (*whole, points[i], points[n + i], points[2 * n + i]);
  });
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 2048, 5, 1 << 17);
  long n = (long) a.size * POINTS;
  float *points = ARRAY (float, 3 * n);
  int *places = ARRAY (int, n), *expected = ARRAY (int, n);
  box *parts = ARRAY (box, a.size), whole, expected_whole;

  prepare (points, expected, &expected_whole, n);
  float *d_points = on_device (points, 3 * n);
  int *d_places = on_device (places, n);
  box *d_parts = on_device (parts, a.size), *d_whole = on_device (parts, 1);
  MEASURE ("lambda", a.repeats, sort_into_box (d_points, d_places, d_parts, d_whole, n, a.size));
  from_device (places, d_places, n);
  from_device (&whole, d_whole, 1);
  return verdict (floats_differ (whole.low, expected_whole.low, 3, 0, 0)
		  || floats_differ (whole.high, expected_whole.high, 3, 0, 0)
		  || integers_differ (places, expected, n));
}
