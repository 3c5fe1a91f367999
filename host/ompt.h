/* ompt.h -- the tools interface, as the rest of the runtime sees it.

   ompt.c	  the tool's life, callbacks, records of threads and tasks
   ompt-start.c	  looking for a tool
   ompt-entry.c	  what a tool can ask (ompt_function_lookup_t)
   ompt-parallel.c  regions, implicit and initial tasks
   ompt-sync.c	  barriers and other waits, mutexes, ordered regions
   ompt-work.c	  worksharing
   ompt-task.c	  explicit tasks
   ../ompt-target.c  target constructs and devices (ompt-target.h)
   doc/ompt.md says which construct leads to which callback.

   Cost.  A construct asks gomp_ompt_on () once: one load and a branch that is never taken when
   there is no tool.  Everything else is out of line.  Fast paths that have no room for that
   test get none: with a tool, regions run another function (host/parallel.c) and dynamic loops
   are of the slow kind (host/iter.c).

   Invariants
   1. gomp_ompt.xon goes from 1 (there may be a tool, or there is one) to 0 (there is none, or
      it has finished), never back; before the library's constructor has run it is 0.  So who
      sees 1 knows that all regions and tasks that it is in were begun under 1, too.
   2. The tool is started by the first event of any thread: the constructors of the
      tool's object have run then.  gomp_ompt_self () does it; every function here that
      reports something begins with that, and does nothing when it answers NULL.
   3. A record of a task or region is read only while xon is 1; it belongs to the thread
      that runs the task, and a region's to its master.  */

#ifndef GOMP_OMPT_H
#define GOMP_OMPT_H 1

#include "libgomp.h"
#include "host/thread.h"
#include "include/omp-tools.h"

struct gomp_loop;
struct gomp_ompt_target;	/* ompt-target.h */

/* How mutexes are made: the only implementation (ompt_enumerate_mutex_impls).  */
#define GOMP_OMPT_MUTEX_IMPL 1

struct gomp_ompt_global
{
  GOMP_NO_SHARING _Atomic (unsigned) xon;	/* invariant 1 */
};
extern GOMP_HIDDEN struct gomp_ompt_global gomp_ompt;

/* Not zero: there may be one.  */
static inline unsigned
gomp_ompt_mark (void)
{
  /* Relaxed: gomp_ompt_self () orders the start of the tool.  */
  return gomp_load_relaxed (&gomp_ompt.xon);
}

static inline bool
gomp_ompt_on (void)
{
  return gomp_unlikely (gomp_ompt_mark () != 0);
}

/* Where the program called the library: for functions that are part of an entry point.  */
struct gomp_ompt_call
{
  const void *codeptr;		/* return address */
  void *frame;			/* canonical frame address of the entry point */
};
#define GOMP_OMPT_CALL							\
  (struct gomp_ompt_call) { __builtin_return_address (0), __builtin_dwarf_cfa () }

/* ---- records ---- */

/* A task's.  Implicit tasks have theirs on the stack of who runs them, the initial task of a
   thread in the thread's, explicit tasks get one when they are created.  */
struct gomp_ompt_task
{
  ompt_data_t data;
  ompt_frame_t frame;
  int flags;			/* ompt_task_flag_t */
  unsigned thread_num;		/* of the thread that runs it */
  /* The worksharing construct that it is in, or 0.  A single region that it executes stays
     here until the task comes to the next construct, since nothing tells its end; so does a
     scope region.  */
  ompt_work_t work;
  bool after_single;		/* the next barrier may be the one of a single construct */
  uint64_t count;
  const void *work_codeptr;
  gomp_fn fn;			/* explicit tasks: the program's function */
  struct gomp_ompt_task *next;	/* running: the one that it interrupts; free: the next such */
  /* Explicit tasks: the task, and its node of dependences.  Whoever takes the last one away frees
     the record.  */
  _Atomic (unsigned) xrefs;
};

/* A parallel region's: on the stack of the entry point that began it.  */
struct gomp_ompt_region
{
  struct gomp_ompt_thread *me;	/* NULL: not reported */
  ompt_data_t data;
  struct gomp_ompt_call call;
  int flags;			/* ompt_parallel_flag_t */
  gomp_fn fn;			/* what gomp_ompt_run_implicit calls */
  void *fn_data;
  _Atomic (unsigned) xended;	/* threads without tasks; with OMP_CANCELLATION only */
  const struct gomp_loop *loop;	/* the construct that it begins with, or NULL */
  struct gomp_ompt_task master;	/* the master's implicit task in regions of old programs */
};

/* A thread's: from its first event to its end.  */
struct gomp_ompt_thread
{
  ompt_data_t data;
  ompt_thread_t kind;
  /* Read by the thread's signal handlers.  */
  volatile ompt_state_t state;
  volatile ompt_wait_id_t wait_id;
  struct gomp_ompt_task *task;	/* what it runs; NULL: a helper between regions */
  bool yields;			/* in taskyield */
  struct gomp_ompt_target *target;	/* construct that it works on, or NULL */
  ompt_id_t target_op;		/* operation of that, or 0 */
  struct gomp_ompt_task initial;	/* record of an initial thread's task */
  struct gomp_ompt_region region;	/* its implicit region */
  struct gomp_ompt_region *league;	/* the teams region whose teams it runs, or NULL */
  struct gomp_ompt_task *spare;	/* free records of explicit tasks ... */
  unsigned spares;		/* ... and how many */
};

/* ---- ompt.c ---- */

/* From the library's constructor, after the environment was read.  */
void gomp_ompt_init (void);
/* The calling thread's record; starts the tool if that has to be done.  NULL: nothing is to be
   reported.  */
struct gomp_ompt_thread *gomp_ompt_self (void) __attribute__ ((cold));
/* The record of the task that the calling thread runs; never NULL.  */
struct gomp_ompt_task *gomp_ompt_task (struct gomp_ompt_thread *, struct gomp_thread *);
/* What a thread is doing that is in the program's code.  */
ompt_state_t gomp_ompt_work_state (const struct gomp_thread *);
/* The thread turns to TASK, or back to what it did before; answers that.  */
struct gomp_ompt_task *gomp_ompt_enter_task (struct gomp_ompt_thread *, struct gomp_ompt_task *);
void gomp_ompt_leave_task (struct gomp_ompt_thread *, struct gomp_ompt_task *);
/* A zeroed record for an explicit task, and a reference less.  */
struct gomp_ompt_task *gomp_ompt_new_task (struct gomp_ompt_thread *);
void gomp_ompt_free_task (struct gomp_ompt_thread *, struct gomp_ompt_task *)
  __attribute__ ((cold));
/* The data of the parallel region around the calling thread; never NULL.  */
ompt_data_t *gomp_ompt_parallel_data (struct gomp_ompt_thread *, struct gomp_thread *);

/* A thread begins that executes nothing of the program.  */
void gomp_ompt_other_begin (struct gomp_thread *) __attribute__ ((cold));
/* A helper begins; a helper or an initial thread ends.  */
void gomp_ompt_helper_begin (struct gomp_thread *) __attribute__ ((cold));
void gomp_ompt_thread_end (struct gomp_thread *) __attribute__ ((cold));

/* The registered function for EVENT, or NULL.  The macro gives it its TYPE:
   GOMP_OMPT_CALLBACK (mutex_released, mutex).  */
ompt_callback_t gomp_ompt_callback (ompt_callbacks_t event);
#define GOMP_OMPT_CALLBACK(event, type) \
  ((ompt_callback_##type##_t) gomp_ompt_callback (ompt_callback_##event))
ompt_set_result_t gomp_ompt_set_callback (ompt_callbacks_t event, ompt_callback_t);
/* How much of EVENT is reported; ompt_set_error for what is no event.  */
ompt_set_result_t gomp_ompt_support (ompt_callbacks_t event);
/* The end of the tool.  */
void gomp_ompt_finalize (void);

/* ---- ../ompt-target.c ---- */

/* As ompt_get_target_info.  */
void gomp_ompt_target_info (const struct gomp_ompt_target *, uint64_t *device_num,
			    ompt_id_t *target_id);
/* Devices or the tool are about to end: all open devices get their last event, once.  */
void gomp_ompt_devices_end (void) __attribute__ ((cold));

/* ---- ompt-start.c ---- */

/* May there be a tool?  */
bool gomp_ompt_wanted (void);
/* Let each tool that can be found say whether it wants to run; the first that does, or NULL.  */
ompt_start_tool_result_t *gomp_ompt_find_tool (void);
/* The tool's initialize function answered RESULT.  Ends the report of OMP_TOOL_VERBOSE_INIT.  */
void gomp_ompt_tell_initialized (int result);

/* ---- ompt-entry.c ---- */

ompt_interface_fn_t gomp_ompt_lookup (const char *name);
/* As ompt_get_unique_id.  */
uint64_t gomp_ompt_unique_id (void);

/* ---- ompt-parallel.c ---- */

/* A region begins whose thread 0 is THR; REQUEST: num_threads as the compiler passes it.  */
void gomp_ompt_parallel_begin (struct gomp_ompt_region *, struct gomp_thread *thr, gomp_fn fn,
			       void *data, unsigned request, const struct gomp_loop *loop,
			       int flags, struct gomp_ompt_call) __attribute__ ((cold));
/* The calling thread has joined the region's team: ...  */
void gomp_ompt_parallel_team (struct gomp_ompt_region *, struct gomp_team *);
/* ... run its implicit task, up to the end of the barrier that ends the region.  The argument is
   a struct gomp_ompt_region: what a team calls in place of the program's function.  */
void gomp_ompt_run_implicit (void *region) __attribute__ ((cold));
/* The two halves of that, when the program calls its function itself.  */
void gomp_ompt_implicit_begin (struct gomp_ompt_region *, struct gomp_ompt_task *,
			       struct gomp_thread *, void *frame);
void gomp_ompt_implicit_end (struct gomp_ompt_region *, struct gomp_ompt_task *,
			     struct gomp_thread *);
/* All threads have ended their implicit tasks, THR is what it was before.  */
void gomp_ompt_parallel_end (struct gomp_ompt_region *, struct gomp_thread *thr)
  __attribute__ ((cold));

/* The calling thread has become an initial one for a while (host/team.c): run FN (DATA) as its
   initial task.  */
void gomp_ompt_run_initial (struct gomp_thread *, gomp_fn fn, void *data)
  __attribute__ ((cold));
/* A teams region, around all its teams.  */
void gomp_ompt_teams_begin (struct gomp_ompt_region *, struct gomp_thread *, gomp_fn fn,
			    unsigned num_teams, struct gomp_ompt_call) __attribute__ ((cold));
void gomp_ompt_teams_end (struct gomp_ompt_region *, struct gomp_thread *)
  __attribute__ ((cold));

/* ---- ompt-sync.c ---- */

struct gomp_ompt_sync
{
  struct gomp_ompt_thread *me;	/* NULL: not reported */
  struct gomp_thread *thr;
  struct gomp_ompt_task *task;
  ompt_sync_region_t kind;
  ompt_state_t state;		/* before */
  struct gomp_ompt_call call;
};
/* The calling thread comes to a construct that waits, and leaves it.  */
void gomp_ompt_sync_begin (struct gomp_ompt_sync *, ompt_sync_region_t kind,
			   struct gomp_ompt_call) __attribute__ ((cold));
void gomp_ompt_sync_end (struct gomp_ompt_sync *) __attribute__ ((cold));
/* The team's barrier.  KIND may be ompt_sync_region_barrier: explicit or that of a single
   construct, as the constructs before it tell.  */
void gomp_ompt_barrier (ompt_sync_region_t kind, struct gomp_ompt_call) __attribute__ ((cold));

/* Mutexes of the program; ID is what identifies it, its address.  */
void gomp_ompt_mutex_init (ompt_mutex_t kind, const void *id, const void *codeptr)
  __attribute__ ((cold));
void gomp_ompt_mutex_destroy (ompt_mutex_t kind, const void *id, const void *codeptr)
  __attribute__ ((cold));
/* Before taking it, ... */
void gomp_ompt_mutex_acquire (ompt_mutex_t kind, const void *id, const void *codeptr)
  __attribute__ ((cold));
/* ... and after; GOT: whether the thread has it now.  */
void gomp_ompt_mutex_acquired (ompt_mutex_t kind, const void *id, bool got, const void *codeptr)
  __attribute__ ((cold));
void gomp_ompt_mutex_released (ompt_mutex_t kind, const void *id, const void *codeptr)
  __attribute__ ((cold));
/* A nestable lock that the task has already; or still has.  */
void gomp_ompt_nest_lock (ompt_scope_endpoint_t, const void *id, const void *codeptr)
  __attribute__ ((cold));
/* gomp_mutex_lock and gomp_mutex_unlock with the events around them.  */
void gomp_ompt_mutex_lock (ompt_mutex_t kind, gomp_mutex_t *, const void *codeptr)
  __attribute__ ((cold));
void gomp_ompt_mutex_unlock (ompt_mutex_t kind, gomp_mutex_t *, const void *codeptr)
  __attribute__ ((cold));

/* ---- ompt-work.c ---- */

/* The calling thread has entered LOOP: its instance is thr->ws.  */
void gomp_ompt_loop_begin (struct gomp_thread *, const struct gomp_loop *loop,
			   const void *codeptr) __attribute__ ((cold));
/* It got a block; iterations are numbered from zero.  */
void gomp_ompt_chunk (struct gomp_thread *, uint64_t first, uint64_t length)
  __attribute__ ((cold));
/* It got a section.  */
void gomp_ompt_section (struct gomp_thread *, const void *codeptr) __attribute__ ((cold));
/* It met a single construct.  */
void gomp_ompt_single (struct gomp_thread *, bool executes, const void *codeptr)
  __attribute__ ((cold));
/* A construct begins and ends for it.  */
void gomp_ompt_work_begin (struct gomp_thread *, ompt_work_t, uint64_t count,
			   const void *codeptr) __attribute__ ((cold));
void gomp_ompt_work_end (struct gomp_thread *, const void *codeptr) __attribute__ ((cold));
/* A taskloop, which may be inside of another construct.  */
void gomp_ompt_taskloop (struct gomp_thread *, ompt_scope_endpoint_t, uint64_t count,
			 const void *codeptr) __attribute__ ((cold));
/* Report the end of a single or scope region whose end nothing told.  */
void gomp_ompt_end_single (struct gomp_ompt_thread *, struct gomp_thread *,
			   struct gomp_ompt_task *);

/* ---- ompt-task.c ---- */

/* The calling thread is about to make a task of FN with these FLAGS of GOMP_task and the
   dependences DEPEND or NULL.  Answers what the task has to call instead.  */
gomp_fn gomp_ompt_task_create (struct gomp_thread *, gomp_fn fn, bool deferred, unsigned flags,
			       void **depend, struct gomp_ompt_call) __attribute__ ((cold));
void gomp_ompt_run_task (void *data) __attribute__ ((cold));
/* The calling thread is about to make a target task that a device executes; answers its record, or
   NULL.  It has no function: the thread that starts it enters and leaves, after which it is complete
   or detached.  enter answers whether that was reported.  */
struct gomp_ompt_task *gomp_ompt_target_task_create (struct gomp_thread *, void **depend,
						     struct gomp_ompt_call) __attribute__ ((cold));
bool gomp_ompt_target_task_enter (struct gomp_ompt_task *)
  __attribute__ ((cold));
void gomp_ompt_target_task_leave (struct gomp_ompt_task *, bool complete)
  __attribute__ ((cold));
/* The event of TASK, whose body is over, has been fulfilled.  */
void gomp_ompt_task_fulfilled (struct gomp_task *) __attribute__ ((cold));
/* TASK is not executed because it was cancelled.  */
void gomp_ompt_task_cancelled (struct gomp_thread *, struct gomp_task *) __attribute__ ((cold));
/* The calling thread's task activates or detects a cancellation; FLAGS: ompt_cancel_flag_t.  */
void gomp_ompt_cancel (struct gomp_thread *, int flags, const void *codeptr)
  __attribute__ ((cold));
/* taskyield.  */
void gomp_ompt_yield (struct gomp_thread *) __attribute__ ((cold));
/* A taskgroup begins; its end is a gomp_ompt_sync_begin.  */
void gomp_ompt_taskgroup_begin (struct gomp_thread *, const void *codeptr)
  __attribute__ ((cold));

#endif /* GOMP_OMPT_H */
