/* target-task.h -- target tasks that are deferred: nowait on target, target update, target enter
   and exit data, and the omp_target_*_async routines.

   Such a task is a task of the host (host/task.h) of kind GOMP_TASK_TARGET.  It has no body that a
   thread would run: what it does is planned and enqueued by whoever finds that it may start,
   and it is complete when the device is through, which any thread may find out.

   Life of a target task

     pending	made by gomp_target_task_new; waits for predecessors (host/depend.c)
     starting	gomp_target_task_start or gomp_target_task_ready: planned under map_lock
     stalled	planned, but what it needs of other constructs is not there yet: data on its way
		back to the host, or transfers that are not enqueued.  Tried again by whoever
		collects
     in flight	everything is enqueued on the queue of a lane, with an event behind it
     landed	the event is signalled: results are handed out, the mapping is left; that may need
		copies, and then the task is in flight once more
     complete	as for every task: successors are released, who waits for it is told

   pending -> starting happens in the generating thread or in the one that completes the last
   predecessor; it never lies in a queue of tasks.  No step waits for a device, so none of
   them keeps a thread, but for those that move bulk data through pinned memory: helper threads of the
   device's ring take these (staging.h).  target-task.c has the steps, target-flight.c lanes, collecting, the
   progress thread, exit and fork.

   Who collects: threads that wait in the host runtime or yield, those that wait for another
   construct's data, the exit handler; and the progress thread, when somebody sleeps or a successor
   waits on the host's side.  Programs without target tasks pay one load where they wait.

   Order on the device.  A task that changes no count when it ends and copies nothing to the host
   says so in its dependence node while it is in flight.  A target task of the same device that
   depends on it gets no edge: it starts, and its queue waits for the flight's event.  One that had
   to wait for it on the host's side, since it was not in flight yet, loses its edge when it
   is (gomp_target_let_follow).  So chains of regions on present data are enqueued without a thread in
   between, whatever they begin with.

   Invariants
   1. A target task belongs to one thread at a time: the one that makes it, the one that starts
      it, nobody while it is stalled or in flight (then it is in a list, protected by the lock of
      target-flight.c), the one that took it out of that list.
   2. A thread that is in a step starts no second one inside of it: what becomes ready is put on
      the thread's agenda and done afterwards.  So chains do not pile up on the stack.
   3. A lane's queue is used by one thread at a time: the one that has set busy.
   4. xactive counts the tasks that have been started and are not complete.  It is zero only if
      there is nothing to collect.  */

#ifndef GOMP_TARGET_TASK_H
#define GOMP_TARGET_TASK_H 1

#include "libgomp.h"

struct gomp_task;		/* host/thread.h */
struct gomp_thread;
struct gomp_depend_node;	/* host/depend-node.h */

/* ---- What the host runtime calls ---- */

extern GOMP_HIDDEN _Atomic (unsigned) gomp_xtarget_active;	/* invariant 4 */

/* Not zero: active.  */
static inline unsigned
gomp_target_mark (void)
{
  /* Relaxed: a hint.  Who waits for a task has started it or will be told.  */
  return gomp_load_relaxed (&gomp_xtarget_active);
}

static inline bool
gomp_target_active (void)
{
  return gomp_unlikely (gomp_target_mark () != 0);
}

/* The calling thread has nothing better to do: bring on what can be brought on.  It holds no lock.  */
void gomp_target_collect (void);
static inline void
gomp_target_poll (void)
{
  if (gomp_target_active ())
    gomp_target_collect ();
}
/* Is something in flight whose end shows by itself, so that a thread that polls learns of it sooner than
   one that sleeps, and takes no processor from it?  */
bool gomp_target_in_flight (void);
static inline bool
gomp_target_worth_polling (void)
{
  return gomp_target_active () && gomp_target_in_flight ();
}
/* The calling thread is about to sleep, or something on the host waits for a target task: the
   progress thread is to collect.  False: there is none, go on polling.  */
bool gomp_target_need_progress (void);
static inline bool
gomp_target_may_sleep (void)
{
  return !gomp_target_active () || gomp_target_need_progress ();
}
/* The last predecessor of TASK, a target task, is complete.  */
void gomp_target_task_ready (struct gomp_task *task);
/* TASK, which is being made, depends on the task of PRED, which is in flight.  True: its
   queue will wait on the device.  */
bool gomp_target_task_follow (struct gomp_task *task, struct gomp_depend_node *pred);
/* Nothing is in flight: wait until no thread uses a device for what was, which takes a moment.  */
void gomp_target_leave_devices (void);
/* An initial thread ends: its target tasks, and what waits for them, have to be complete.  */
void gomp_target_thread_end (struct gomp_thread *);

#endif /* GOMP_TARGET_TASK_H */
