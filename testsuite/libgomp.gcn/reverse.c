/* Reverse offload: from one thread, from several teams and threads at a time, with all kinds of maps.
   MINGCC: 14  */
#include "aux-gcn.h"
#pragma omp requires reverse_offload

static int calls, on_host[8];
static __attribute__ ((noinline)) void
count (int i)
{
  __atomic_fetch_add (&calls, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add (&on_host[i], 1, __ATOMIC_RELAXED);
}

int
main (void)
{
  int r = 1, list[10] = { 0 };
#pragma omp target map (tofrom: r, list)
  {
    r += 2;
#pragma omp target device (ancestor: 1) map (always, tofrom: r) map (always, tofrom: list)
    {
      count (7);
      r *= 5;
      list[3] = 7;
    }
    r += list[3];
  }
  CHECK_EQUAL (calls, 1);
  CHECK_EQUAL (r, 22);
  CHECK_EQUAL (list[3], 7);

  /* Variables of the stack of the device, and firstprivate ones.  */
  long got = 0;
#pragma omp target map (tofrom: got)
  {
    long local[4] = { 1, 2, 3, 4 };
    int bias = 100;
    for (int i = 0; i < 3; i++)
#pragma omp target device (ancestor: 1) map (tofrom: local) firstprivate (bias, i)
      {
	count (7);
	for (int j = 0; j < 4; j++)
	  local[j] = local[j] * 2 + i + bias * (j == 0);
      }
    got = local[0] * 1000000 + local[1] * 10000 + local[2] * 100 + local[3];
  }
  CHECK_EQUAL (calls, 4);
  CHECK_EQUAL (got, 712 * 1000000l + 20 * 10000 + 28 * 100 + 36);

  /* Many at a time: each finds its own data.  */
  int wrong = 0, asked = 0;
#pragma omp target teams num_teams (4) thread_limit (2) map (tofrom: wrong, asked)
#pragma omp parallel
  for (int i = 0; i < 3; i++)
    {
      int mine = omp_get_team_num () * 100 + omp_get_thread_num () * 10 + i, answer = 0;
#pragma omp target device (ancestor: 1) map (to: mine) map (from: answer)
      {
	count (mine / 100);
	answer = mine * 3 + 1;
      }
      if (answer != mine * 3 + 1)
#pragma omp atomic
	wrong++;
#pragma omp atomic
      asked++;
    }
  int sum = 0;
  for (int i = 0; i < 4; i++)
    sum += on_host[i];
  CHECK_EQUAL (wrong, 0);
  CHECK_EQUAL (sum, asked);
  CHECK_EQUAL (asked >= 12 && asked % 12 == 0, 1);
  return failures != 0;
}
