/* ompt-task.c -- what a tool sees of explicit tasks.

   The entry point reports a new task before there is one: it makes the record, lets the thread's
   ompt_new point to it, where the next task that is made takes it from (task.c), and lets the
   task call gomp_ompt_run_task in place of the program's function.  So neither the making nor
   the running of tasks has anything to ask.  The record goes away with the task's block.  */

#include "host/depend.h"
#include "host/ompt.h"
#include "host/task.h"

#define DEPENDENCES 16		/* without asking for memory */

/* ---- creation ---- */

static ompt_dependence_t
dependence (struct gomp_depend_item item)
{
  ompt_dependence_t d = { .variable.ptr = item.addr };
  switch (item.type)
    {
    case GOMP_DEPEND_IN:
      d.dependence_type = ompt_dependence_type_in;
      break;
    case GOMP_DEPEND_OUT:
      d.dependence_type = ompt_dependence_type_out;
      break;
    case GOMP_DEPEND_INOUT:
      d.dependence_type = item.addr != NULL ? ompt_dependence_type_inout
					    : ompt_dependence_type_inout_all_memory;
      break;
    case GOMP_DEPEND_MUTEXINOUTSET:
      d.dependence_type = ompt_dependence_type_mutexinoutset;
      break;
    case GOMP_DEPEND_INOUTSET:
      d.dependence_type = ompt_dependence_type_inoutset;
      break;
    }
  return d;
}

static void
report_dependences (struct gomp_ompt_task *task, void **depend)
{
  ompt_callback_dependences_t callback = GOMP_OMPT_CALLBACK (dependences, dependences);
  struct gomp_depend_list list;
  if (callback == NULL)
    return;
  gomp_depend_decode (&list, depend);
  if (list.n == 0)
    return;

  ompt_dependence_t few[DEPENDENCES];
  ompt_dependence_t *all = list.n <= DEPENDENCES ? few : gomp_calloc (list.n, sizeof (*all));
  for (size_t i = 0; i < list.n; i++)
    all[i] = dependence (gomp_depend_item (&list, i));
  callback (&task->data, all, list.n);
  if (all != few)
    free (all);
}

gomp_fn
gomp_ompt_task_create (struct gomp_thread *thr, gomp_fn fn, bool deferred, unsigned flags,
		       void **depend, struct gomp_ompt_call call)
{
  struct gomp_ompt_thread *me = gomp_ompt_self (thr);
  if (me == NULL)
    return fn;

  struct gomp_ompt_task *parent = gomp_ompt_task (me, thr);
  struct gomp_ompt_task *task = gomp_ompt_new_task (me);
  /* An entry of which no task came: the construct was cancelled.  */
  if (thr->ompt_new != NULL)
    gomp_ompt_free_task (me, thr->ompt_new);
  thr->ompt_new = task;
  task->flags = ompt_task_explicit;
  if (!deferred)
    task->flags |= ompt_task_undeferred;
  if (flags & GOMP_TASK_UNTIED)
    task->flags |= ompt_task_untied;
  if (thr->task->final || (flags & GOMP_TASK_FINAL))
    task->flags |= ompt_task_final;
  if (flags & GOMP_TASK_MERGEABLE)
    task->flags |= ompt_task_mergeable;
  task->fn = fn;

  parent->frame.enter_frame.ptr = call.frame;
  parent->frame.enter_frame_flags = ompt_frame_runtime | ompt_frame_cfa;
  ompt_callback_task_create_t create = GOMP_OMPT_CALLBACK (task_create, task_create);
  if (create != NULL)
    create (&parent->data, &parent->frame, &task->data, task->flags, depend != NULL,
	    call.codeptr);
  if (depend != NULL)
    {
      report_dependences (task, depend);
      gomp_depend_report (thr->task, depend, task);
    }
  parent->frame.enter_frame = ompt_data_none;
  return gomp_ompt_run_task;
}

/* ---- execution ---- */

static void
schedule (struct gomp_ompt_task *prior, ompt_task_status_t status, struct gomp_ompt_task *next)
{
  ompt_callback_task_schedule_t callback = GOMP_OMPT_CALLBACK (task_schedule, task_schedule);
  if (callback != NULL)
    callback (&prior->data, status, next != NULL ? &next->data : NULL);
}

void
gomp_ompt_run_task (void *data)
{
  struct gomp_thread *thr = &gomp_tls;
  struct gomp_task *running = thr->task;
  struct gomp_ompt_task *task = running->ompt;
  struct gomp_ompt_thread *me = thr->ompt;

  if (me == NULL)
    {
      /* The tool ended before this thread had an event.  */
      task->fn (data);
      return;
    }
  struct gomp_ompt_task *prior = gomp_ompt_enter_task (me, task);
  ompt_state_t state = me->state;
  ompt_wait_id_t wait_id = me->wait_id;
  task->thread_num = thr->thread_num;
  task->frame.exit_frame.ptr = __builtin_frame_address (0);
  task->frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
  schedule (prior, me->yields ? ompt_task_yield : ompt_task_switch, task);
  me->yields = false;
  me->state = gomp_ompt_work_state (thr);
  me->wait_id = ompt_wait_id_none;

  task->fn (data);

  gomp_ompt_end_single (me, thr, task);
  bool waits = running->event != NULL && !gomp_event_fulfilled (running);
  schedule (task, waits ? ompt_task_detach : ompt_task_complete, prior);
  task->frame.exit_frame = ompt_data_none;
  me->state = state;
  me->wait_id = wait_id;
  gomp_ompt_leave_task (me, task);
}

void
gomp_ompt_task_fulfilled (struct gomp_thread *thr, struct gomp_task *task)
{
  if (task->ompt != NULL && gomp_ompt_self (thr) != NULL)
    schedule (task->ompt, ompt_task_late_fulfill, NULL);
}

void
gomp_ompt_task_cancelled (struct gomp_thread *thr, struct gomp_task *task)
{
  struct gomp_ompt_thread *me = thr->ompt;
  if (me == NULL)
    return;
  ompt_callback_cancel_t cancel = GOMP_OMPT_CALLBACK (cancel, cancel);
  if (cancel != NULL)
    /* Relaxed: seen before.  */
    cancel (&task->ompt->data,
	    ompt_cancel_discarded_task
	    | (gomp_load_relaxed (&task->team->xcancelled) ? ompt_cancel_parallel
							     : ompt_cancel_taskgroup),
	    NULL);
  schedule (task->ompt, ompt_task_cancel, gomp_ompt_task (me, thr));
}

void
gomp_ompt_cancel (struct gomp_thread *thr, int flags, const void *codeptr)
{
  struct gomp_ompt_thread *me = gomp_ompt_self (thr);
  if (me == NULL)
    return;
  ompt_callback_cancel_t cancel = GOMP_OMPT_CALLBACK (cancel, cancel);
  if (cancel != NULL)
    cancel (&gomp_ompt_task (me, thr)->data, flags, codeptr);
}

void
gomp_ompt_yield (struct gomp_thread *thr)
{
  struct gomp_ompt_thread *me = gomp_ompt_self (thr);
  if (me != NULL)
    me->yields = true;
  gomp_task_work (thr);
  if (me != NULL)
    me->yields = false;
}

/* ---- taskgroup ---- */

void
gomp_ompt_taskgroup_begin (struct gomp_thread *thr, const void *codeptr)
{
  struct gomp_ompt_thread *me = gomp_ompt_self (thr);
  if (me == NULL)
    return;
  ompt_callback_sync_region_t callback = GOMP_OMPT_CALLBACK (sync_region, sync_region);
  if (callback != NULL)
    callback (ompt_sync_region_taskgroup, ompt_scope_begin, gomp_ompt_parallel_data (me, thr),
	      &gomp_ompt_task (me, thr)->data, codeptr);
}
