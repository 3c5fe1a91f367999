/* task-queue.h -- where tasks wait to be run: deques, a team's shared queue, sleeping threads.

   The structures only, for team.h; task.h has the functions and the life of a task.

   A slot's deque is in the THE style (Frigo, Leiserson, Randall 1998).  Its owner pushes and
   pops at the tail without a lock.  A thief takes the lock, moves the head on (claims), and only
   then looks at the tail; the owner lowers the tail and only then looks at the head.  Both orders
   are sequentially consistent, so when they are after the same task at least one of them sees it: the
   thief then gives back what is behind the tail, the owner takes the lock, which makes it
   wait for the thief, and looks again.

   Invariants
   1. The tasks in a deque are ring[i & mask] for xhead <= i < xtail.  Only the owner writes
      xtail, only who holds the lock writes xhead, ring and mask.
   2. Tasks that a thief has claimed are nobody else's: it may look at them, and give those at
      the end of its claim back by lowering xhead, before it gives back the lock.
   3. limit is not above xhead + size, whatever thieves claim and give back: the owner
      computes it with the lock held.
   4. A thread suspended in a task finds in its deque, above what was there when that task
      started, only descendants of that task (task.h, constraint): the tail one is a descendant
      or none is.  */

#ifndef GOMP_TASK_QUEUE_H
#define GOMP_TASK_QUEUE_H 1

#include "libgomp.h"
#include "config/linux/bar.h"
#include "plugin/thread-own.h"

struct gomp_task;
struct gomp_slot;

/* A ring grows to that many.  */
#define GOMP_DEQUE_LAST_SIZE 1024

struct gomp_deque
{
  GOMP_NO_SHARING _Atomic (int64_t) xtail;
  int64_t limit;		/* the owner may push while xtail is below */
  _Atomic (struct gomp_task *) *ring;	/* NULL before the first task */
  int64_t mask;			/* size - 1; -1 without a ring */
  bool closed;			/* takes nothing any more: fork */

  GOMP_NO_SHARING _Atomic (int64_t) xhead;
  gomp_mutex_t lock;
};

/* Tasks that may not wait in a deque: those with a priority, and those that became ready
   in a thread that has no deque of the team, or at a time when invariant 4 would break.  A
   heap; of the same priority the older one first, but without priority the newer one, so that
   trees of tasks are walked depth first.  */
struct gomp_task_shared
{
  gomp_mutex_t lock;		/* protects all but xcount's reading */
  _Atomic (unsigned) xcount;	/* tasks here; read without the lock as a hint */
  unsigned capacity;
  uint64_t sequence;
  struct gomp_task_shared_entry *heap;
};

/* A slot's part of all that.  */
struct gomp_slot_tasks
{
  struct gomp_deque deque;
  /* Blocks that others gave back: pushed by compare-and-swap, taken all at once.  */
  GOMP_NO_SHARING _Atomic (struct gomp_task_batch *) xreturned;
  GOMP_NO_SHARING struct gomp_task_cache cache;
  struct gomp_slot **siblings;	/* all slots of the region's team */
  uint32_t random;		/* state of the generator for victims */
  unsigned victim;		/* where it last found something */
  unsigned stolen;		/* how many tasks it took there */
  uint32_t pause;		/* after those were tiny, in ns: it looks no further ... */
  uint64_t not_before;		/* ... before this time */
  bool completing;		/* successors of its completing task are released */

  /* Sleeping: 1 while the thread sleeps; who sets it to 0 wakes it.  */
  GOMP_NO_SHARING gomp_word_t xasleep;
  struct gomp_slot *idle_next;	/* protected by the pool's idle.lock ... */
  bool listed;			/* ... as is this */
};

/* The threads of a pool that sleep and would run any task.  */
struct gomp_idle
{
  GOMP_NO_SHARING gomp_mutex_t lock;
  struct gomp_slot *first;	/* protected by lock */
  GOMP_NO_SHARING _Atomic (unsigned) xsleeping;	/* how many; changed under lock, read by all */
};

#endif /* GOMP_TASK_QUEUE_H */
