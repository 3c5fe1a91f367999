/* Loops over teams and threads run each iteration once, with all schedules of both, in both directions, with
   lastprivate and collapse, up to the limits of unsigned types.
   TEST-MODES: host cpu gpu  */
#include "aux-check.h"

#define N 1000
static int hits[N];

static void
check (const char *what)
{
  for (int i = 0; i < N; i++)
    {
      if (hits[i] != 1)
	printf ("%s: iteration %d ran %d times\n", what, i, hits[i]), failures++;
      hits[i] = 0;
    }
}

#define P(x) _Pragma (#x)
#define LOOP(blocks, size, ...)							\
  do										\
    {										\
      P (omp target teams distribute parallel for num_teams (blocks) num_threads (size) \
	 map (tofrom: hits) __VA_ARGS__)					\
      for (int i = 3 * N; i > 0; i -= 3)					\
	hits[i / 3 - 1]++;							\
      check (#blocks " teams, " #size " threads " #__VA_ARGS__);		\
    }										\
  while (0)

int
main (void)
{
  LOOP (1, 1, schedule (static));
  LOOP (7, 3, schedule (static, 1));
  LOOP (7, 8, dist_schedule (static, 13) schedule (static, 5));
  LOOP (13, 8, schedule (dynamic));
  LOOP (5, 32, schedule (dynamic, 7));
  LOOP (400, 8, schedule (guided));
  LOOP (3, 2, schedule (guided, 4));
  LOOP (9, 8, schedule (auto));
  LOOP (9, 8, schedule (runtime));
  LOOP (9, 5, dist_schedule (static, 100) schedule (monotonic: dynamic, 3));

  int last = -1, sum = 0;
#pragma omp target teams distribute parallel for num_teams (6) collapse (2) map (tofrom: hits, last) \
  lastprivate (last)
  for (int i = 0; i < 25; i++)
    for (unsigned j = 40; j > 0; j--)
      {
	hits[i * 40 + j - 1]++;
	last = i * 100 + j;
      }
  check ("collapse");
  CHECK_EQUAL (last, 2401);

  unsigned long long first = ~0ull - 4000;
#pragma omp target teams distribute parallel for num_teams (6) schedule (dynamic, 3) map (tofrom: hits)
  for (unsigned long long u = first; u < ~0ull; u += 4)
    hits[(u - first) / 4]++;
  check ("unsigned");

#pragma omp target teams distribute num_teams (10) map (tofrom: hits, sum) reduction (+: sum)
  for (int k = 0; k < 10; k++)
    {
      int own = 0;
#pragma omp parallel for simd schedule (static, 32) reduction (+: own)
      for (int i = 0; i < N / 10; i++)
	{
	  hits[k * (N / 10) + i]++;
	  own += i;
	}
      sum += own;
    }
  check ("parallel for simd");
  CHECK_EQUAL (sum, 10 * 4950);
  return failures != 0;
}
