/* Functions called through pointers of the host: "declare target indirect", first from one team: GCC's device
   library makes its table at the start of a region, and other teams do not wait for it.
   MINGCC: 14  */
#include "aux-gcn.h"

#pragma omp begin declare target indirect
static int add_one (int x) { return x + 1; }
static int twice (int x) { return x * 2; }
static int square (int x) { return x * x; }
#pragma omp end declare target

int
main (void)
{
  int (*functions[]) (int) = { add_one, twice, square };
  int results[5] = { 0 }, order = 0;
  int (*f) (int) = square;
#pragma omp target map (tofrom: order) firstprivate (f)
  order = f (12) + (f == NULL);
  CHECK_EQUAL (order, 144);
#pragma omp target teams num_teams (5) map (to: functions) map (tofrom: results)
#pragma omp distribute dist_schedule (static, 1)
  for (int i = 0; i < 5; i++)
    {
      int x = i + 3;
      for (int j = 0; j < 3; j++)
	x = functions[(i + j) % 3] (x);
      results[i] = x;
    }
  for (int i = 0; i < 5; i++)
    {
      int x = i + 3;
      for (int j = 0; j < 3; j++)
	x = functions[(i + j) % 3] (x);
      CHECK_EQUAL (results[i], x);
    }
  return failures != 0;
}
