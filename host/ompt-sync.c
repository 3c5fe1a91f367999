/* ompt-sync.c -- what a tool sees of waiting: barriers, taskwait, taskgroup; and of mutexes:
   locks, critical, atomic and ordered regions.  */

#include "host/ompt.h"
#include "host/team.h"

/* ---- regions that wait ---- */

static ompt_state_t
state_of_sync (ompt_sync_region_t kind)
{
  switch (kind)
    {
    case ompt_sync_region_taskwait:
      return ompt_state_wait_taskwait;
    case ompt_sync_region_taskgroup:
      return ompt_state_wait_taskgroup;
    case ompt_sync_region_barrier_implicit_parallel:
      return ompt_state_wait_barrier_implicit_parallel;
    case ompt_sync_region_barrier_implicit_workshare:
      return ompt_state_wait_barrier_implicit_workshare;
    default:
      return ompt_state_wait_barrier_explicit;
    }
}

void
gomp_ompt_sync_begin (struct gomp_ompt_sync *s, ompt_sync_region_t kind,
		      struct gomp_ompt_call call)
{
  struct gomp_thread *thr = gomp_self ();
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  s->me = me;
  if (me == NULL)
    return;
  struct gomp_ompt_task *task = gomp_ompt_task (me, thr);

  if (kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup)
    {
      gomp_ompt_end_single (me, thr, task);
      if (kind == ompt_sync_region_barrier)
	kind = task->after_single ? ompt_sync_region_barrier_implicit_workshare
				  : ompt_sync_region_barrier_explicit;
      task->after_single = false;
    }
  s->thr = thr;
  s->task = task;
  s->kind = kind;
  s->state = me->state;
  s->call = call;
  if (call.frame != NULL)
    {
      task->frame.enter_frame.ptr = call.frame;
      task->frame.enter_frame_flags = ompt_frame_runtime | ompt_frame_cfa;
    }

  ompt_data_t *parallel_data = gomp_ompt_parallel_data (me, thr);
  ompt_callback_sync_region_t callback = GOMP_OMPT_CALLBACK (sync_region, sync_region);
  /* A taskgroup began earlier.  */
  if (callback != NULL && kind != ompt_sync_region_taskgroup)
    callback (kind, ompt_scope_begin, parallel_data, &task->data, call.codeptr);
  callback = GOMP_OMPT_CALLBACK (sync_region_wait, sync_region);
  if (callback != NULL)
    callback (kind, ompt_scope_begin, parallel_data, &task->data, call.codeptr);
  me->state = state_of_sync (kind);
}

void
gomp_ompt_sync_end (struct gomp_ompt_sync *s)
{
  if (s->me == NULL)
    return;
  s->me->state = s->state;
  ompt_data_t *parallel_data = gomp_ompt_parallel_data (s->me, s->thr);
  ompt_callback_sync_region_t callback = GOMP_OMPT_CALLBACK (sync_region_wait, sync_region);
  if (callback != NULL)
    callback (s->kind, ompt_scope_end, parallel_data, &s->task->data, s->call.codeptr);
  /* As the specification wants it: the region is over.  */
  if (s->kind == ompt_sync_region_barrier_implicit_parallel)
    parallel_data = NULL;
  callback = GOMP_OMPT_CALLBACK (sync_region, sync_region);
  if (callback != NULL)
    callback (s->kind, ompt_scope_end, parallel_data, &s->task->data, s->call.codeptr);
  if (s->call.frame != NULL)
    s->task->frame.enter_frame = ompt_data_none;
}

void
gomp_ompt_barrier (ompt_sync_region_t kind, struct gomp_ompt_call call)
{
  struct gomp_ompt_sync sync;
  gomp_ompt_sync_begin (&sync, kind, call);
  gomp_team_barrier (&gomp_tls);
  gomp_ompt_sync_end (&sync);
}

/* ---- mutexes ---- */

static ompt_wait_id_t
wait_id (const void *id)
{
  return (uintptr_t) id;
}

/* CALLBACK may be NULL.  */
static void
report_mutex (ompt_callback_mutex_t callback, ompt_mutex_t kind, const void *id,
	      const void *codeptr)
{
  if (callback != NULL)
    callback (kind, wait_id (id), codeptr);
}

void
gomp_ompt_mutex_init (ompt_mutex_t kind, const void *id, const void *codeptr)
{
  if (gomp_ompt_self () == NULL)
    return;
  ompt_callback_mutex_acquire_t init = GOMP_OMPT_CALLBACK (lock_init, mutex_acquire);
  if (init != NULL)
    init (kind, 0, GOMP_OMPT_MUTEX_IMPL, wait_id (id), codeptr);
}

void
gomp_ompt_mutex_destroy (ompt_mutex_t kind, const void *id, const void *codeptr)
{
  if (gomp_ompt_self () != NULL)
    report_mutex (GOMP_OMPT_CALLBACK (lock_destroy, mutex), kind, id, codeptr);
}

void
gomp_ompt_mutex_acquire (ompt_mutex_t kind, const void *id, const void *codeptr)
{
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  if (me == NULL)
    return;
  ompt_callback_mutex_acquire_t acquire = GOMP_OMPT_CALLBACK (mutex_acquire, mutex_acquire);
  if (acquire != NULL)
    acquire (kind, 0, GOMP_OMPT_MUTEX_IMPL, wait_id (id), codeptr);
  switch (kind)
    {
    case ompt_mutex_test_lock:
    case ompt_mutex_test_nest_lock:
      return;			/* does not wait */
    case ompt_mutex_critical:
      me->state = ompt_state_wait_critical;
      break;
    case ompt_mutex_atomic:
      me->state = ompt_state_wait_atomic;
      break;
    case ompt_mutex_ordered:
      me->state = ompt_state_wait_ordered;
      break;
    default:
      me->state = ompt_state_wait_lock;
      break;
    }
  me->wait_id = wait_id (id);
}

void
gomp_ompt_mutex_acquired (ompt_mutex_t kind, const void *id, bool got, const void *codeptr)
{
  struct gomp_thread *thr = gomp_self ();
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  if (me == NULL)
    return;
  me->state = gomp_ompt_work_state (thr);
  me->wait_id = ompt_wait_id_none;
  if (got)
    report_mutex (GOMP_OMPT_CALLBACK (mutex_acquired, mutex), kind, id, codeptr);
}

void
gomp_ompt_mutex_released (ompt_mutex_t kind, const void *id, const void *codeptr)
{
  if (gomp_ompt_self () != NULL)
    report_mutex (GOMP_OMPT_CALLBACK (mutex_released, mutex), kind, id, codeptr);
}

void
gomp_ompt_nest_lock (ompt_scope_endpoint_t endpoint, const void *id, const void *codeptr)
{
  struct gomp_thread *thr = gomp_self ();
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  if (me == NULL)
    return;
  me->state = gomp_ompt_work_state (thr);
  me->wait_id = ompt_wait_id_none;
  ompt_callback_nest_lock_t nest = GOMP_OMPT_CALLBACK (nest_lock, nest_lock);
  if (nest != NULL)
    nest (endpoint, wait_id (id), codeptr);
}

void
gomp_ompt_mutex_lock (ompt_mutex_t kind, gomp_mutex_t *mutex, const void *codeptr)
{
  gomp_ompt_mutex_acquire (kind, mutex, codeptr);
  gomp_mutex_lock (mutex);
  gomp_ompt_mutex_acquired (kind, mutex, true, codeptr);
}

void
gomp_ompt_mutex_unlock (ompt_mutex_t kind, gomp_mutex_t *mutex, const void *codeptr)
{
  gomp_mutex_unlock (mutex);
  gomp_ompt_mutex_released (kind, mutex, codeptr);
}
