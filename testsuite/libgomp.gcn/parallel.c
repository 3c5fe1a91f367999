/* What threads of a team do together: barriers, critical, atomics of all sizes, single, masked, sections, ordered,
   all schedules, regions of several sizes one after the other.  */
#include <stdint.h>
#include "aux-gcn.h"

enum { N = 100 };
#pragma omp declare target
static int hist[64], cell[16];
static int64_t count64;
static uint32_t count32, toggles;
static double sum64;
static float sum32;
#pragma omp end declare target

int
main (void)
{
  int r = 0, singles = 0, masters = 0, late = 0, order = 0, disorder = 0, copied = 0, threads = 0;
  static int hits[6][N];
#pragma omp target map (tofrom: r, singles, masters, late, order, disorder, copied, threads, hits)
#pragma omp parallel num_threads (8)
  {
    int me = omp_get_thread_num (), n = omp_get_num_threads (), mine = -1;
    if (me == 0)
      threads = n;
#pragma omp atomic
    hist[me & 63]++;
#pragma omp atomic
    count64 += 3;
#pragma omp atomic
    sum64 += 1.5;
#pragma omp atomic
    sum32 += 0.5f;
#pragma omp atomic
    count32++;
#pragma omp atomic
    toggles ^= 1u << me;
    /* What one has written before a barrier, all see after it.  */
    for (int round = 0; round < 5; round++)
      {
	cell[me] = round * 100 + me;
#pragma omp barrier
	int other = (me + round + 1) % n;
	if (cell[other] != round * 100 + other)
	  {
#pragma omp atomic
	    late++;
	  }
#pragma omp barrier
      }
#pragma omp critical
    r += 1;
#pragma omp critical (name)
    r += 2;
#pragma omp single
    singles += 100;
#pragma omp single copyprivate (mine)
    mine = 4711;
    if (mine == 4711)
      {
#pragma omp atomic
	copied++;
      }
#pragma omp master
    masters += 7;
#pragma omp for schedule (dynamic, 2)
    for (int i = 0; i < N; i++)
      hits[0][i]++;
#pragma omp for schedule (guided) ordered
    for (int i = 0; i < N; i++)
      {
	hits[1][i]++;
#pragma omp ordered
	{
	  disorder += order != i;
	  order = i + 1;
	}
      }
#pragma omp for schedule (static, 3) nowait
    for (int i = 0; i < N; i++)
      hits[2][i]++;
#pragma omp for schedule (runtime)
    for (uint64_t i = 0; i < N; i++)
      hits[3][i]++;
#pragma omp for schedule (monotonic: dynamic, 7)
    for (int64_t i = N - 1; i >= 0; i--)
      hits[4][i]++;
#pragma omp for collapse (2)
    for (int i = 0; i < 10; i++)
      for (int j = 0; j < 10; j++)
	hits[5][i * 10 + j]++;
#pragma omp sections reduction (+: r)
    {
#pragma omp section
      r += 1;
#pragma omp section
      r += 2;
#pragma omp section
      r += 4;
    }
  }
#pragma omp target update from (hist, count64, count32, toggles, sum64, sum32)
  CHECK_EQUAL (r, threads * 3 + 7);
  CHECK_EQUAL (singles, 100);
  CHECK_EQUAL (masters, 7);
  CHECK_EQUAL (copied, threads);
  CHECK_EQUAL (late, 0);
  CHECK_EQUAL (disorder, 0);
  CHECK_EQUAL (order, N);
  CHECK_EQUAL (count64, 3 * threads);
  CHECK_EQUAL (count32, threads);
  CHECK_EQUAL (toggles, (1u << threads) - 1);
  CHECK_EQUAL (sum64 * 2, 3 * threads);
  CHECK_EQUAL (sum32 * 2, threads);
  for (int i = 0; i < 64; i++)
    CHECK_EQUAL (hist[i], i < threads);
  for (int l = 0; l < 6; l++)
    for (int i = 0; i < N; i++)
      CHECK_EQUAL (hits[l][i], 1);

  /* Regions of several sizes in one kernel.  */
  int sizes = 0, wrong = 0;
#pragma omp target map (tofrom: sizes, wrong)
  for (int want = 1; want <= 4; want++)
    {
      int here = 0;
#pragma omp parallel num_threads (want) reduction (+: here)
      here += omp_get_level () == 1 && omp_in_parallel () == (want > 1);
      sizes += here;
      wrong += here > want;
    }
  CHECK_EQUAL (wrong, 0);
  CHECK_EQUAL (sizes >= 4 && sizes <= 10, 1);
  return failures != 0;
}
