/* thread.h -- threads, teams and implicit tasks of the host runtime.

   Every thread that ever calls the library has a struct gomp_thread, in thread-local
   storage, and is always a member of a team: outside of any parallel region of the
   implicit team of one of its initial task.  All bytes zero is the state of a thread that
   the library has not seen yet; the hot queries (omp_get_thread_num, omp_get_num_threads)
   are right in that state, everything else calls gomp_self () first.

   What a region changes in struct gomp_thread is put back from a copy when it ends, so that
   the caller's place in its own constructs is as before (team.c).  */

#ifndef GOMP_THREAD_H
#define GOMP_THREAD_H 1

#include "libgomp.h"
#include "host/icv.h"
#include "host/placement.h"
#include "plugin/thread-own.h"

struct gomp_team;		/* team.h */
struct gomp_thread_pool;
struct gomp_slot;
struct gomp_work_share;		/* work.h */
struct gomp_data_region;	/* target.c: open target data regions of a task */
struct gomp_ompt_task;		/* ompt.h */
struct gomp_ompt_thread;

struct gomp_taskgroup;		/* task.h */
struct gomp_depend_table;	/* depend.c */
struct gomp_depend_node;
struct gomp_event;		/* task-event.c */

/* Counts tasks with the same generating task; task.h has the rules.  */
struct gomp_children
{
  uint64_t created;		/* the generating task's thread's, as long as its body runs */
  uint64_t done;		/* with their whole subtrees, in that thread; it alone writes this */
  _Atomic (uint64_t) xdone;	/* the others: two counts and a sleeper */
  _Atomic (struct gomp_thread *) xthread;	/* runs the generating task's body; NULL: over */
  struct gomp_children *outer;	/* taskgroup: the same task's counter around it */
};

enum gomp_task_kind
{
  GOMP_TASK_IMPLICIT,
  GOMP_TASK_UNDEFERRED,		/* runs inside of the call that creates it */
  GOMP_TASK_DEFERRED,
  GOMP_TASK_AWAITED,		/* has no body: its creator waits until it is ready */
  GOMP_TASK_TARGET		/* deferred, executed by a device; its data is a struct
				   gomp_target_task (target-task.h) */
};

/* A task: its data environment, its place among the other tasks.  Implicit ones are part of a
   slot or of a struct gomp_solo.  Explicit ones are blocks of task-memory.c, with the argument
   block behind.  Fields without a note are written before the task is known to any other
   thread, or belong to the thread that runs it.  */
struct gomp_task
{
  struct gomp_task *parent;	/* the task that generated it; NULL for an initial task */
  struct gomp_icvs icvs;
  struct gomp_data_region *data_regions;	/* innermost first */
  struct gomp_ompt_task *ompt;	/* what a tool knows of it, or NULL */

  gomp_fn fn;
  void *data;			/* what fn gets */
  struct gomp_team *team;
  struct gomp_children *counted_in;	/* of the parent, or of a taskgroup in it */
  struct gomp_taskgroup *own_group;	/* the taskgroup that it belongs to, or NULL */
  struct gomp_taskgroup *group;	/* the taskgroup that its new children join, or NULL */
  struct gomp_children *counter;	/* where its new children are counted */
  struct gomp_children children;
  struct gomp_depend_table *depend_table;	/* of its children, or NULL */
  struct gomp_depend_node *depend;	/* its own dependences, or NULL */
  struct gomp_event *event;	/* detached: its event */
  struct gomp_slot *home;	/* whose memory it is; NULL: of no slot */
  struct gomp_task *next;	/* in a list of free blocks */
  unsigned depth;		/* of explicit tasks in its region */
  int priority;
  uint8_t kind;			/* enum gomp_task_kind */
  uint8_t size_class;		/* of its block */
  bool explicit_task;
  bool final;
  bool untied;
  bool copied;			/* its arguments were copied by cpyfn */
  bool heir;			/* counted in its parent as complete already: task.h */
  _Atomic (bool) xready;	/* AWAITED: nothing before it is left */
};

/* Owned by its thread.  */
struct gomp_thread
{
  /* Hot.  The team size is kept minus one so that zero means a team of one.  */
  unsigned thread_num;
  unsigned nthreads_minus_1;
  unsigned lost;		/* other threads of its team that fork has left in another process */
  unsigned icvs_set;		/* counts how often it has set an ICV of a task */
  struct gomp_team *team;	/* NULL: not seen yet */
  struct gomp_task *task;
  unsigned level;		/* nested parallel regions, active or not */
  unsigned active_level;	/* those with more than one thread */
  /* Host teams.  The number is kept minus one as above.  */
  unsigned team_num;
  unsigned num_teams_minus_1;
  /* Helper threads for the next region that this thread starts, or NULL.  */
  struct gomp_thread_pool *pool;
  struct gomp_slot *slot;	/* its place in a team of more than one; NULL in others */

  /* Where the thread stands in its team's sequence of worksharing constructs.  */
  struct gomp_work_share *ws;	/* the last instance that it met; work.h */
  uint64_t singles;		/* single constructs that it met ... */
  uint64_t singles_seen;	/* ... and how many it knows to be taken; single.c */
  uint64_t static_trip;		/* blocks taken of a static instance */
  uint64_t ticket;		/* ordered loops: number of the block it works on, or none */

  struct gomp_ompt_task *ompt_new;	/* a tool's, of the next task that it makes, or NULL */

  struct gomp_partition partition;	/* place-partition-var of its implicit task; affinity.h */
};
#define GOMP_NO_TICKET UINT64_MAX

/* The size of the team of THR's region, as the program sees it.  */
static inline unsigned
gomp_num_threads (const struct gomp_thread *thr)
{
  return thr->nthreads_minus_1 + thr->lost + 1;
}

extern GOMP_HIDDEN __thread struct gomp_thread gomp_tls
  __attribute__ ((tls_model ("initial-exec")));

/* Makes the calling thread an initial thread of its own (foreign pthreads, main), and
   answers it.  */
struct gomp_thread *gomp_thread_start (void) __attribute__ ((cold));

static inline struct gomp_thread *
gomp_self (void)
{
  /* The answer comes from the call, so that nothing has to outlive it: no registers are saved on
     the usual way.  */
  struct gomp_thread *thr = &gomp_tls;
  if (gomp_unlikely (thr->team == NULL))
    thr = gomp_thread_start ();
  return thr;
}

static inline struct gomp_icvs *
gomp_icvs (void)
{
  return &gomp_self ()->task->icvs;
}

/* To change.  */
static inline struct gomp_icvs *
gomp_icvs_to_set (void)
{
  struct gomp_thread *thr = gomp_self ();
  thr->icvs_set++;
  return &thr->task->icvs;
}

/* To read only: a thread that the library has not seen yet has those of an initial task, and need
   not become one for that.  */
static inline const struct gomp_icvs *
gomp_icvs_now (void)
{
  const struct gomp_task *task = gomp_tls.task;
  /* Always, nearly: said so, it is a branch that is predicted.  A conditional move would make the
     load of the ICV wait for the comparison, and the address of the others be made each time.  */
  return __builtin_expect_with_probability (task != NULL, 1, 1.0)
	 ? &task->icvs : &gomp_global_icvs.initial;
}

/* Run FN (DATA) in the calling thread as a new initial thread would: level 0, a team of
   one, team TEAM_NUM of NUM_TEAMS, ICVS as its ICVs, an empty stack of data regions, a
   contention group of its own.  The caller's state is as before afterwards.  Used by the host
   fallback of target regions, by reverse offload, and by host teams.  */
void gomp_run_as_team (gomp_fn fn, void *data, const struct gomp_icvs *icvs,
		       unsigned team_num, unsigned num_teams);
/* The same as team 0 of 1.  */
void gomp_run_as_initial (gomp_fn fn, void *data, const struct gomp_icvs *icvs);

/* The host half of omp_pause_resource: gives the calling thread's helpers
   back, and those that nobody has now (spare-pools.h).  0, or -1
   inside a parallel region.  */
int gomp_pause_host (void);

/* Called once from the library's constructor.  */
void gomp_team_init (void);

#endif /* GOMP_THREAD_H */
