/* team.h -- teams, their helper threads and how these dock: for team.c, parallel.c, work.c.

   A pool belongs to one OS thread, its master, and holds the helpers that the master runs
   regions with.  A thread that starts a region inside a region needs a second pool, which
   hangs from its first one (inner); so every (thread, depth) has helpers of its own that
   persist.  Thread number I of the master's regions is always the same OS thread.

   Life of a helper (functions of team.c):

			 region starts: gomp_team_launch
     DOCKED (dock_wait) ---------------------------------> RUNNING (helper_run)
       |  ^   ^------------------------------------------------'
       |  |		 region's end: gomp_team_arrive
       |  |
       |  | recalled: the team grows again (gomp_team_prepare)
       |  |
       |  '---- RESERVE (reserve_wait): a region began without it
       |-------------^
       '--> ended: the pool is released

   The pool of a thread that ends may go to another one: spare-pools.h.

   Invariants
   1. All docked helpers look at one word, dock.xword: value = (team size << 32 | generation),
      bits 0 and 1 as in bar.h (bit 1: docked helpers of that region help with its tasks).  A
      helper whose number is below the size takes part.  Only the master writes the value, when
      no helper of the pool is running.
   2. fn, data, first_ws, first_number and passed in the dock, and the team itself, are written by the master before
      it posts the word and not again before it has gathered all helpers.
   3. Helpers 1 .. active-1 are docked or will be; helpers active .. nslots-1 are in the
      reserve or will go there when they look at the word.  Those in the reserve look at the
      word, too, before they sleep: a team often grows again soon.
   4. Size 0 in the word: the helper ends.  The last of master and helpers to let go of a
      pool frees it.
   5. In the child of a fork a dead pool has one thread at most, the one that called fork.  Its
      nthreads_minus_1 is zero whenever it is a member of such a pool's team, so that it waits for
      nobody, but its slot and its number stay; see leave_alone in team.c.  */

#ifndef GOMP_TEAM_H
#define GOMP_TEAM_H 1

#include <pthread.h>

#include "libgomp.h"
#include "config/linux/bar.h"
#include "config/linux/heritage.h"
#include "host/depend.h"
#include "host/task-queue.h"
#include "host/thread.h"
#include "host/work.h"

/* Threads of one contention group, for the thread limit.  */
struct gomp_group
{
  _Atomic (unsigned) xhelpers;	/* active beside the initial thread; counted only in tasks
				   that have a limit */
  bool serves;			/* what it runs is a reverse call; written by the initial thread when
				   no other one is in it */
};

/* What all members of a team share and only read while the region runs.  */
struct gomp_team
{
  unsigned nthreads;
  unsigned level, active_level;
  unsigned team_num, num_teams_minus_1;
  unsigned master_num;		/* number of its thread 0 in the parent team */
  struct gomp_icvs icvs;	/* what its implicit tasks start with */
  uint64_t spins;		/* how often to look before sleeping */
  struct gomp_task *parent_task;
  struct gomp_team *parent;	/* NULL: nothing around it.  An initial task's team at level 0 has
				   one inside target regions and host teams */
  struct gomp_group *group;
  bool by_lines;		/* threads write into their slots that they have come: gather.c */
  struct gomp_work_share *solo_ws;	/* team of one: its only instance at a time */
  /* cancel.c; set only where OMP_CANCELLATION is true.  */
  _Atomic (bool) xcancelled;	/* the region is cancelled */
  _Atomic (uint64_t) xcancelled_ws;	/* number of a cancelled instance, plus one, or 0 */
  struct gomp_ompt_region *ompt;	/* what a tool knows of the region; set only with a tool */
  struct gomp_task_shared tasks;	/* not only read; empty when a region begins */
  uintptr_t *reductions;	/* arrays of a parallel with task reductions (reduction.h), or NULL */
};

/* One thread's place in the teams of a pool.  */
struct gomp_slot
{
  GOMP_NO_SHARING struct gomp_task task;
  struct gomp_thread_pool *pool;
  unsigned num;
  uint64_t seen;		/* the helper's: value of the dock's word it knows */
  pthread_t thread;		/* the master's; not set for slot 0 */
  _Atomic (struct gomp_thread *) xthread;	/* the thread, which may have ended; NULL: not yet known */
  /* Objects for worksharing instances (work.h).  The thread's own; the master's when it
     frees the pool.  */
  struct gomp_work_share *ws_newest;	/* of the ring; the oldest is its successor */
  struct gomp_work_share *ws_spare;	/* prepared for an instance that another was first with */
  unsigned ws_count;
  uint64_t ws_number;		/* of the last instance that the thread met */
  uint64_t ws_passed;		/* every thread of the team has reached this number */
  struct gomp_seat seat;	/* in the present or the next region; affinity.h */
  struct gomp_doacross_place doacross;	/* the thread's own */

  struct gomp_slot_tasks tasks;
  struct gomp_depend_memory depend_memory;

  /* Of a group's first thread: how many of the group have come to the barrier.  */
  GOMP_NO_SHARING _Atomic (uint32_t) xgathered;
  /* The last barrier or end of a region to which it has come, in a team by lines: gomp_arrival.  */
  GOMP_NO_SHARING _Atomic (uint64_t) xarrived;
  GOMP_NO_SHARING _Atomic (uint64_t) xreached;	/* written by the thread, read by all */
  gomp_word_t xrecall;		/* changed to call the helper out of the reserve */

  GOMP_NO_SHARING struct gomp_own own;	/* the helper's */
};

struct gomp_thread_pool
{
  struct gomp_team team;	/* first member: a team with a slot is in a pool */

  /* The master's.  */
  GOMP_NO_SHARING struct gomp_slot **slots;	/* 0 .. nslots-1 */
  unsigned nslots, capacity;
  unsigned active;		/* size of the last region */
  unsigned counted;		/* helpers counted in gomp_busy_helpers */
  unsigned reserved;		/* threads of the limit that the running region has taken */
  struct gomp_work_share *last_ws;	/* the chain's last instance, between regions */
  struct gomp_placement placement;	/* what the seats of the slots follow from */
  bool crowded;			/* more threads than CPUs in a place */
  bool dead;			/* its helpers are in another process: fork */
  bool uniform;			/* not the main thread's, and all helpers have this heritage: */
  struct gomp_heritage heritage;
  struct gomp_thread_pool *next_spare;	/* spare-pools.c */
  _Atomic (struct gomp_reduction_block *) xblocks_left;	/* to free when the region is over */
  struct gomp_thread_pool *inner;	/* for regions inside its regions, while one runs */
  _Atomic (unsigned) xrefs;	/* master and helpers that have not let go */

  struct
  {
    GOMP_NO_SHARING _Atomic (uint64_t) xword;
    gomp_fn fn;
    void *data;
    struct gomp_work_share *first_ws;	/* where all threads stand at the start ... */
    uint64_t first_number;	/* ... and its number */
    uint64_t passed;		/* no thread looks at instances below this number */
  } dock;

  gomp_mutex_t doacross_lock;
  struct gomp_doacross *doacross;	/* protected by doacross_lock */

  gomp_barrier_t bar;
  GOMP_NO_SHARING _Atomic (unsigned) xcancel_arrived;	/* threads that have come to a barrier of a
							   program that may cancel; cancel.c */
  struct gomp_idle idle;

  /* Single constructs of the region that some thread has taken; single.c.  */
  GOMP_NO_SHARING _Atomic (uint64_t) xsingles;
};

static inline struct gomp_thread_pool *
gomp_team_pool (struct gomp_team *team)
{
  return (struct gomp_thread_pool *) team;
}

/* A region of one thread, or the environment of an initial task: everything that it needs.  Free ones
   are in a list of their thread, ready for the next region: what no region changes, and what
   each leaves as it found it, is written once (team.c).  */
struct gomp_solo
{
  struct gomp_team team;
  struct gomp_task task;
  struct gomp_work_share ws;
  struct gomp_group group;	/* of an initial task */
  struct gomp_solo *next;	/* in the list */
};

/* ---- team.c ---- */

/* How many threads the next region gets; REQUEST as the compiler passes it, MAX_USEFUL: a
   hint for dynamic adjustment, 0 none.  A size above one has taken its threads from the
   contention group's limit.  */
unsigned gomp_team_size (struct gomp_thread *, unsigned request, unsigned max_useful);

/* The calling thread's pool, ready for a region of N > 1 threads with proc_bind clause
   FLAGS & 7.  */
struct gomp_thread_pool *gomp_team_prepare (struct gomp_thread *, unsigned n, unsigned flags);
/* Let the helpers run FN (DATA), and make the calling thread number 0.  LOOP: the loop in
   which all threads begin, or NULL.  */
void gomp_team_launch (struct gomp_thread *, struct gomp_thread_pool *, gomp_fn fn, void *data,
		       const struct gomp_loop *loop);
/* Wait for the helpers; the calling thread is what SAVED says again.  */
void gomp_team_join (struct gomp_thread *, const struct gomp_thread *saved);

/* The regions that run now, or that pools wait for, have more threads than there are
   processors.  */
bool gomp_team_crowded (void);

/* The same for a team of one.  */
struct gomp_solo *gomp_solo_begin (struct gomp_thread *, unsigned flags);
void gomp_solo_end (struct gomp_thread *, struct gomp_solo *, const struct gomp_thread *saved);
/* What the calling thread has left in SOLO, where nothing is under way, is gone: children are
   complete.  */
void gomp_solo_clean (struct gomp_thread *, struct gomp_solo *);

/* A thread outside of the team keeps the pool alive while it does something to it.  The caller
   knows that it is alive now.  */
void gomp_pool_hold (struct gomp_thread_pool *);
void gomp_pool_let_go (struct gomp_thread_pool *);

/* In the child of a fork: the lock of atomic updates is free (atomic.c).  */
void gomp_atomic_forked (void);

/* task.h has these; here for the barrier.  */
void gomp_task_finish_children (struct gomp_thread *);
void gomp_task_help_barrier (struct gomp_thread *, uint32_t phase);
void gomp_task_help_gather (struct gomp_thread *, uint64_t arrival);
void gomp_task_wake_all (struct gomp_thread_pool *);

/* The same where OMP_CANCELLATION is true; returns at once, and early, when the region is
   cancelled (cancel.c).  */
void gomp_cancel_barrier (struct gomp_thread *);
/* A region of such a program ends; all helpers have arrived.  */
void gomp_cancel_end_region (struct gomp_thread_pool *);

/* ---- Barriers ---- */

/* A team of at most so many threads comes to a barrier by lines, if it has a processor for each; of
   those that count, more than GOMP_BAR_FLAT come by groups of GOMP_BAR_GROUP threads: doc/scaling.md.  */
#define GOMP_BAR_LINES 32
#define GOMP_BAR_FLAT 16
#define GOMP_BAR_GROUP 8

/* What the thread of SLOT writes when it has come to the barrier that ends PHASE, or to the end of the
   region.  Unlike what any thread has written before.  */
#define GOMP_REGION_END 1u
static inline uint64_t
gomp_arrival (const struct gomp_slot *slot, uint32_t phase)
{
  /* Relaxed: only thread 0 changes the value.  */
  uint64_t word = slot->num != 0 ? slot->seen
		  : gomp_load_relaxed (&slot->pool->dock.xword) & ~(uint64_t) GOMP_WORD_FLAGS;
  return word << 32 | phase;	/* the dock's generation is in the lower half */
}

/* gather.c: the same as below for more than two threads, and what is slow.  */
void gomp_team_arrive_many (struct gomp_thread *);
bool gomp_team_gather_many (struct gomp_thread_pool *);
void gomp_team_wake_master (void) __attribute__ ((cold));
bool gomp_team_sleep_by_count (struct gomp_thread_pool *, unsigned n) __attribute__ ((cold));

/* Have all helpers come to ARRIVAL?  ASLEEP: the caller is about to sleep, the last one is to
   wake it.  Acquire: what they did.  */
bool gomp_team_gathered (struct gomp_thread_pool *, uint64_t arrival, bool asleep);
/* The barrier of a team of more than two, with the calling thread's tasks done.  */
void gomp_team_barrier_many (struct gomp_thread *);

/* WEIGHT helpers of N - 1 have come to the region's end.  Nothing of the team may be touched
   afterwards.  */
static inline void
gomp_team_count_arrival (struct gomp_thread_pool *pool, unsigned n, unsigned weight)
{
  /* Release: the master sees what these threads did.  */
  uint32_t seen = gomp_add_acq_rel (&pool->bar.xarrived, 2 * weight);
  if (gomp_unlikely (seen == (2 * (n - 1 - weight) | GOMP_WORD_SLEEPERS)))
    gomp_team_wake_master ();
}

/* The calling thread, a helper of POOL, has come to the region's end.  */
static inline void
gomp_team_arrive (struct gomp_thread *thr, struct gomp_thread_pool *pool)
{
  if (gomp_likely (thr->nthreads_minus_1 == 1))
    gomp_team_count_arrival (pool, 2, 1);
  else
    gomp_team_arrive_many (thr);
}

/* Thread 0 waits until N - 1 helpers have counted themselves.  False: there are tasks, and it should do
   something about them instead.  */
static inline bool
gomp_team_gather_count (struct gomp_thread_pool *pool, unsigned n)
{
  gomp_barrier_t *bar = &pool->bar;
  uint64_t spins = pool->team.spins;
  /* Acquire: what the helpers did.  */
  for (uint64_t i = 0; gomp_load_acquire (&bar->xarrived) != 2 * (n - 1); i++)
    {
      /* Relaxed: a hint.  */
      if (gomp_unlikely (gomp_barrier_tasks (gomp_load_relaxed (&bar->xphase))))
	return false;
      if (!gomp_spin (i, spins))
	{
	  if (!gomp_team_sleep_by_count (pool, n))
	    return false;
	  break;
	}
    }
  /* Relaxed: all have come.  gomp_task_gather takes the bit away.  */
  if (gomp_unlikely (gomp_barrier_tasks (gomp_load_relaxed (&bar->xphase))))
    return false;
  gomp_store_relaxed (&bar->xarrived, 0);	/* the next fork releases it */
  return true;
}

/* Thread 0 waits until all helpers have come to the region's end.  False: as above.  */
static inline bool
gomp_team_gather (struct gomp_thread_pool *pool)
{
  return gomp_likely (pool->team.nthreads == 2) ? gomp_team_gather_count (pool, 2)
	 : gomp_team_gather_many (pool);
}

/* The barrier of the calling thread's team.  */
static inline void
gomp_team_barrier (struct gomp_thread *thr)
{
  if (gomp_unlikely (gomp_global_icvs.cancellation))
    {
      gomp_cancel_barrier (thr);
      return;
    }
  struct gomp_task *task = thr->task;
  if (thr->nthreads_minus_1 == 0)
    {
      if (gomp_unlikely (task != NULL && (task->counter->created != task->counter->done
					  || task->counter->outer != NULL)))
	gomp_task_finish_children (thr);
      return;
    }
  if (gomp_unlikely (task->counter->created != task->counter->done
		     || task->counter->outer != NULL))
    gomp_task_finish_children (thr);

  struct gomp_thread_pool *pool = gomp_team_pool (thr->team);
  gomp_barrier_t *bar = &pool->bar;
  if (thr->nthreads_minus_1 == 1)
    {
      uint32_t word = gomp_barrier_pair_arrive (bar);
      if (word & GOMP_BAR_ARRIVED)
	{
	  if (gomp_unlikely (word & GOMP_BAR_FLAGS) && gomp_barrier_pair_clear (bar, word))
	    gomp_task_wake_all (pool);
	}
      else if (gomp_unlikely (!gomp_barrier_wait (bar, word | GOMP_BAR_ARRIVED, thr->team->spins)))
	gomp_task_help_barrier (thr, gomp_barrier_phase (word));
    }
  else
    gomp_team_barrier_many (thr);
  /* All have come here, so all have reached what this thread has.  */
  thr->slot->ws_passed = thr->slot->ws_number;
}

/* The same at the end of a worksharing construct: a part of its entry point.  */
static inline void __attribute__ ((always_inline))
gomp_end_workshare (void)
{
  if (gomp_ompt_on ())
    {
      gomp_ompt_work_end (gomp_self (), __builtin_return_address (0));
      gomp_ompt_barrier (ompt_sync_region_barrier_implicit_workshare, GOMP_OMPT_CALL);
    }
  else
    gomp_team_barrier (&gomp_tls);
}

#endif /* GOMP_TEAM_H */
