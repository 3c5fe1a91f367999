/* ompt.c -- the life of a tool: its start at the first event, its callbacks, its end; and the
   records of threads and tasks that the callbacks' data words are in.

   Nobody but the first thread that has an event starts the tool; others wait for that.  What
   the starting thread itself does meanwhile (the tool may call OpenMP routines) is not
   reported.  The tool ends in a handler of atexit that is registered when it starts: after
   the constructors of the tool's object, hence before its destructors.  */

#include "host/abi.h"
#include "host/ompt.h"
#include "host/team.h"
#include "target-abi.h"

#define EVENTS (ompt_callback_error + 1)
#define SPARES_MAX 64		/* records that a thread keeps */

struct gomp_ompt_global gomp_ompt;

static enum { NOT_STARTED, ACTIVE, NONE } stage;	/* protected by start_lock */
static gomp_mutex_t start_lock;
static ompt_start_tool_result_t *tool;	/* set before the tool is initialised */

/* Set by the tool at any time, called by all threads.  */
static _Atomic (ompt_callback_t) xcallbacks[EVENTS];

/* ---- callbacks ---- */

/* What every tool may count on, or what the entry points of compilers let us see.  All others
   are never reported: doc/ompt.md has the reasons.  */
static const uint8_t support[EVENTS] = {
  [ompt_callback_thread_begin] = ompt_set_always,
  [ompt_callback_thread_end] = ompt_set_always,
  [ompt_callback_parallel_begin] = ompt_set_always,
  [ompt_callback_parallel_end] = ompt_set_always,
  [ompt_callback_task_create] = ompt_set_always,
  [ompt_callback_task_schedule] = ompt_set_always,
  [ompt_callback_implicit_task] = ompt_set_always,
  [ompt_callback_dependences] = ompt_set_sometimes,
  [ompt_callback_task_dependence] = ompt_set_sometimes,
  [ompt_callback_sync_region] = ompt_set_always,
  [ompt_callback_sync_region_wait] = ompt_set_always,
  [ompt_callback_mutex_acquire] = ompt_set_always,
  [ompt_callback_mutex_acquired] = ompt_set_always,
  [ompt_callback_mutex_released] = ompt_set_always,
  [ompt_callback_nest_lock] = ompt_set_always,
  [ompt_callback_lock_init] = ompt_set_always,
  [ompt_callback_lock_destroy] = ompt_set_always,
  [ompt_callback_work] = ompt_set_sometimes_paired,
  [ompt_callback_dispatch] = ompt_set_sometimes,
  [ompt_callback_cancel] = ompt_set_always,
  [ompt_callback_error] = ompt_set_always,
  [ompt_callback_device_initialize] = ompt_set_always,
  [ompt_callback_device_finalize] = ompt_set_always,
  [ompt_callback_device_load] = ompt_set_always,
  [ompt_callback_device_unload] = ompt_set_always,
  [ompt_callback_target] = ompt_set_always,
  [ompt_callback_target_emi] = ompt_set_always,
  [ompt_callback_target_data_op] = ompt_set_always,
  [ompt_callback_target_data_op_emi] = ompt_set_always,
  [ompt_callback_target_map] = ompt_set_always,
  [ompt_callback_target_map_emi] = ompt_set_always,
  [ompt_callback_target_submit] = ompt_set_always,
  [ompt_callback_target_submit_emi] = ompt_set_always,
};

ompt_set_result_t
gomp_ompt_support (ompt_callbacks_t event)
{
  if (event < ompt_callback_thread_begin || (unsigned) event >= EVENTS)
    return ompt_set_error;
  return support[event] != 0 ? (ompt_set_result_t) support[event] : ompt_set_never;
}

ompt_callback_t
gomp_ompt_callback (ompt_callbacks_t event)
{
  /* Acquire: what the tool prepared before it registered the function.  */
  return gomp_load_acquire (&xcallbacks[event]);
}

ompt_set_result_t
gomp_ompt_set_callback (ompt_callbacks_t event, ompt_callback_t callback)
{
  ompt_set_result_t result = gomp_ompt_support (event);
  /* Relaxed: a tool that has finished is told so by itself.  */
  if (gomp_load_relaxed (&gomp_ompt.xon) == 0)
    return ompt_set_error;
  if (result > ompt_set_impossible)
    /* Release: see above.  */
    gomp_store_release (&xcallbacks[event], callback);
  return result;
}

/* ---- start and end ---- */

void
gomp_ompt_finalize (void)
{
  /* One of several that want to end it.  From here on nothing is reported.  Threads that
     are in a callback now are the tool's own business.  */
  if (gomp_swap_acq_rel (&gomp_ompt.xon, 0) == 0)
    return;
  for (int i = 0; i < EVENTS; i++)
    gomp_store_relaxed (&xcallbacks[i], NULL);	/* whoever reads the old one is in time */
  if (tool != NULL && tool->finalize != NULL)
    tool->finalize (&tool->tool_data);
}

/* The helpers of the thread that ends the program end, too, so that the tool sees an end of
   all of them; then the thread itself.  */
static void
at_exit (void)
{
  struct gomp_thread *thr = &gomp_tls;
  if (gomp_ompt_on () && gomp_own_now ()->ompt != NULL && thr->level == 0)
    {
      gomp_ompt_devices_end ();
      gomp_pause_host ();
      gomp_ompt_thread_end (thr);
    }
  gomp_ompt_finalize ();
}

static bool
start_tool (void)
{
  tool = gomp_ompt_find_tool ();
  int result = 0;
  if (tool != NULL && tool->initialize != NULL)
    {
      result = tool->initialize (gomp_ompt_lookup, omp_get_initial_device (),
				 &tool->tool_data);
      gomp_ompt_tell_initialized (result);
    }
  /* It may have finished itself.  */
  if (result != 0 && gomp_load_relaxed (&gomp_ompt.xon) != 0)
    return atexit (at_exit) == 0;
  tool = NULL;
  gomp_ompt_finalize ();
  return false;
}

void GOMP_STARTUP
gomp_ompt_init (void)
{
  if (gomp_ompt_wanted ())
    /* Relaxed: no other thread exists yet.  */
    gomp_store_relaxed (&gomp_ompt.xon, 1);
}

/* ---- threads ---- */

static struct gomp_ompt_thread *
begin_thread (struct gomp_thread *thr, ompt_thread_t kind)
{
  struct gomp_ompt_thread *me = gomp_calloc (1, sizeof (*me));
  me->kind = kind;
  me->state = kind == ompt_thread_worker ? ompt_state_idle : gomp_ompt_work_state (thr);
  gomp_own ()->ompt = me;
  ompt_callback_thread_begin_t begin = GOMP_OMPT_CALLBACK (thread_begin, thread_begin);
  if (begin != NULL)
    begin (kind, &me->data);
  if (kind != ompt_thread_initial)
    return me;

  /* Its initial task.  */
  me->initial.flags = ompt_task_initial;
  me->region.me = me;
  me->task = &me->initial;
  thr->task->ompt = &me->initial;
  thr->team->ompt = &me->region;
  ompt_callback_implicit_task_t task = GOMP_OMPT_CALLBACK (implicit_task, implicit_task);
  if (task != NULL)
    task (ompt_scope_begin, &me->region.data, &me->initial.data, 1, 1, ompt_task_initial);
  return me;
}

struct gomp_ompt_thread *
gomp_ompt_self (void)
{
  struct gomp_own *own = gomp_own ();
  if (own->ompt != NULL)
    return own->ompt;
  if (own->starts_tool)
    return NULL;
  gomp_mutex_lock (&start_lock);
  if (stage == NOT_STARTED)
    {
      own->starts_tool = true;
      stage = start_tool () ? ACTIVE : NONE;
      own->starts_tool = false;
    }
  bool active = stage == ACTIVE;
  gomp_mutex_unlock (&start_lock);
  return active && gomp_ompt_on () ? begin_thread (gomp_self (), ompt_thread_initial) : NULL;
}

void
gomp_ompt_helper_begin (struct gomp_thread *thr)
{
  /* Regions with a tool have started it, and there is no helper without a region.  */
  if (gomp_own_now ()->ompt == NULL)
    begin_thread (thr, ompt_thread_worker);
}

void
gomp_ompt_other_begin (struct gomp_thread *thr)
{
  gomp_mutex_lock (&start_lock);
  bool active = stage == ACTIVE;
  gomp_mutex_unlock (&start_lock);
  if (active && gomp_own_now ()->ompt == NULL)
    begin_thread (thr, ompt_thread_other);
}

void
gomp_ompt_thread_end (struct gomp_thread *thr)
{
  struct gomp_ompt_thread *me = gomp_own_now ()->ompt;
  if (me->kind == ompt_thread_initial)
    {
      ompt_callback_implicit_task_t task = GOMP_OMPT_CALLBACK (implicit_task, implicit_task);
      if (task != NULL)
	/* LLVM's archer takes the region here, for which the specification has NULL.  */
	task (ompt_scope_end, &me->region.data, &me->initial.data, 0, 1, ompt_task_initial);
    }
  ompt_callback_thread_end_t end = GOMP_OMPT_CALLBACK (thread_end, thread_end);
  if (end != NULL)
    end (&me->data);
  if (me->kind == ompt_thread_initial)
    {
      thr->task->ompt = NULL;
      thr->team->ompt = NULL;
    }
  gomp_own ()->ompt = NULL;
  free (thr->ompt_new);
  thr->ompt_new = NULL;
  while (me->spare != NULL)
    {
      struct gomp_ompt_task *task = me->spare;
      me->spare = task->next;
      free (task);
    }
  free (me);
}

ompt_state_t
gomp_ompt_work_state (const struct gomp_thread *thr)
{
  return thr->level > 0 ? ompt_state_work_parallel : ompt_state_work_serial;
}

/* ---- tasks and regions ---- */

struct gomp_ompt_task *
gomp_ompt_task (struct gomp_ompt_thread *me, struct gomp_thread *thr)
{
  /* What is not reported, as a target task's body, counts as part of what it interrupts.  */
  if (thr->task->ompt != NULL)
    return thr->task->ompt;
  return me->task != NULL ? me->task : &me->initial;
}

struct gomp_ompt_task *
gomp_ompt_enter_task (struct gomp_ompt_thread *me, struct gomp_ompt_task *task)
{
  task->next = me->task;
  me->task = task;
  return task->next != NULL ? task->next : &me->initial;
}

void
gomp_ompt_leave_task (struct gomp_ompt_thread *me, struct gomp_ompt_task *task)
{
  me->task = task->next;
}

struct gomp_ompt_task *
gomp_ompt_new_task (struct gomp_ompt_thread *me)
{
  struct gomp_ompt_task *task = me->spare;
  if (task == NULL)
    task = gomp_calloc (1, sizeof (*task));
  else
    {
      me->spare = task->next;
      me->spares--;
      memset (task, 0, sizeof (*task));
    }
  gomp_store_relaxed (&task->xrefs, 1);	/* not shared yet */
  return task;
}

void
gomp_ompt_free_task (struct gomp_ompt_thread *me, struct gomp_ompt_task *task)
{
  /* Acquire and release: whoever frees comes last.  */
  if (gomp_sub_acq_rel (&task->xrefs, 1) != 1)
    return;
  if (me == NULL || me->spares >= SPARES_MAX)
    {
      free (task);
      return;
    }
  task->next = me->spare;
  me->spare = task;
  me->spares++;
}

ompt_data_t *
gomp_ompt_parallel_data (struct gomp_ompt_thread *me, struct gomp_thread *thr)
{
  return thr->team->ompt != NULL ? &thr->team->ompt->data : &me->region.data;
}
