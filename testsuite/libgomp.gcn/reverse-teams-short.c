/* Many teams of several threads make the shortest calls of the host, with one item and without any, while the waves take
   turns in the worst order: our device library has a form of its own for these.
   TEST-ENV: GCN_SIM_ORDER=adversarial
   TEST-ENV: GCN_SIM_BUDGET=60
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
#pragma omp target teams num_teams (TEAMS) thread_limit (THREADS) map (tofrom: wrong, threads)
#pragma omp parallel
  {
    if (omp_get_team_num () == 0 && omp_get_thread_num () == 0)
      threads = omp_get_num_threads ();
    for (int i = 0; i < CALLS; i++)
      {
	int x = i + 100 * omp_get_thread_num (), before = x;
#pragma omp target device (ancestor: 1) map (tofrom: x)
	{
	  count ();
	  x += 5;
	}
#pragma omp target device (ancestor: 1)
	count ();
	if (x != before + 5)
#pragma omp atomic
	  wrong++;
      }
  }
  CHECK_EQUAL (wrong, 0);
  CHECK_EQUAL (calls, TEAMS * threads * CALLS * 2);
  return failures != 0;
}
