/* Many teams of several threads call the host at the same time, while the waves take turns in the worst order:
   each finds its own data, and every call is made once.
   TEST-ENV: GCN_SIM_ORDER=adversarial
   TEST-ENV: GCN_SIM_BUDGET=300
   MINGCC: 14  */

#include "aux-gcn.h"
#pragma omp requires reverse_offload

enum { TEAMS = 8, THREADS = 4, CALLS = 6 };

static int calls;

/* On the host.  */
static void __attribute__ ((noinline))
count (void)
{
  __atomic_fetch_add (&calls, 1, __ATOMIC_RELAXED);
}

int
main (void)
{
  int wrong = 0, threads = 0;
  long sum = 0;
#pragma omp target teams num_teams (TEAMS) thread_limit (THREADS) map (tofrom: wrong, sum, threads)
#pragma omp parallel
  {
    int me = omp_get_team_num () * THREADS + omp_get_thread_num ();
    if (me == 0)
      threads = omp_get_num_threads ();
    for (int i = 0; i < CALLS; i++)
      {
	long mine[3] = { me, i, 0 };
#pragma omp target device (ancestor: 1) map (tofrom: mine) firstprivate (me, i)
	{
	  count ();
	  mine[2] = mine[0] * 100 + mine[1];
	  if (mine[0] != me || mine[1] != i)
	    mine[2] = -1;
	}
	if (mine[2] != me * 100 + i)
#pragma omp atomic
	  wrong++;
#pragma omp atomic
	sum += mine[2];
      }
  }
  long expected = 0;
  for (int team = 0; team < TEAMS; team++)
    for (int thread = 0; thread < threads; thread++)
      for (int i = 0; i < CALLS; i++)
	expected += (team * THREADS + thread) * 100 + i;
  CHECK_EQUAL (wrong, 0);
  CHECK_EQUAL (calls, TEAMS * threads * CALLS);
  CHECK_EQUAL (sum, expected);
  return failures != 0;
}
