/* teams.c -- teams on the host: the teams run one after the other in the calling thread, each
   as an initial task with a contention group of its own.  Where nothing is under way in the calling
   thread's own initial task, that one becomes each of them in turn.  */

#include "host/abi.h"
#include "host/ompt.h"
#include "host/team.h"
#include "host/thread.h"

/* num_teams when neither the construct nor OMP_NUM_TEAMS says.  */
#define DEFAULT_TEAMS 3

/* Not zero if a team has left something in SOLO that the next one may not find, or is not through with
   it: children, dependences, target data, a taskgroup, a construct.  A number, so that it takes one
   branch to ask for all of it.  There is no tool, and nothing can be cancelled outside of regions.  */
static inline uintptr_t
left_mark (const struct gomp_solo *solo)
{
  const struct gomp_task *task = &solo->task;
  return task->children.created | (uintptr_t) task->depend_table | (uintptr_t) task->data_regions
	 | (uintptr_t) task->group | solo->ws.kind;
}

/* What was left is gone, or it does not matter: a team can begin in SOLO.  */
static bool __attribute__ ((noinline))
may_begin (const struct gomp_solo *solo)
{
  const struct gomp_task *task = &solo->task;
  return task->children.created == task->children.done && task->depend_table == NULL
	 && task->data_regions == NULL && task->group == NULL && solo->ws.kind == GOMP_WORK_NONE;
}

/* All NUM_TEAMS teams of a league in the initial task that the calling thread is in, each with its
   ICVs and THREAD_LIMIT, or 0 for that of the ICVs.  False: the thread is in another task, or in a
   construct; nothing has been run.  Not with a tool.  */
static inline bool __attribute__ ((always_inline))
run_in_place (gomp_fn fn, void *data, unsigned thread_limit, unsigned num_teams)
{
  struct gomp_thread *thr = gomp_self ();
  struct gomp_team *team = thr->team;
  if (gomp_unlikely ((thr->level | thr->num_teams_minus_1 | (uintptr_t) team->parent) != 0))
    return false;
  struct gomp_solo *solo = (struct gomp_solo *) ((char *) team - offsetof (struct gomp_solo, team));
  struct gomp_task *task = &solo->task;
  /* Neither in an explicit task nor in a construct, and nothing is left that the end of the first
     team would wait for.  */
  if (gomp_unlikely (thr->task != task)
      || (gomp_unlikely (left_mark (solo) != 0) && !may_begin (solo)))
    return false;

  struct gomp_icvs saved = task->icvs;
  /* In memory as a whole: copied by few wide instructions.  */
  __asm__ ("" : "+m" (saved));
  unsigned icvs_set = thr->icvs_set;
  /* Only the thread's: those of the team are for threads that come to it, and there are none.  */
  thr->num_teams_minus_1 = num_teams - 1;
  unsigned i = 0;
  do
    {
      thr->team_num = i;
      /* Not what is there already: whoever copies the ICVs would have to wait for it.  */
      if (thread_limit != 0 && task->icvs.thread_limit != thread_limit)
	task->icvs.thread_limit = thread_limit;
      fn (data);
      if (thread_limit != 0 || gomp_unlikely (thr->icvs_set != icvs_set))
	task->icvs = saved;
      if (gomp_unlikely (left_mark (solo) != 0))
	gomp_solo_clean (thr, solo);
    }
  while (++i != num_teams);
  thr->team_num = thr->num_teams_minus_1 = 0;
  return true;
}

static bool __attribute__ ((noinline))
run_limited (gomp_fn fn, void *data, unsigned thread_limit, unsigned num_teams)
{
  return run_in_place (fn, data, thread_limit, num_teams);
}

/* The same in initial tasks of their own.  */
static void __attribute__ ((noinline))
run_apart (gomp_fn fn, void *data, unsigned thread_limit, unsigned num_teams)
{
  struct gomp_icvs icvs = *gomp_icvs ();
  if (thread_limit != 0)
    icvs.thread_limit = thread_limit;
  for (unsigned team = 0; team < num_teams; team++)
    gomp_run_as_team (fn, data, &icvs, team, num_teams);
}

/* The same with a tool.  */
static void __attribute__ ((cold, noinline))
run_reported (gomp_fn fn, void *data, unsigned thread_limit, unsigned num_teams,
	      struct gomp_ompt_call call)
{
  struct gomp_ompt_region region;
  gomp_ompt_teams_begin (&region, gomp_self (), fn, num_teams, call);
  run_apart (fn, data, thread_limit, num_teams);
  gomp_ompt_teams_end (&region, gomp_self ());
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
  if (gomp_unlikely (thread_limit > INT_MAX))
    thread_limit = UINT_MAX;

  if (gomp_ompt_on ())
    run_reported (fn, data, thread_limit, num_teams, GOMP_OMPT_CALL);
  else if (gomp_likely (thread_limit == 0)
	   ? gomp_unlikely (!run_in_place (fn, data, 0, num_teams))
	   : !run_limited (fn, data, thread_limit, num_teams))
    run_apart (fn, data, thread_limit, num_teams);
}
