/* Reductions over the threads of many teams: each operator and type, several numbers in one construct
   (for which compiled code takes a lock, or an atomic operation of 16 bytes), an array.
   TEST-MODES: host cpu gpu
   TEST-OPTIONS: -foffload-options=nvptx-none=-latomic  */
#include "aux-check.h"

#ifdef FEW
#define N 600
#define TEAMS(n) num_teams (3) thread_limit (96)
#else
#define N 6000
#define TEAMS(n) num_teams (n)
#endif

int
main (void)
{
  int i32 = 3, lowest = 1 << 30, bits = 0, all = 1, some = 0, different = 0;
  long i64 = -7, highest = -1;
  unsigned short small = 1;
  float f = 0.5f;
  double d = 0, smallest = 1e9;
  unsigned char both = 0xff;
  int array[5] = { 0 };

#pragma omp target teams distribute parallel for TEAMS (23) map (tofrom: i32) reduction (+: i32)
  for (int i = 0; i < N; i++)
    i32 += i % 5;
  CHECK_EQUAL (i32, 3 + 2 * N);

  /* Two numbers at once.  */
#pragma omp target teams distribute parallel for TEAMS (23) map (tofrom: i64, d) \
  reduction (+: i64, d)
  for (int i = 0; i < N; i++)
    {
      i64 += i;
      d += 0.25 * i;
    }
  CHECK_EQUAL (i64, -7 + (long) N * (N - 1) / 2);
  CHECK_EQUAL (d * 8, (long) N * (N - 1));

  /* Many, of all sizes and operators.  */
#pragma omp target teams distribute parallel for TEAMS (11) \
  map (tofrom: small, f, lowest, highest, smallest, bits, both, all, some, different) \
  reduction (+: small, f) reduction (min: lowest, smallest) reduction (max: highest) \
  reduction (|: bits) reduction (&: both) reduction (&&: all) reduction (||: some) \
  reduction (^: different)
  for (int i = 1; i < N; i++)
    {
      small += 1;
      f += 1;
      lowest = i < lowest ? i : lowest;
      smallest = i / 2.0 < smallest ? i / 2.0 : smallest;
      highest = i > highest ? i : highest;
      bits |= 1 << i % 20;
      both &= i % 2 ? 0xf7 : 0x7f;
      all = all && i > 0;
      some = some || i == N - 1;
      different ^= i;
    }
  int want = 0;
  for (int i = 1; i < N; i++)
    want ^= i;
  CHECK_EQUAL (small, N);
  CHECK_EQUAL (f * 2, 2 * N - 1);
  CHECK_EQUAL (lowest, 1);
  CHECK_EQUAL (smallest * 2, 1);
  CHECK_EQUAL (highest, N - 1);
  CHECK_EQUAL (bits, (1 << 20) - 1);
  CHECK_EQUAL (both, 0x77);
  CHECK_EQUAL (all * 10 + some, 11);
  CHECK_EQUAL (different, want);

#pragma omp target teams distribute parallel for TEAMS (7) map (tofrom: array) reduction (+: array)
  for (int i = 0; i < N; i++)
    array[i % 5] += i % 5 + 1;
  for (int k = 0; k < 5; k++)
    CHECK_EQUAL (array[k], N / 5 * (k + 1));

  /* Of the teams, without threads; of threads inside of teams.  */
  long teams = 0, inside = 0;
#pragma omp target teams TEAMS (300) map (tofrom: teams, inside) reduction (+: teams, inside)
  {
    int mine = 0;
#pragma omp parallel reduction (+: mine) num_threads (4)
    mine += 1;
    int count = 0;
#pragma omp parallel num_threads (4)
#pragma omp single
    count = omp_get_num_threads ();
    teams++;
    inside += mine == count;
  }
  CHECK_EQUAL (teams > 0, 1);
  CHECK_EQUAL (inside, teams);
  return failures != 0;
}
