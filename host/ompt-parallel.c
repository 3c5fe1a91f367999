/* ompt-parallel.c -- what a tool sees of parallel regions, teams regions and their implicit and
   initial tasks.

   With a tool a team does not call the program's function but gomp_ompt_run_implicit, in all
   its threads.  That reports the implicit task, calls the function, and then waits in a
   barrier of its own for the rest of the team, which the library needs not do otherwise
   (helpers arrive and go, team.h).  So the barrier's events tell how long each thread waited,
   and all events of the helpers come before the master's parallel_end.  */

#include "host/cancel.h"
#include "host/ompt.h"
#include "host/task.h"
#include "host/team.h"

void
gomp_ompt_parallel_begin (struct gomp_ompt_region *region, struct gomp_thread *thr, gomp_fn fn,
			  void *data, unsigned request, const struct gomp_loop *loop,
			  int flags, struct gomp_ompt_call call)
{
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  region->me = me;
  region->fn = fn;
  region->fn_data = data;
  region->loop = loop;
  region->flags = flags;
  region->call = call;
  if (me == NULL)
    return;

  region->data = ompt_data_none;
  gomp_store_relaxed (&region->xended, 0);	/* the fork releases it */
  struct gomp_ompt_task *task = gomp_ompt_task (me, thr);
  task->frame.enter_frame.ptr = call.frame;
  task->frame.enter_frame_flags = ompt_frame_runtime | ompt_frame_cfa;
  ompt_callback_parallel_begin_t begin = GOMP_OMPT_CALLBACK (parallel_begin, parallel_begin);
  if (begin != NULL)
    begin (&task->data, &task->frame, &region->data,
	   request != 0 ? request : thr->task->icvs.nthreads, flags, call.codeptr);
  me->state = ompt_state_overhead;
}

void
gomp_ompt_parallel_team (struct gomp_ompt_region *region, struct gomp_team *team)
{
  team->ompt = region->me != NULL ? region : NULL;
}

void
gomp_ompt_parallel_end (struct gomp_ompt_region *region, struct gomp_thread *thr)
{
  struct gomp_ompt_thread *me = region->me;
  if (me == NULL)
    return;
  struct gomp_ompt_task *task = gomp_ompt_task (me, thr);
  me->state = gomp_ompt_work_state (thr);
  ompt_callback_parallel_end_t end = GOMP_OMPT_CALLBACK (parallel_end, parallel_end);
  if (end != NULL)
    end (&region->data, &task->data, region->flags, region->call.codeptr);
  task->frame.enter_frame = ompt_data_none;
}

/* ---- implicit tasks ---- */

void
gomp_ompt_implicit_begin (struct gomp_ompt_region *region, struct gomp_ompt_task *task,
			  struct gomp_thread *thr, void *frame)
{
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  memset (task, 0, sizeof (*task));
  task->flags = ompt_task_implicit;
  task->thread_num = thr->thread_num;
  task->frame.exit_frame.ptr = frame;
  task->frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
  thr->task->ompt = task;
  if (me == NULL)
    return;
  gomp_ompt_enter_task (me, task);
  me->state = ompt_state_work_parallel;
  ompt_callback_implicit_task_t begin = GOMP_OMPT_CALLBACK (implicit_task, implicit_task);
  if (begin != NULL)
    begin (ompt_scope_begin, &region->data, &task->data, thr->nthreads_minus_1 + 1,
	   thr->thread_num, ompt_task_implicit);
  if (region->loop != NULL)
    gomp_ompt_loop_begin (thr, region->loop, region->call.codeptr);
}

/* The barrier of a cancelled region lets its threads go while others have tasks, and they would
   help with these in their dock.  So wait until nobody has any.  */
static void
wait_for_tasks (struct gomp_ompt_region *region, unsigned n)
{
  /* Release, acquire: the tasks that ran.  */
  gomp_add_acq_rel (&region->xended, 1);
  while (gomp_load_acquire (&region->xended) < n)
    gomp_let_others_run ();
}

void
gomp_ompt_implicit_end (struct gomp_ompt_region *region, struct gomp_ompt_task *task,
			struct gomp_thread *thr)
{
  struct gomp_ompt_sync sync;
  struct gomp_ompt_call call = { region->call.codeptr, NULL };

  gomp_ompt_sync_begin (&sync, ompt_sync_region_barrier_implicit_parallel, call);
  /* Barriers of cancelled regions do not wait for tasks.  */
  if (gomp_task_has_children (thr->task))
    gomp_task_finish_children (thr);
  /* In the child of a fork there is nobody to wait for.  */
  if (thr->nthreads_minus_1 == 0 || !gomp_team_pool (thr->team)->dead)
    {
      gomp_team_barrier (thr);
      if (gomp_cancel_on ())
	wait_for_tasks (region, thr->nthreads_minus_1 + 1);
    }
  gomp_ompt_sync_end (&sync);
  if (sync.me != NULL)
    {
      sync.me->state = thr->thread_num > 0 ? ompt_state_idle : ompt_state_overhead;
      ompt_callback_implicit_task_t end = GOMP_OMPT_CALLBACK (implicit_task, implicit_task);
      if (end != NULL)
	end (ompt_scope_end, NULL, &task->data, 0, thr->thread_num, ompt_task_implicit);
      gomp_ompt_leave_task (sync.me, task);
    }
  thr->task->ompt = NULL;
}

void
gomp_ompt_run_implicit (void *arg)
{
  struct gomp_ompt_region *region = arg;
  struct gomp_thread *thr = &gomp_tls;
  struct gomp_ompt_task task;

  /* All threads of the team do the same: the region knows whether it is reported.  */
  if (region->me == NULL)
    {
      region->fn (region->fn_data);
      return;
    }
  gomp_ompt_implicit_begin (region, &task, thr, __builtin_frame_address (0));
  region->fn (region->fn_data);
  gomp_ompt_implicit_end (region, &task, thr);
}

/* ---- initial tasks of teams and of target regions that the host runs ---- */

void
gomp_ompt_run_initial (struct gomp_thread *thr, gomp_fn fn, void *data)
{
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  struct gomp_ompt_region own, *region = &own;
  struct gomp_ompt_task task;
  unsigned parallelism = 1, index = 1;

  if (me == NULL)
    {
      fn (data);
      return;
    }
  struct gomp_ompt_region *league = me->league;
  ompt_state_t state = me->state;
  if (league != NULL)
    {
      region = league;
      parallelism = thr->num_teams_minus_1 + 1;
      index = thr->team_num;
      me->league = NULL;
    }
  else
    {
      own.me = me;
      own.data = ompt_data_none;
    }
  memset (&task, 0, sizeof (task));
  task.flags = ompt_task_initial;
  task.frame.exit_frame.ptr = __builtin_frame_address (0);
  task.frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
  thr->task->ompt = &task;
  thr->team->ompt = region;
  gomp_ompt_enter_task (me, &task);
  me->state = ompt_state_work_serial;

  ompt_callback_implicit_task_t callback = GOMP_OMPT_CALLBACK (implicit_task, implicit_task);
  if (callback != NULL)
    callback (ompt_scope_begin, &region->data, &task.data, parallelism, index,
	      ompt_task_initial);
  fn (data);
  gomp_ompt_end_single (me, thr, &task);
  /* The tool may have changed its mind, or finished.  */
  callback = GOMP_OMPT_CALLBACK (implicit_task, implicit_task);
  if (callback != NULL)
    callback (ompt_scope_end, &region->data, &task.data, 0, index, ompt_task_initial);

  gomp_ompt_leave_task (me, &task);
  thr->task->ompt = NULL;
  thr->team->ompt = NULL;
  me->league = league;
  me->state = state;
}

void
gomp_ompt_teams_begin (struct gomp_ompt_region *region, struct gomp_thread *thr, gomp_fn fn,
		       unsigned num_teams, struct gomp_ompt_call call)
{
  gomp_ompt_parallel_begin (region, thr, fn, NULL, num_teams, NULL,
			    ompt_parallel_league | ompt_parallel_invoker_runtime, call);
  if (region->me != NULL)
    region->me->league = region;
}

void
gomp_ompt_teams_end (struct gomp_ompt_region *region, struct gomp_thread *thr)
{
  if (region->me != NULL)
    region->me->league = NULL;
  gomp_ompt_parallel_end (region, thr);
}
