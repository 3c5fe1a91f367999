/* teams.c -- teams on the host: the teams run one after the other in the calling thread, each
   as an initial task with a contention group of its own.  Where nothing is under way in the calling
   thread's own initial task, that one becomes each of them in turn.  */

#include "host/abi.h"
#include "host/ompt.h"
#include "host/thread.h"

/* num_teams when neither the construct nor OMP_NUM_TEAMS says.  */
#define DEFAULT_TEAMS 3

GOMP_EXPORT void
GOMP_teams_reg (gomp_fn fn, void *data, unsigned num_teams, unsigned thread_limit,
		unsigned flags)
{
  (void) flags;

  /* Relaxed: settings.  */
  if (num_teams == 0)
    num_teams = gomp_load_relaxed (&gomp_global_icvs.xnum_teams);
  if (num_teams == 0)
    num_teams = DEFAULT_TEAMS;
  if (thread_limit == 0)
    thread_limit = gomp_load_relaxed (&gomp_global_icvs.xteams_thread_limit);
  if (thread_limit > INT_MAX)
    thread_limit = UINT_MAX;

  struct gomp_ompt_region region;
  bool reported = gomp_ompt_on ();
  if (reported)
    gomp_ompt_teams_begin (&region, gomp_self (), fn, num_teams, GOMP_OMPT_CALL);
  if (reported || !gomp_run_as_league (fn, data, thread_limit, num_teams))
    {
      struct gomp_icvs icvs = *gomp_icvs ();
      if (thread_limit != 0)
	icvs.thread_limit = thread_limit;
      for (unsigned team = 0; team < num_teams; team++)
	gomp_run_as_team (fn, data, &icvs, team, num_teams);
    }
  if (reported)
    gomp_ompt_teams_end (&region, gomp_self ());
}
