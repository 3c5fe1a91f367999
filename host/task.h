/* task.h -- tasks: the interface of task.c, task-queue.c, task-memory.c, task-event.c.

   Life of a task

     new       gomp_task_new: a block from the creator's cache, ICVs and arguments copied,
	       counted in the generating task or in its innermost taskgroup
     waiting   for predecessors (depend.c) until gomp_task_ready, or not at all
     queued    gomp_task_submit: in the creator's deque, in the team's shared queue (task-queue.h),
	       or nowhere: when the deque is full or the team has one thread, it runs at once
     running   gomp_task_run: in one thread, from the start to the end of its body (untied tasks, too,
	       stay where they have started)
     ended     its body is over; it may wait for its event (detach)
     complete  body and event: successors are released, taskwait of the parent sees it
     finished  complete, and so are all its descendants: its block is free

   The final descendants of a task and undeferred ones go through the same states inside of
   one call.  A task that runs at once is counted only if it isn't finished when its body ends.

   Counting (struct gomp_children).  No counter belongs to the team, and a task that runs in the thread
   that generated it costs no atomic operation.  Children that finish in the thread that runs the
   body of their generating task are counted in done, by a plain increment.  All others add to
   xdone, which has two counts: of complete children and of finished ones; mostly a child is
   both at once.  created - done is what xdone is compared with: taskwait waits for the first
   count, barriers and ends of taskgroups for the second.  When the generating task's own body ends
   before its children are finished, its thread gives up the plain counts: it subtracts
   created - done from the second count of xdone.  The child that makes it zero finishes the
   parent, too, and so on upwards.

   Heirs.  A task whose body is over stays as long as it has unfinished children.  So that a chain of
   tasks, each of which generates the next one and ends, does not pile up, a task that starts
   and is the only unfinished child of such a parent takes its place: it becomes a child of its
   grandparent, at the parent's depth, and the parent's block is free.  The parent has been counted as
   complete; its heir counts only as finished.

   A taskgroup has a counter of its own, for the children of the task that opened it; their
   descendants are in it because it waits until these are finished.

   Invariants
   1. created, done of a counter are touched only by the thread that xthread names.  Any
      thread may ask whether that is itself: only it could have stored that.
   2. A counter lives until all its children are finished, its task's body is over and, for a
      taskgroup, left.  After the addition to xdone that tells of a child, the child's thread
      must not touch the counter any more, except to finish the parent.
   3. The second count of xdone is never above the first one, before the end of the body.
   4. Constraint: a thread that is suspended in a task - in taskwait, at the end of a taskgroup, in an
      undeferred task that waits - starts only descendants of that task.  In a barrier and at the
      end of a region it starts any task of the team.
   5. A thread arrives at a barrier, or leaves its region, only when all descendants of its
      implicit task are finished.  So when all have arrived there are no tasks, and none are
      created until the barrier lets somebody go.
   6. Who sleeps with unfinished children has put the number of its slot into xdone of the
      counters that it waits for: the addition that it waits for wakes it.

   Helping after the end.  A helper that has arrived at the end of a region goes to its dock, and
   from there helps with the tasks of the region that others still create; bit GOMP_WORD_TASKS of
   the dock's word calls it.  It needs no second handshake: with the deque's lock held
   it makes a claim and then looks whether the dock's word still is that of its region.  If so, the
   claimed tasks are of that region, which does not end before they are finished; if not,
   it gives them back untouched.

   Sleeping.  A thread that finds nothing spins as long as its team does (spins), looking at the
   deques of others now and then, and sleeps on a word of its own slot.  One that would take any task is in
   the pool's list of sleepers; who queues a task looks at their number and wakes one.  That look
   is a plain load: the sleeper has made a heavy fence (config/linux/fence.h) between joining the
   list and its last search.  One that is bound by the constraint is not in the list; it is woken
   by the end of its children, and looks by itself for tasks that it may run every few
   milliseconds.

   Teams of one thread, and threads outside of any region, run tasks at once.  What cannot run
   at once (an unfinished predecessor; in regions also a priority, or a parent so deep that
   the stack might not last) waits in the team's shared queue.  */

#ifndef GOMP_TASK_H
#define GOMP_TASK_H 1

#include "libgomp.h"
#include "host/team.h"
#include "host/thread.h"
#include "target-task.h"

/* Flags of GOMP_task and GOMP_taskloop.  */
enum
{
  GOMP_TASK_UNTIED = 0x1,
  GOMP_TASK_FINAL = 0x2,
  GOMP_TASK_MERGEABLE = 0x4,
  GOMP_TASK_DEPEND = 0x8,
  GOMP_TASK_PRIORITY = 0x10,
  GOMP_TASK_UP = 0x100,
  GOMP_TASK_GRAINSIZE = 0x200,
  GOMP_TASK_IF = 0x400,
  GOMP_TASK_NOGROUP = 0x800,
  GOMP_TASK_REDUCTION = 0x1000,
  GOMP_TASK_DETACH = 0x2000,
  GOMP_TASK_STRICT = 0x4000,
  /* No flag of a compiler: a target task that the host executes.  */
  GOMP_TASK_OF_TARGET = 0x40000000
};

typedef void (*gomp_task_copy_fn) (void *dst, void *src);

/* ---- Counters ---- */

/* xdone: bits 0-27 complete, 28-35 sleeper, 36-63 finished.  */
#define GOMP_DONE_COUNT ((UINT64_C (1) << 28) - 1)
#define GOMP_DONE_COMPLETE UINT64_C (1)
#define GOMP_DONE_FINISHED (UINT64_C (1) << 36)
#define GOMP_DONE_BOTH (GOMP_DONE_COMPLETE | GOMP_DONE_FINISHED)
#define GOMP_DONE_SLEEPER(word) ((unsigned) ((word) >> 28) & 255)
/* Slots with higher numbers share the last sleeper number.  */
#define GOMP_MAX_SLEEPER 255

static inline void
gomp_children_init (struct gomp_children *counter)
{
  counter->created = counter->done = 0;
  gomp_store_relaxed (&counter->xdone, 0);	/* not shared yet */
  gomp_store_relaxed (&counter->xthread, NULL);	/* as above */
  counter->outer = NULL;
}

/* One more, generated by the calling thread's task.  */
void gomp_children_fold (struct gomp_children *);
static inline void
gomp_children_add (struct gomp_children *counter, struct gomp_thread *thr)
{
  /* Relaxed: invariant 1.  */
  gomp_store_relaxed (&counter->xthread, thr);
  if (gomp_unlikely ((++counter->created & 0xffffff) == 0))
    gomp_children_fold (counter);
}

/* All are complete (taskwait), or finished with their descendants.  For the thread that runs
   the generating task.  Acquire: what the children did.  */
static inline bool
gomp_children_complete (const struct gomp_children *counter)
{
  uint64_t left = counter->created - counter->done;
  return left == 0 || (gomp_load_acquire (&counter->xdone) & GOMP_DONE_COUNT) == left;
}

static inline bool
gomp_children_finished (const struct gomp_children *counter)
{
  uint64_t left = counter->created - counter->done;
  return left == 0 || gomp_load_acquire (&counter->xdone) >> 36 == left;
}

/* Not zero if the task may have unfinished children: a look without atomics.  A number, so that it
   takes one branch to ask for this and more.  */
static inline uint64_t
gomp_task_children_mark (const struct gomp_task *task)
{
  const struct gomp_children *c = task->counter;
  return (c->created ^ c->done) | (uintptr_t) c->outer;
}

static inline bool
gomp_task_has_children (const struct gomp_task *task)
{
  return gomp_task_children_mark (task) != 0;
}

/* ---- task.c ---- */

void gomp_task_init_implicit (struct gomp_task *, struct gomp_team *);
/* The end of an implicit task, for its dependence table.  */
static inline void
gomp_depend_end_implicit (struct gomp_task *task)
{
  if (gomp_unlikely (task->depend_table != NULL))
    gomp_depend_end_parent (task);
}

/* A task with its argument block (task->data), which CPYFN, if given, or memcpy fills from
   DATA; generated by the calling thread's task and counted there.  Not yet known to any queue: the caller
   may change the block.  FLAGS: UNTIED, FINAL count.  */
struct gomp_task *gomp_task_new (struct gomp_thread *, gomp_fn, void *data,
				 gomp_task_copy_fn, size_t arg_size, size_t arg_align,
				 unsigned flags, int priority);
/* Queue it, or run it at once: all its predecessors are complete.  */
void gomp_task_submit (struct gomp_thread *, struct gomp_task *);
/* The last predecessor of a task is complete; from any thread, also outside of the team.  */
void gomp_task_ready (struct gomp_task *);
/* Run it now, as an undeferred task: FN on DATA itself, or on a copy that CPYFN makes.  */
void gomp_task_run_now (struct gomp_thread *, gomp_fn, void *data, gomp_task_copy_fn,
			size_t arg_size, size_t arg_align, unsigned flags);
/* Several undeferred tasks FN (DATA) one after the other, each as by gomp_task_run_now: begin,
   run for each, end.  run answers what the next call gets.  */
struct gomp_task *gomp_task_series_begin (struct gomp_thread *, gomp_fn, void *data,
					  unsigned flags);
struct gomp_task *gomp_task_series_run (struct gomp_thread *, struct gomp_task *);
void gomp_task_series_end (struct gomp_thread *, struct gomp_task *);
/* Run a task that is in no queue, and complete it unless it waits for its event.  */
void gomp_task_run (struct gomp_thread *, struct gomp_task *);
/* A child of PARENT that is counted in COUNTER has got so far: AMOUNT is GOMP_DONE_COMPLETE, _FINISHED
   or _BOTH.  Finishes PARENT if that was what it waited for.  THR: the calling thread.  */
void gomp_task_count_child (struct gomp_thread *thr, struct gomp_task *parent,
			    struct gomp_children *counter, uint64_t amount);
/* The event of TASK, whose body is over, has been fulfilled by THR, the calling thread.  WAITER
   as for gomp_event_body_ended: counts as one child that ends.  */
void gomp_task_fulfilled (struct gomp_thread *, struct gomp_task *, struct gomp_children *waiter);

/* A task that a device executes (target-task.c), with SIZE bytes for its data; generated by the
   calling thread's task and counted there.  It is in no queue: gomp_task_ready hands it to
   gomp_target_task_ready.  complete: it is over and may go, in any thread.  */
struct gomp_task *gomp_task_new_target (struct gomp_thread *, size_t size, size_t align);
void gomp_task_complete_target (struct gomp_thread *, struct gomp_task *);
/* A target task that the host executes as an ordinary one: FN on a copy of the SIZE bytes at DATA.
   CODEPTR: where the program called from.  */
void gomp_task_on_host (gomp_fn fn, void *data, size_t size, size_t align, void **depend,
			const void *codeptr);

/* An empty task that the calling thread generates and waits for: gomp_task_init_awaited, make it
   known to whom it waits for, then gomp_task_await.  gomp_task_ready ends the wait.  The
   struct is the caller's.  */
void gomp_task_init_awaited (struct gomp_thread *, struct gomp_task *);
void gomp_task_await (struct gomp_thread *, struct gomp_task *);

/* Wait for the children of the calling thread's task, in all its open taskgroups.  */
void gomp_task_wait_children (struct gomp_thread *);
/* The same until they and their descendants are finished; for barriers and ends of regions, of
   the calling thread's implicit task.  */
void gomp_task_finish_children (struct gomp_thread *);

struct gomp_taskgroup
{
  struct gomp_children children;	/* generated in it by the task that opened it */
  struct gomp_taskgroup *outer;
  uintptr_t *reductions;	/* arrays registered in it */
  bool implicit;		/* of a worksharing construct's task reductions, or of target data: cancel
				   taskgroup does not mean it */
  struct gomp_task *block;	/* whose memory it is, if it comes from GOMP_taskgroup_start */
  _Atomic (bool) xcancelled;	/* set once; relaxed: a hint for tasks that have not started */
};

/* GROUP becomes the calling thread's task's current taskgroup; its memory is the caller's and
   stays until it is left.  leave waits for all tasks of the group.  */
void gomp_taskgroup_enter (struct gomp_thread *, struct gomp_taskgroup *);
void gomp_taskgroup_leave (struct gomp_thread *);

/* ---- task-queue.c ---- */

/* Not zero if there may be tasks in a queue of the calling thread's team: a look that costs next to
   nothing.  In a thread that the library has not seen yet there are none.  */
static inline unsigned
gomp_task_queued_mark (struct gomp_thread *thr)
{
  /* Relaxed: hints.  The bit is there from the first task on that is put into any queue, until
     the next barrier, where all have been run.  */
  if (gomp_likely (thr->slot != NULL))
    return gomp_barrier_tasks (gomp_load_relaxed (&gomp_team_pool (thr->team)->bar.xphase));
  return thr->team != NULL ? gomp_load_relaxed (&thr->team->tasks.xcount) : 0;
}

static inline bool
gomp_task_may_be_queued (struct gomp_thread *thr)
{
  return gomp_task_queued_mark (thr) != 0;
}
/* Run one task that the calling thread may start, if there is one.  */
bool gomp_task_work (struct gomp_thread *);
/* Run such tasks until DONE (ARG), and sleep when there is nothing to do.  Who makes it true calls
   gomp_task_ready or completes a child of the waiting task.  */
void gomp_task_wait (struct gomp_thread *, bool (*done) (void *), void *arg);

/* The team's shared queue is so full that new tasks had better run at once.  */
#define GOMP_SHARED_MANY 1024
static inline bool
gomp_task_many_shared (struct gomp_thread *thr)
{
  return gomp_load_relaxed (&thr->team->tasks.xcount) >= GOMP_SHARED_MANY;	/* a hint */
}
/* Tasks do not run at once in tasks of this depth, in regions: each needs stack.  */
#define GOMP_DEPTH_AT_ONCE 256
/* The owner of DEQUE has filled it, as far as a deque grows, and a quarter of that is not free yet:
   otherwise every task that is taken would make the owner look for room.  */
static inline bool
gomp_deque_is_full (const struct gomp_deque *deque)
{
  int64_t tail = gomp_load_relaxed (&deque->xtail);	/* its own */
  /* Relaxed: a hint.  There is only so much in one that has grown to the last size.  */
  return tail >= deque->limit
	 && tail - gomp_load_relaxed (&deque->xhead) > GOMP_DEQUE_LAST_SIZE - GOMP_DEQUE_LAST_SIZE / 4;
}
/* There is room in the calling thread's deque.  It has one if its slot isn't NULL.  */
bool gomp_deque_make_room (struct gomp_deque *, int64_t tail);
static inline bool
gomp_task_may_push (struct gomp_thread *thr)
{
  struct gomp_deque *deque = &thr->slot->tasks.deque;
  int64_t tail = gomp_load_relaxed (&deque->xtail);	/* its own */
  return gomp_likely (tail < deque->limit) || gomp_deque_make_room (deque, tail);
}
/* Into the calling thread's deque; false: full, or none.  */
bool gomp_task_push (struct gomp_thread *, struct gomp_task *);
/* Into the shared queue of its team, by THR, which need not be in the team.  */
void gomp_task_push_shared (struct gomp_thread *, struct gomp_task *);

/* Waits in a team of more than one.  In a barrier whose phase is PHASE; at the end of the
   region, for the master; in the dock, until the next region.  */
void gomp_task_help_barrier (struct gomp_thread *, uint32_t phase);
void gomp_task_gather (struct gomp_thread *);
void gomp_task_help_docked (struct gomp_thread *, uint64_t spins);
/* Wake all of POOL that sleep and would run any task.  */
void gomp_task_wake_all (struct gomp_thread_pool *);
/* Wake that thread of the team that has N threads and SLOTS, if it sleeps.  SLEEPER as in xdone.  */
void gomp_task_wake (struct gomp_slot **slots, unsigned n, unsigned sleeper);
void gomp_task_wake_slot (struct gomp_slot *);
/* Threads of teams of one share a word.  */
void gomp_task_wake_solo (void);

/* The team's shared queue goes away; a slot comes and goes.  */
void gomp_task_shared_free (struct gomp_task_shared *);
void gomp_task_slot_init (struct gomp_slot *);
void gomp_task_slot_free (struct gomp_slot *);
/* In the child of a fork: of POOL's threads only number NUM is left.  */
void gomp_task_team_forked (struct gomp_thread_pool *, unsigned num);

/* ---- task-memory.c ---- */

/* The calling thread is about to read and write TASK, which another processor's cache has.  */
static inline void
gomp_task_prefetch (struct gomp_task *task)
{
  for (unsigned i = 0; i < sizeof (*task) + 16; i += GOMP_CACHE_LINE)
    gomp_prefetch_write ((char *) task + i);
}

/* A block for a task with SIZE bytes behind it at alignment ALIGN; fills in home, size_class
   and data.  */
struct gomp_task *gomp_task_alloc (struct gomp_thread *, size_t size, size_t align);
void gomp_task_free (struct gomp_thread *, struct gomp_task *);
/* The free blocks of the calling thread: its slot's, or its own in teams of one.  */
static inline struct gomp_task_cache *
gomp_task_cache_of (struct gomp_thread *thr)
{
  return gomp_likely (thr->slot == NULL) ? &gomp_own_block->task_cache : &thr->slot->tasks.cache;
}
/* Its lists of free blocks: take answers NULL if there is none of this CLASS, put needs count[CLASS] <
   GOMP_TASK_KEEP.  A task without an argument block can take one of class 0 directly; take does not set
   its data, and put is only for the thread's own blocks of tasks that no tool knows of.  */
#define GOMP_TASK_KEEP 4096
/* A taskgroup's memory is a block of a class of its own, in the argument's place.  A free one is ready: a
   group with no tasks, and nothing known to a tool.  */
#define GOMP_TASK_GROUP_CLASS (GOMP_TASK_CLASSES - 1)
#define GOMP_TASK_GROUP_OFFSET ((sizeof (struct gomp_task) + 15) & -16)
_Static_assert (_Alignof (struct gomp_taskgroup) <= 16, "place of a group in its block");
/* A block of that class, new or ready.  */
struct gomp_task *gomp_task_alloc_group (struct gomp_thread *);
static inline struct gomp_task *
gomp_task_cache_take (struct gomp_task_cache *cache, unsigned class)
{
  struct gomp_task *task = cache->blocks[class];
  if (gomp_likely (task != NULL))
    {
      cache->blocks[class] = task->next;
      cache->count[class]--;
    }
  return task;
}
static inline void
gomp_task_cache_put (struct gomp_task_cache *cache, unsigned class, struct gomp_task *task)
{
  task->next = cache->blocks[class];
  cache->blocks[class] = task;
  cache->count[class]++;
}
void gomp_task_cache_free (struct gomp_slot *);
/* The calling thread ends.  */
void gomp_task_thread_end (void);

/* ---- task-event.c ---- */

/* Give TASK an event; answers the handle.  */
uintptr_t gomp_event_new (struct gomp_task *);
/* TASK's event has been fulfilled.  Acquire: what was done before.  */
bool gomp_event_fulfilled (const struct gomp_task *);
/* TASK's body is over and its counts are given up.  True: its event has been fulfilled.  False:
   omp_fulfill_event will call gomp_task_fulfilled; TASK must not be touched.  WAITER: NULL, or
   what the thread of an undeferred task waits for.  */
bool gomp_event_body_ended (struct gomp_task *, struct gomp_children *waiter);
/* TASK has no use for its event any more: it has been fulfilled, or nobody has to.  */
void gomp_event_drop (struct gomp_task *);
/* TASK will not run: whoever fulfils its event later does nothing.  */
void gomp_event_discard (struct gomp_task *);
/* So that fork finds nobody in the middle of a change.  */
void gomp_events_lock (void);
void gomp_events_unlock (void);

#endif /* GOMP_TASK_H */
