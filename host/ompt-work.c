/* ompt-work.c -- what a tool sees of worksharing: loops, sections, single, and the blocks and
   sections that threads get.

   Compilers call the library for loops whose schedule is not static, for sections and for
   single, and not for static loops.  Nothing tells the end of a single region without
   copyprivate: its executing task keeps it open (gomp_ompt_task.work) until it comes to the
   next construct, which without nowait is the single's own barrier.  The same holds for scope,
   of which only those with task reductions come here.  */

#include "host/ompt.h"
#include "host/team.h"
#include "host/work.h"

static void
report (struct gomp_ompt_thread *me, struct gomp_thread *thr, struct gomp_ompt_task *task,
	ompt_work_t work, ompt_scope_endpoint_t endpoint, const void *codeptr)
{
  ompt_callback_work_t callback = GOMP_OMPT_CALLBACK (work, work);
  if (callback != NULL)
    callback (work, endpoint, gomp_ompt_parallel_data (me, thr), &task->data, task->count,
	      codeptr);
}

void
gomp_ompt_end_single (struct gomp_ompt_thread *me, struct gomp_thread *thr,
		      struct gomp_ompt_task *task)
{
  if (task->work != ompt_work_single_executor && task->work != ompt_work_scope)
    return;
  report (me, thr, task, task->work, ompt_scope_end, task->work_codeptr);
  task->work = 0;
}

void
gomp_ompt_work_begin (struct gomp_thread *thr, ompt_work_t work, uint64_t count,
		      const void *codeptr)
{
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  if (me == NULL)
    return;
  struct gomp_ompt_task *task = gomp_ompt_task (me, thr);
  gomp_ompt_end_single (me, thr, task);
  task->work = work;
  task->count = count;
  task->work_codeptr = codeptr;
  task->after_single = work == ompt_work_scope;
  report (me, thr, task, work, ompt_scope_begin, codeptr);
}

void
gomp_ompt_work_end (struct gomp_thread *thr, const void *codeptr)
{
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  if (me == NULL)
    return;
  struct gomp_ompt_task *task = gomp_ompt_task (me, thr);
  if (task->work == 0)
    return;
  report (me, thr, task, task->work, ompt_scope_end, codeptr);
  task->after_single = task->work == ompt_work_single_executor
		       || task->work == ompt_work_single_other;
  task->work = 0;
}

void
gomp_ompt_loop_begin (struct gomp_thread *thr, const struct gomp_loop *loop,
		      const void *codeptr)
{
  ompt_work_t work = ompt_work_loop_static;
  if (loop->sections)
    work = ompt_work_sections;
  else if (thr->ws->kind == GOMP_WORK_DYNAMIC_SLOW)	/* with a tool */
    work = ompt_work_loop_dynamic;
  else if (thr->ws->kind == GOMP_WORK_GUIDED)
    work = ompt_work_loop_guided;
  else if (thr->ws->kind == GOMP_WORK_DOACROSS)
    work = ompt_work_loop_other;
  gomp_ompt_work_begin (thr, work, thr->ws->niter, codeptr);
}

static void
dispatch (struct gomp_thread *thr, struct gomp_ompt_thread *me, struct gomp_ompt_task *task,
	  ompt_dispatch_t kind, ompt_data_t instance)
{
  ompt_callback_dispatch_t callback = GOMP_OMPT_CALLBACK (dispatch, dispatch);
  if (callback != NULL)
    callback (gomp_ompt_parallel_data (me, thr), &task->data, kind, instance);
}

void
gomp_ompt_chunk (struct gomp_thread *thr, uint64_t first, uint64_t length)
{
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  if (me == NULL)
    return;
  struct gomp_ompt_task *task = gomp_ompt_task (me, thr);
  ompt_dispatch_chunk_t chunk = { first, length };
  /* Sections are numbers of a loop inside, and reported on their own.  */
  if (task->work != ompt_work_sections)
    dispatch (thr, me, task, ompt_dispatch_ws_loop_chunk, (ompt_data_t) { .ptr = &chunk });
}

void
gomp_ompt_section (struct gomp_thread *thr, const void *codeptr)
{
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  if (me != NULL)
    dispatch (thr, me, gomp_ompt_task (me, thr), ompt_dispatch_section,
	      (ompt_data_t) { .ptr = (void *) codeptr });
}

void
gomp_ompt_single (struct gomp_thread *thr, bool executes, const void *codeptr)
{
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  if (me == NULL)
    return;
  gomp_ompt_work_begin (thr, executes ? ompt_work_single_executor : ompt_work_single_other, 1,
			codeptr);
  if (!executes)
    gomp_ompt_work_end (thr, codeptr);
  else
    gomp_ompt_task (me, thr)->after_single = true;
}

void
gomp_ompt_taskloop (struct gomp_thread *thr, ompt_scope_endpoint_t endpoint, uint64_t count,
		    const void *codeptr)
{
  struct gomp_ompt_thread *me = gomp_ompt_self ();
  if (me == NULL)
    return;
  ompt_callback_work_t callback = GOMP_OMPT_CALLBACK (work, work);
  if (callback != NULL)
    callback (ompt_work_taskloop, endpoint, gomp_ompt_parallel_data (me, thr),
	      &gomp_ompt_task (me, thr)->data, count, codeptr);
}
