/* teams.c -- teams on the host: the teams run one after the other in the calling thread, each
   as an initial task with a contention group of its own.  Where nothing is under way in the calling
   thread's own initial task, that one becomes each of them in turn.  */

#include "host/abi.h"
#include "host/ompt.h"
#include "host/team.h"
#include "host/thread.h"

/* num_teams when neither the construct nor OMP_NUM_TEAMS says.  */
#define DEFAULT_TEAMS 3

/* All NUM_TEAMS teams of a league in the initial task that the calling thread is in, each with its
   ICVs and THREAD_LIMIT, or 0 for that of the ICVs.  False: the thread is in another task, or in a
   construct; nothing has been run.  Not with a tool.  */
static bool
run_in_place (gomp_fn fn, void *data, unsigned thread_limit, unsigned num_teams)
{
  struct gomp_thread *thr = gomp_self ();
  struct gomp_team *team = thr->team;
  if (thr->level != 0 || team->parent != NULL || thr->num_teams_minus_1 != 0)
    return false;
  struct gomp_solo *solo = (struct gomp_solo *) ((char *) team - offsetof (struct gomp_solo, team));
  struct gomp_task *task = &solo->task;
  /* Neither in an explicit task nor in a construct, and nothing is left that the end of the first
     team would wait for.  */
  if (thr->task != task || task->children.created != task->children.done
      || task->depend_table != NULL || task->data_regions != NULL || task->group != NULL || solo->ws.kind != GOMP_WORK_NONE)
    return false;

  struct gomp_icvs saved = task->icvs;
  unsigned limit = thread_limit != 0 ? thread_limit : saved.thread_limit;
  thr->num_teams_minus_1 = team->num_teams_minus_1 = num_teams - 1;
  for (unsigned i = 0; i < num_teams; i++)
    {
      thr->team_num = team->team_num = i;
      task->icvs.thread_limit = limit;
      fn (data);
      task->icvs = saved;
      gomp_solo_clean (thr, solo);
    }
  thr->num_teams_minus_1 = team->num_teams_minus_1 = 0;
  thr->team_num = team->team_num = 0;
  return true;
}

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
  if (reported || !run_in_place (fn, data, thread_limit, num_teams))
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
