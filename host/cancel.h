/* cancel.h -- what the rest of the runtime asks about cancellation; cancel.c tells the rules.

   All of it is false, after one load, where OMP_CANCELLATION is not true.  The flags are hints for
   those who ask: whoever is cancelled goes on until it comes to a point where it looks.  */

#ifndef GOMP_CANCEL_H
#define GOMP_CANCEL_H 1

#include "libgomp.h"
#include "host/task.h"
#include "host/team.h"

static inline bool
gomp_cancel_on (void)
{
  return gomp_unlikely (gomp_global_icvs.cancellation);
}

/* The calling thread's region is cancelled.  */
static inline bool
gomp_cancelled_parallel (const struct gomp_thread *thr)
{
  /* Acquire: what the thread that cancelled did before.  */
  return gomp_cancel_on () && thr->team != NULL && gomp_load_acquire (&thr->team->xcancelled);
}

/* So is the worksharing construct that the calling thread is in.  */
static inline bool
gomp_cancelled_workshare (const struct gomp_thread *thr)
{
  /* Acquire: as above.  */
  return gomp_cancel_on () && thr->team != NULL
	 && gomp_load_acquire (&thr->team->xcancelled_ws) == thr->ws->number + 1;
}

/* GROUP, or the one around it if it is implicit in another construct, is cancelled.  */
static inline bool
gomp_cancelled_group (const struct gomp_taskgroup *group)
{
  for (; gomp_likely (group != NULL); group = group->outer)
    if (gomp_likely (!group->implicit))
      /* Acquire: as above.  */
      return gomp_unlikely (gomp_load_acquire (&group->xcancelled));
  return false;
}

/* New tasks of the calling thread's task are dropped.  */
static inline bool
gomp_cancelled_new_task (const struct gomp_thread *thr)
{
  return gomp_cancel_on () && (gomp_cancelled_parallel (thr)
			       || gomp_cancelled_group (thr->task->group));
}

/* TASK, which was deferred and is about to start, is discarded.  Not when its arguments are
   objects that its body destroys.  */
static inline bool
gomp_cancelled_task (const struct gomp_task *task)
{
  /* Acquire: as above.  */
  return gomp_cancel_on () && !task->copied
	 && (gomp_load_acquire (&task->team->xcancelled) || gomp_cancelled_group (task->own_group));
}

/* A thread that waits in a loop for others of its team need not wait any more: they may have
   left the loop.  */
static inline bool
gomp_cancelled_wait (const struct gomp_thread *thr)
{
  return gomp_cancel_on () && (gomp_cancelled_parallel (thr) || gomp_cancelled_workshare (thr));
}
/* Sleep on WORD under BITS while it is VALUE, in such a wait; may come back early.  False: as
   above.  */
bool gomp_cancel_sleep (struct gomp_thread *, gomp_word_t *word, uint32_t value, uint32_t bits);

#endif /* GOMP_CANCEL_H */
