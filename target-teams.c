/* target-teams.c -- teams constructs in target regions that the host runs.

   Generated code calls GOMP_teams4 until it answers false and runs the teams region once for every
   true: the host runs the teams one after another, as many as the program has to get at least.  A
   cpu device does the same; there the launch may ask for more than the region itself.  */

#include "libgomp.h"
#include "host/icv.h"
#include "host/thread.h"
#include "host/worker.h"
#include "target-abi.h"

static void
set_thread_limit (struct gomp_thread *thr, unsigned limit)
{
  if (limit != 0)
    {
      thr->task->icvs.thread_limit = limit > INT_MAX ? UINT_MAX : limit;
      thr->icvs_set++;
    }
}

bool
GOMP_teams4 (unsigned num_teams_lower, unsigned num_teams_upper, unsigned thread_limit, bool first)
{
  struct gomp_thread *thr = gomp_self ();

  (void) num_teams_upper;	/* the host needs no more than the lower bound */
  if (first)
    {
      if (gomp_unlikely (gomp_worker.active))
	gomp_worker_teams (&num_teams_lower, &thread_limit);
      set_thread_limit (thr, thread_limit);
      thr->num_teams_minus_1 = num_teams_lower > 0 ? num_teams_lower - 1 : 0;
      thr->team_num = 0;
      return true;
    }
  if (thr->team_num >= thr->num_teams_minus_1)
    return false;
  thr->team_num++;
  return true;
}

void
GOMP_teams (unsigned num_teams, unsigned thread_limit)
{
  (void) num_teams;
  set_thread_limit (gomp_self (), thread_limit);
}
