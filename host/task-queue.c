/* task-queue.c -- where tasks wait, how threads find them, and how threads without any sleep.
   task-queue.h has the deques and their invariants, task.h the rules for sleeping.  */

#include "host/task.h"
#include "config/linux/fence.h"
#include "config/linux/futex.h"
#include "host/icv.h"

#define FIRST_SIZE 64
/* A thief takes half of what is there, and no more than this, of one task's children: of a recursion's
   tasks the others wait, where the thief has them, until it has come back from the first one.  */
#define MAX_STEAL 8
/* Without anything to run for so many turns, and twice as many, and so on, it looks behind the head of others' deques, too:
   what is there may belong to nothing that it waits for.  */
#define SEARCH_TURNS 128
/* A thread without work looks for some in every so many turns of its loop: often enough to start
   within a microsecond, rarely enough to leave the lines of working threads alone.  */
#define LOOK_INTERVAL 16
/* At so many threads.  */
#define LOOK_VICTIMS 4
/* Stolen tasks that took less than this each, for every thread of a small team, the way from the other
   thread included, would have been over sooner where they were, and there the lines that thieves
   take are missed ...  */
#define TINY_NS 150
#define TINY_THREADS 4
/* ... so the thief looks again after a pause, which doubles while it finds no others.  */
#define FIRST_PAUSE_NS 1000
#define LAST_PAUSE_NS 32000
/* Sleeping threads that are bound by the constraint look again after so long.  */
#define FIRST_NAP_NS 1000000
#define LAST_NAP_NS 64000000

/* ---- Constraint ---- */

/* TASK is a descendant of WITHIN.  NULL: the thread is not suspended in a task.  */
static inline bool
eligible (const struct gomp_task *task, const struct gomp_task *within)
{
  if (within == NULL)
    return true;
  while (task->depth > within->depth)
    task = task->parent;
  return task == within;
}

/* ---- Deques: the owner's side ---- */

/* There is no room below limit.  True: now there is.  */
bool
gomp_deque_make_room (struct gomp_deque *deque, int64_t tail)
{
  int64_t size = deque->mask + 1;
  if (deque->closed || gomp_deque_is_full (deque))
    return false;
  gomp_mutex_lock (&deque->lock);
  int64_t head = gomp_load_relaxed (&deque->xhead);	/* under the lock */
  if (tail - head >= size && size < GOMP_DEQUE_LAST_SIZE)
    {
      int64_t new_size = size != 0 ? 4 * size : FIRST_SIZE;
      _Atomic (struct gomp_task *) *ring = gomp_calloc (new_size, sizeof (*ring));
      for (int64_t i = head; i < tail; i++)
	/* Relaxed: the lock orders this against thieves.  */
	gomp_store_relaxed (&ring[i & (new_size - 1)],
			    gomp_load_relaxed (&deque->ring[i & deque->mask]));
      _Atomic (struct gomp_task *) *old = deque->ring;
      deque->ring = ring;
      deque->mask = new_size - 1;
      free (old);
      size = new_size;
    }
  deque->limit = head + size;
  gomp_mutex_unlock (&deque->lock);
  return tail < deque->limit;
}

static inline bool
push (struct gomp_deque *deque, struct gomp_task *task)
{
  int64_t tail = gomp_load_relaxed (&deque->xtail);	/* its own */
  if (gomp_unlikely (tail >= deque->limit) && !gomp_deque_make_room (deque, tail))
    return false;
  gomp_store_relaxed (&deque->ring[tail & deque->mask], task);	/* released with the tail */
  /* Release: the task.  */
  gomp_store_release (&deque->xtail, tail + 1);
  return true;
}

static inline struct gomp_task *
pop (struct gomp_deque *deque)
{
  int64_t tail = gomp_load_relaxed (&deque->xtail);	/* its own */
  /* Relaxed: thieves only move it on, and what they give back they leave to others to find.  */
  if (gomp_load_relaxed (&deque->xhead) >= tail)
    return NULL;
  tail--;
  /* Sequentially consistent, both: task-queue.h.  */
  gomp_store_seq_cst (&deque->xtail, tail);
  if (gomp_likely (gomp_load_seq_cst (&deque->xhead) <= tail))
    return gomp_load_relaxed (&deque->ring[tail & deque->mask]);

  /* A thief has claimed it, and perhaps gives it back.  */
  struct gomp_task *task = NULL;
  gomp_mutex_lock (&deque->lock);
  if (gomp_load_relaxed (&deque->xhead) <= tail)	/* under the lock */
    task = gomp_load_relaxed (&deque->ring[tail & deque->mask]);
  else
    gomp_store_relaxed (&deque->xtail, tail + 1);	/* takes nothing: publishes nothing */
  gomp_mutex_unlock (&deque->lock);
  return task;
}

/* ---- Deques: the thief's side ---- */

static inline bool
looks_empty (const struct gomp_deque *deque)
{
  /* Relaxed: hints.  */
  return gomp_load_relaxed (&deque->xhead) >= gomp_load_relaxed (&deque->xtail);
}

/* The same for a thread that is about to sleep, after whose last look nobody tells it: what a thief
   has claimed and gives back counts.  */
static inline bool
is_empty (struct gomp_deque *deque)
{
  /* Acquire: if this head is a claim, the lock is not free before the claim is decided ...  */
  if (gomp_load_acquire (&deque->xhead) < gomp_load_relaxed (&deque->xtail))
    return false;
  /* ... and that is the head that follows.  */
  return gomp_load_acquire (&deque->lock) == GOMP_MUTEX_INIT && looks_empty (deque);
}

/* The region in which SLOT's thread was last is not over.  Thread 0 itself ends it.  */
static inline bool
same_region (const struct gomp_slot *slot)
{
  /* Acquire: goes with the load of the tail before it (task.h, helping after the end).  */
  return slot->num == 0
	 || (gomp_load_acquire (&slot->pool->dock.xword) & ~(uint64_t) GOMP_WORD_FLAGS)
	    == slot->seen;
}

/* With the lock of DEQUE: claim up to WANT tasks from its head HEAD on; answers how many there
   were.  */
static inline int64_t
claim (struct gomp_deque *deque, int64_t head, int64_t want)
{
  /* Sequentially consistent, both: task-queue.h.  */
  gomp_store_seq_cst (&deque->xhead, head + want);
  int64_t tail = gomp_load_seq_cst (&deque->xtail);
  int64_t got = tail - head < want ? tail - head : want;
  return got > 0 ? got : 0;
}

/* How many of the COUNT tasks TAKEN may a thief have WITHIN?  */
static inline int64_t
count_takeable (struct gomp_task **taken, int64_t count, const struct gomp_task *within)
{
  if (count < 1 || !eligible (taken[0], within))
    return 0;
  if (count == 1 || taken[1]->parent != taken[0]->parent)
    return 1;
  for (int64_t i = 2; i < count; i++)
    gomp_task_prefetch (taken[i]);
  int64_t n = 2;
  while (n < count && taken[n]->parent == taken[0]->parent)
    n++;
  return n;
}

/* Steal from SLOT's sibling VICTIM: one task to run; more go into SLOT's own deque.  */
static struct gomp_task *
steal (struct gomp_slot *slot, struct gomp_slot *victim, const struct gomp_task *within)
{
  struct gomp_deque *deque = &victim->tasks.deque;
  struct gomp_task *taken[MAX_STEAL];

  if (looks_empty (deque) || !gomp_mutex_trylock (&deque->lock))
    return NULL;
  int64_t head = gomp_load_relaxed (&deque->xhead);	/* under the lock */
  /* Acquire: the tasks.  */
  int64_t want = (gomp_load_acquire (&deque->xtail) - head + 1) / 2;
  if (want > MAX_STEAL)
    want = MAX_STEAL;
  int64_t got = 0;
  if (want > 0)
    {
      got = claim (deque, head, want);
      if (got > 0 && !same_region (slot))
	got = 0;
      for (int64_t i = 0; i < got; i++)
	taken[i] = gomp_load_relaxed (&deque->ring[(head + i) & deque->mask]);	/* claimed */
      got = count_takeable (taken, got, within);
      if (got < want)
	/* Release: this thread has only looked at what it gives back.  */
	gomp_store_release (&deque->xhead, head + got);
    }
  gomp_mutex_unlock (&deque->lock);
  if (got == 0)
    return NULL;
  slot->tasks.stolen = got;
  for (int64_t i = 0; i < got && i < 2; i++)
    gomp_task_prefetch (taken[i]);
  int64_t kept = 1;
  while (kept < got && push (&slot->tasks.deque, taken[kept]))
    kept++;
  /* Its own deque was not full: it had nothing to run in it.  */
  for (; gomp_unlikely (kept < got); kept++)
    gomp_task_push_shared (&gomp_tls, taken[kept]);
  return taken[0];
}

/* Steal any one task that the thread may run, also from the middle.  */
static struct gomp_task * __attribute__ ((noinline))
steal_any (struct gomp_slot *slot, struct gomp_slot *victim, const struct gomp_task *within)
{
  struct gomp_deque *deque = &victim->tasks.deque;
  struct gomp_task *found = NULL;

  if (is_empty (deque))
    return NULL;
  gomp_mutex_lock (&deque->lock);
  int64_t head = gomp_load_relaxed (&deque->xhead), from = head;	/* under the lock */
  /* Acquire: the tasks.  */
  int64_t want = gomp_load_acquire (&deque->xtail) - head;
  if (want > 0)
    {
      int64_t got = claim (deque, head, want);
      if (got > 0 && !same_region (slot))
	got = 0;
      for (int64_t i = head; i < head + got && found == NULL; i++)
	{
	  struct gomp_task *task = gomp_load_relaxed (&deque->ring[i & deque->mask]);	/* claimed */
	  if (!eligible (task, within))
	    continue;
	  found = task;
	  /* Close the gap from below.  Relaxed: claimed, and released with the head.  */
	  for (int64_t j = i; j > head; j--)
	    gomp_store_relaxed (&deque->ring[j & deque->mask],
				gomp_load_relaxed (&deque->ring[(j - 1) & deque->mask]));
	  from = head + 1;
	}
      /* Release: the ring.  */
      gomp_store_release (&deque->xhead, from);
    }
  gomp_mutex_unlock (&deque->lock);
  return found;
}

/* ---- The shared queue ---- */

struct gomp_task_shared_entry
{
  struct gomp_task *task;
  int priority;
  uint64_t number;		/* the older the smaller */
};

static inline bool
before (const struct gomp_task_shared_entry *a, const struct gomp_task_shared_entry *b)
{
  if (a->priority != b->priority)
    return a->priority > b->priority;
  return a->priority > 0 ? a->number < b->number : a->number > b->number;
}

static void
sift_up (struct gomp_task_shared_entry *heap, unsigned i)
{
  struct gomp_task_shared_entry entry = heap[i];
  for (; i > 0 && before (&entry, &heap[(i - 1) / 2]); i = (i - 1) / 2)
    heap[i] = heap[(i - 1) / 2];
  heap[i] = entry;
}

static void
sift_down (struct gomp_task_shared_entry *heap, unsigned n, unsigned i)
{
  struct gomp_task_shared_entry entry = heap[i];
  for (unsigned child; (child = 2 * i + 1) < n; i = child)
    {
      if (child + 1 < n && before (&heap[child + 1], &heap[child]))
	child++;
      if (!before (&heap[child], &entry))
	break;
      heap[i] = heap[child];
    }
  heap[i] = entry;
}

/* Take the best task of TEAM's queue that may be run WITHIN.  */
static struct gomp_task * __attribute__ ((noinline))
take_shared (struct gomp_thread *thr, const struct gomp_task *within)
{
  struct gomp_task_shared *shared = &thr->team->tasks;
  struct gomp_task *task = NULL;

  gomp_mutex_lock (&shared->lock);
  unsigned n = gomp_load_relaxed (&shared->xcount);	/* under the lock */
  unsigned best = 0;
  if (n > 0 && !eligible (shared->heap[0].task, within))
    {
      best = n;
      for (unsigned i = 1; i < n; i++)
	if (eligible (shared->heap[i].task, within)
	    && (best == n || before (&shared->heap[i], &shared->heap[best])))
	  best = i;
    }
  if (best < n && (thr->slot == NULL || same_region (thr->slot)))
    {
      task = shared->heap[best].task;
      n--;
      if (best < n)
	{
	  shared->heap[best] = shared->heap[n];
	  sift_down (shared->heap, n, best);
	  sift_up (shared->heap, best);
	}
      gomp_store_relaxed (&shared->xcount, n);	/* under the lock */
    }
  gomp_mutex_unlock (&shared->lock);
  return task;
}

void
gomp_task_shared_free (struct gomp_task_shared *shared)
{
  free (shared->heap);
  *shared = (struct gomp_task_shared) { 0 };
}

/* ---- Waking ---- */

void
gomp_task_wake_slot (struct gomp_slot *slot)
{
  /* Release: what the thread is woken for.  */
  if (gomp_swap_release (&slot->tasks.xasleep, 0) != 0)
    gomp_wake_on (&slot->tasks.xasleep, 1);
}

/* Take a slot out of the list of sleepers; with its lock.  */
static struct gomp_slot *
unlist_first (struct gomp_idle *idle)
{
  struct gomp_slot *slot = idle->first;
  if (slot != NULL)
    {
      idle->first = slot->tasks.idle_next;
      slot->tasks.listed = false;
      gomp_add_relaxed (&idle->xsleeping, -1u);	/* under the lock */
    }
  return slot;
}

static void __attribute__ ((noinline))
wake_one (struct gomp_idle *idle)
{
  gomp_mutex_lock (&idle->lock);
  struct gomp_slot *slot = unlist_first (idle);
  gomp_mutex_unlock (&idle->lock);
  if (slot != NULL)
    gomp_task_wake_slot (slot);
}

void
gomp_task_wake_all (struct gomp_thread_pool *pool)
{
  struct gomp_idle *idle = &pool->idle;
  gomp_fence_light ();		/* goes with the heavy one of sleep_in_team */
  if (gomp_load_relaxed (&idle->xsleeping) == 0)
    return;
  gomp_mutex_lock (&idle->lock);
  struct gomp_slot *slot;
  while ((slot = unlist_first (idle)) != NULL)
    gomp_task_wake_slot (slot);
  gomp_mutex_unlock (&idle->lock);
}

void
gomp_task_wake (struct gomp_slot **slots, unsigned n, unsigned sleeper)
{
  if (sleeper < GOMP_MAX_SLEEPER)
    gomp_task_wake_slot (slots[sleeper - 1]);
  else
    for (unsigned i = GOMP_MAX_SLEEPER - 1; i < n; i++)
      gomp_task_wake_slot (slots[i]);
}

/* Who sleeps in a team of one.  Counts wake-up calls.  */
static gomp_word_t solo_calls;

void
gomp_task_wake_solo (void)
{
  gomp_add_acq_rel (&solo_calls, 1);	/* release: what the thread is woken for */
  gomp_futex_wake (&solo_calls, INT_MAX);
}

/* The first task since the last barrier: call those who wait for the barrier, at the end of the
   region, or in the dock.  */
static void __attribute__ ((noinline))
mark (struct gomp_thread_pool *pool)
{
  gomp_barrier_t *bar = &pool->bar;
  uint32_t seen = gomp_load_relaxed (&bar->xphase);
  /* Relaxed: a call to look; the queues order the tasks.  Sleepers are all woken: nobody says
     any more that somebody sleeps.  */
  while (!gomp_cas_weak_relaxed (&bar->xphase, &seen,
				 (seen | gomp_barrier_tasks_bit (seen)) & ~GOMP_WORD_SLEEPERS))
    ;
  if (seen & GOMP_WORD_SLEEPERS)
    gomp_word_wake (&bar->xphase);
  /* Release: xphase; the master, going to sleep, changes this word and looks at xphase.  It sleeps
     only while it says so in the word: taking that back also reaches a master that has looked
     and is on its way.  It may be in gomp_task_gather and sleep on its slot's word.  */
  if (gomp_and_acq_rel (&bar->xarrived, ~GOMP_WORD_SLEEPERS) & GOMP_WORD_SLEEPERS)
    {
      gomp_wake_on (&bar->xarrived, 1);
      /* Through its own pointer, as the master may be changing the pool's.  Who is no member wakes
	 all threads after this.  */
      const struct gomp_slot *own = gomp_tls.slot;
      if (own != NULL && own->pool == pool)
	gomp_task_wake_slot (own->tasks.siblings[0]);
    }

  uint64_t word = gomp_load_relaxed (&pool->dock.xword);
  /* Relaxed: as above.  */
  while (!gomp_cas_weak_relaxed (&pool->dock.xword, &word,
				 (word | GOMP_WORD_TASKS) & ~(uint64_t) GOMP_WORD_SLEEPERS))
    ;
  if (word & GOMP_WORD_SLEEPERS)
    gomp_word_wake ((gomp_word_t *) &pool->dock.xword);
}

/* There is one more task in a queue of POOL's team.  */
static inline void
announce (struct gomp_thread_pool *pool)
{
  /* Relaxed: nobody takes the bit away while the region has tasks and no barrier.  */
  if (gomp_unlikely (!gomp_barrier_tasks (gomp_load_relaxed (&pool->bar.xphase))))
    mark (pool);
  gomp_fence_light ();		/* goes with the heavy one of sleep_in_team */
  if (gomp_unlikely (gomp_load_relaxed (&pool->idle.xsleeping) != 0))
    wake_one (&pool->idle);
}

/* ---- Putting tasks into queues ---- */

void GOMP_STARTUP
gomp_task_slot_init (struct gomp_slot *slot)
{
  gomp_task_init_implicit (&slot->task, &slot->pool->team);
  slot->tasks.deque.mask = -1;
  slot->tasks.random = slot->num * 2654435761u + 1;
}

bool
gomp_task_push (struct gomp_thread *thr, struct gomp_task *task)
{
  struct gomp_slot *slot = thr->slot;
  if (!push (&slot->tasks.deque, task))
    return false;
  announce (slot->pool);
  return true;
}

void
gomp_task_push_shared (struct gomp_thread *thr, struct gomp_task *task)
{
  struct gomp_team *team = task->team;
  struct gomp_task_shared *shared = &team->tasks;
  struct gomp_thread_pool *pool = team->solo_ws == NULL ? gomp_team_pool (team) : NULL;
  bool member = thr->team == team;
  struct gomp_slot **slots = NULL;
  unsigned nslots = 0;

  if (pool != NULL && !member)
    {
      /* The region may end as soon as the task is in the queue.  */
      gomp_pool_hold (pool);
      slots = pool->slots;
      nslots = team->nthreads;
    }
  gomp_mutex_lock (&shared->lock);
  unsigned n = gomp_load_relaxed (&shared->xcount);	/* under the lock */
  if (n == shared->capacity)
    {
      shared->capacity = n != 0 ? 2 * n : 64;
      shared->heap = gomp_realloc_array (shared->heap, shared->capacity, sizeof (*shared->heap));
    }
  shared->heap[n] = (struct gomp_task_shared_entry)
    { .task = task, .priority = task->priority, .number = shared->sequence++ };
  sift_up (shared->heap, n);
  gomp_store_relaxed (&shared->xcount, n + 1);	/* under the lock */
  gomp_mutex_unlock (&shared->lock);

  if (pool == NULL)
    {
      if (!member)
	gomp_task_wake_solo ();
      return;
    }
  announce (pool);
  if (!member)
    {
      /* Perhaps only those may run it that are bound by the constraint.  */
      for (unsigned i = 0; i < nslots; i++)
	gomp_task_wake_slot (slots[i]);
      gomp_pool_let_go (pool);
    }
}

/* ---- Finding tasks ---- */

static inline uint32_t
next_random (struct gomp_slot_tasks *tasks)
{
  uint32_t x = tasks->random;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return tasks->random = x;
}

/* From the thread's own deque, or the shared queue.  */
static inline struct gomp_task *
take_near (struct gomp_thread *thr, const struct gomp_task *within)
{
  struct gomp_task *task = NULL;
  /* Relaxed: a hint.  */
  if (gomp_unlikely (gomp_load_relaxed (&thr->team->tasks.xcount) != 0))
    task = take_shared (thr, within);
  if (task == NULL && thr->slot != NULL)
    {
      task = pop (&thr->slot->tasks.deque);
      if (task != NULL && gomp_unlikely (!eligible (task, within)))
	{
	  push (&thr->slot->tasks.deque, task);	/* where it was */
	  task = NULL;
	}
    }
  return task;
}

/* From other threads.  */
static struct gomp_task *
take_far (struct gomp_thread *thr, const struct gomp_task *within)
{
  struct gomp_slot *slot = thr->slot;
  struct gomp_slot_tasks *tasks = &slot->tasks;
  unsigned n = thr->nthreads_minus_1 + 1;
  unsigned victim = tasks->victim;

  for (unsigned i = 0; i < LOOK_VICTIMS; i++)
    {
      if (victim != slot->num && victim < n)
	{
	  struct gomp_task *task = steal (slot, tasks->siblings[victim], within);
	  if (task != NULL)
	    {
	      tasks->victim = victim;
	      return task;
	    }
	}
      victim = (uint64_t) next_random (tasks) * n >> 32;
    }
  return NULL;
}

/* Every thread, for one about to sleep, or that has found nothing for long.  */
static struct gomp_task *
take_anywhere (struct gomp_thread *thr, const struct gomp_task *within)
{
  struct gomp_task *task = take_near (thr, within);
  /* Its own deque, too: a thief may have had a claim there, and below the tail may lie children of a
     task whose copy function generated them.  */
  for (unsigned i = 0; task == NULL && i <= thr->nthreads_minus_1; i++)
    task = steal_any (thr->slot, thr->slot->tasks.siblings[i], within);
  return task;
}

/* What a thread in its present task is bound to: implicit tasks, too.  */
static inline const struct gomp_task *
constraint (const struct gomp_thread *thr)
{
  return thr->task;
}

bool
gomp_task_work (struct gomp_thread *thr)
{
  const struct gomp_task *within = constraint (thr);
  struct gomp_task *task = take_near (thr, within);
  if (task == NULL && thr->slot != NULL)
    task = take_far (thr, within);
  if (task == NULL)
    {
      gomp_target_poll ();
      return false;
    }
  gomp_task_run (thr, task);
  return true;
}

/* ---- Waiting ---- */

struct wait
{
  bool (*done) (struct gomp_thread *, const struct wait *);
  bool (*user_done) (void *);
  void *arg;
  uint64_t word;		/* barrier: its phase; gathering: what the helpers write */
  uint64_t spins;
  const struct gomp_task *within;	/* NULL: would run any task */
};

/* Put the calling thread's number into the counters of its task, or take it out.  Acquire and
   release: orders it against the children's additions.  */
static void
register_sleeper (struct gomp_thread *thr, bool on)
{
  unsigned number = thr->slot == NULL || thr->slot->num >= GOMP_MAX_SLEEPER
		    ? GOMP_MAX_SLEEPER : thr->slot->num + 1;
  uint64_t part = (uint64_t) number << 28;
  for (struct gomp_children *c = thr->task->counter; c != NULL; c = c->outer)
    gomp_add_acq_rel (&c->xdone, on ? part : -part);
}

static void
enlist (struct gomp_slot *slot)
{
  struct gomp_idle *idle = &slot->pool->idle;
  gomp_mutex_lock (&idle->lock);
  slot->tasks.idle_next = idle->first;
  idle->first = slot;
  slot->tasks.listed = true;
  gomp_add_relaxed (&idle->xsleeping, 1);	/* under the lock; the fence publishes it */
  gomp_mutex_unlock (&idle->lock);
}

static void
unlist (struct gomp_slot *slot)
{
  struct gomp_idle *idle = &slot->pool->idle;
  gomp_mutex_lock (&idle->lock);
  if (slot->tasks.listed)
    {
      struct gomp_slot **link = &idle->first;
      while (*link != slot)
	link = &(*link)->tasks.idle_next;
      *link = slot->tasks.idle_next;
      slot->tasks.listed = false;
      gomp_add_relaxed (&idle->xsleeping, -1u);	/* under the lock */
    }
  gomp_mutex_unlock (&idle->lock);
}

/* Sleep until there may be something; answers a task that turned up before.  */
static struct gomp_task * __attribute__ ((noinline))
sleep_in_team (struct gomp_thread *thr, const struct wait *wait, long nap)
{
  struct gomp_slot *slot = thr->slot;
  struct gomp_task *task = NULL;

  gomp_store_relaxed (&slot->tasks.xasleep, 1);	/* published with the list or the number */
  if (wait->within == NULL)
    enlist (slot);
  register_sleeper (thr, true);
  gomp_fence_heavy ();
  if (!wait->done (thr, wait) && (task = take_anywhere (thr, wait->within)) == NULL)
    {
      if (wait->within == NULL)
	gomp_sleep_on (&slot->tasks.xasleep, 1);
      else
	gomp_futex_wait_ns (&slot->tasks.xasleep, 1, nap);
    }
  register_sleeper (thr, false);
  if (wait->within == NULL)
    unlist (slot);
  /* Acquire: what the waker did.  */
  gomp_swap_acquire (&slot->tasks.xasleep, 0);
  return task;
}

static void __attribute__ ((noinline))
sleep_alone (struct gomp_thread *thr, const struct wait *wait)
{
  /* Acquire: what was done before the last call.  */
  uint32_t calls = gomp_load_acquire (&solo_calls);
  register_sleeper (thr, true);
  gomp_fence_heavy ();
  if (!wait->done (thr, wait)
      && gomp_load_relaxed (&thr->team->tasks.xcount) == 0)	/* after the fence */
    gomp_futex_wait (&solo_calls, calls);
  register_sleeper (thr, false);
}

/* The thread has run the COUNT tasks that it stole at time SINCE: was it worth it?  */
static void
judge_steal (struct gomp_thread *thr, uint64_t since, unsigned count)
{
  struct gomp_slot_tasks *tasks = &thr->slot->tasks;
  unsigned nthreads = thr->nthreads_minus_1 + 1;
  uint64_t now = gomp_now_ns ();
  uint64_t tiny = (uint64_t) TINY_NS * (nthreads < TINY_THREADS ? nthreads : TINY_THREADS);
  if (now - since >= tiny * count)
    tasks->pause = 0;
  else
    {
      tasks->pause = tasks->pause == 0 ? FIRST_PAUSE_NS : 2 * tasks->pause;
      if (tasks->pause > LAST_PAUSE_NS)
	tasks->pause = LAST_PAUSE_NS;
      tasks->not_before = now + tasks->pause;
    }
}

static inline bool
pausing (const struct gomp_slot_tasks *tasks)
{
  return tasks->pause != 0 && gomp_now_ns () < tasks->not_before;
}

/* In the child of a fork that was called in the region, what the other threads had begun stays undone,
   however long this one looks: after IDLE turns it has seen all that they have left in queues.  */
static bool
nobody_left (const struct gomp_thread *thr, uint64_t idle)
{
  return idle >= gomp_global_icvs.spin_count_throttled && thr->slot != NULL && thr->slot->pool->dead;
}

static void
wait_until (struct gomp_thread *thr, const struct wait *wait)
{
  uint64_t idle = 0, stolen_at = 0;
  bool tired = false;
  unsigned stolen = 0;
  long nap = FIRST_NAP_NS;

  while (!wait->done (thr, wait))
    {
      struct gomp_task *task = take_near (thr, wait->within);
      if (task == NULL && thr->slot != NULL)
	{
	  if (stolen_at != 0)
	    {
	      judge_steal (thr, stolen_at, stolen);
	      stolen_at = 0;
	    }
	  if (idle % LOOK_INTERVAL == 0 && !pausing (&thr->slot->tasks)
	      && (task = take_far (thr, wait->within)) != NULL)
	    {
	      stolen = thr->slot->tasks.stolen;
	      stolen_at = gomp_now_ns ();
	    }
	  else if (idle >= SEARCH_TURNS && (idle & (idle - 1)) == 0 && wait->within != NULL)
	    task = take_anywhere (thr, wait->within);
	}
      if (task == NULL && gomp_target_active ())
	{
	  gomp_target_collect ();
	  /* The way to sleep is long.  */
	  if (wait->done (thr, wait))
	    break;
	}
      if (task == NULL && (idle >= wait->spins || tired || nobody_left (thr, idle))
	  /* A team of one has nobody who would wake it but who brings on target tasks.  */
	  && (thr->slot != NULL || idle >= gomp_global_icvs.spin_count || tired
	      || !gomp_target_worth_polling ())
	  && gomp_target_may_sleep ())
	{
	  if (thr->slot == NULL)
	    sleep_alone (thr, wait);
	  else if (thr->slot->pool->dead)
	    break;		/* nobody is left that could do it: fork */
	  else
	    {
	      task = sleep_in_team (thr, wait, nap);
	      if (nap < LAST_NAP_NS)
		nap *= 2;
	    }
	}
      if (task != NULL)
	{
	  gomp_task_run (thr, task);
	  idle = 0;
	  nap = FIRST_NAP_NS;
	}
      else
	tired = !gomp_spin (idle++, UINT64_MAX);
    }
}

static bool
user_done (struct gomp_thread *thr, const struct wait *wait)
{
  (void) thr;
  return wait->user_done (wait->arg);
}

void
gomp_task_wait (struct gomp_thread *thr, bool (*done) (void *), void *arg)
{
  struct wait wait = { .done = user_done, .user_done = done, .arg = arg,
		       .spins = thr->team->spins, .within = constraint (thr) };
  wait_until (thr, &wait);
}

static bool
children_complete (struct gomp_thread *thr, const struct wait *wait)
{
  (void) wait;
  for (const struct gomp_children *c = thr->task->counter; c != NULL; c = c->outer)
    if (!gomp_children_complete (c))
      return false;
  return true;
}

void
gomp_task_wait_children (struct gomp_thread *thr)
{
  struct wait wait = { .done = children_complete, .spins = thr->team->spins,
		       .within = constraint (thr) };
  wait_until (thr, &wait);
  for (struct gomp_children *c = thr->task->counter; c != NULL; c = c->outer)
    gomp_children_fold (c);
}

static bool
group_finished (struct gomp_thread *thr, const struct wait *wait)
{
  (void) wait;
  return gomp_children_finished (thr->task->counter);
}

void
gomp_taskgroup_leave (struct gomp_thread *thr)
{
  struct gomp_task *task = thr->task;
  if (!gomp_children_finished (task->counter))
    {
      struct wait wait = { .done = group_finished, .spins = thr->team->spins,
			   .within = constraint (thr) };
      wait_until (thr, &wait);
    }
  task->counter = task->counter->outer;
  task->group = task->group->outer;
}

static bool
children_finished (struct gomp_thread *thr, const struct wait *wait)
{
  (void) wait;
  for (const struct gomp_children *c = thr->task->counter; c != NULL; c = c->outer)
    if (!gomp_children_finished (c))
      return false;
  return true;
}

/* All children of the calling thread's implicit task are finished: nobody knows its counters any more.  */
static void
forget_children (struct gomp_thread *thr)
{
  for (struct gomp_children *c = thr->task->counter; c != NULL; c = c->outer)
    {
      c->created = c->done = 0;
      gomp_store_relaxed (&c->xdone, 0);	/* see above */
    }
}

void
gomp_task_finish_children (struct gomp_thread *thr)
{
  struct wait wait = { .done = children_finished, .spins = thr->team->spins };
  wait_until (thr, &wait);
  forget_children (thr);
}

static bool
barrier_passed (struct gomp_thread *thr, const struct wait *wait)
{
  /* Acquire: what the others did before the barrier.  */
  return gomp_barrier_phase (gomp_load_acquire (&thr->slot->pool->bar.xphase)) != wait->word;
}

void
gomp_task_help_barrier (struct gomp_thread *thr, uint32_t phase)
{
  struct wait wait = { .done = barrier_passed, .spins = thr->team->spins, .word = phase };
  wait_until (thr, &wait);
}

static bool
all_gathered (struct gomp_thread *thr, const struct wait *wait)
{
  /* Relaxed: the thread's own, or a hint.  */
  bool asleep = gomp_load_relaxed (&thr->slot->tasks.xasleep) != 0;
  return children_finished (thr, wait) && gomp_team_gathered (thr->slot->pool, wait->word, asleep);
}

void
gomp_task_help_gather (struct gomp_thread *thr, uint64_t arrival)
{
  struct wait wait = { .done = all_gathered, .spins = thr->team->spins, .word = arrival };
  wait_until (thr, &wait);
}

void
gomp_task_gather (struct gomp_thread *thr)
{
  struct gomp_thread_pool *pool = thr->slot->pool;
  gomp_task_help_gather (thr, gomp_arrival (thr->slot, GOMP_REGION_END));
  forget_children (thr);
  gomp_store_relaxed (&pool->bar.xarrived, 0);	/* the next fork releases both */
  uint32_t phase = gomp_barrier_phase (gomp_load_relaxed (&pool->bar.xphase));
  gomp_store_relaxed (&pool->bar.xphase, phase);	/* as above */
}

static bool
dock_changed (struct gomp_thread *thr, const struct wait *wait)
{
  (void) wait;
  /* Acquire: as in dock_wait.  */
  return (gomp_load_acquire (&thr->slot->pool->dock.xword) & ~(uint64_t) GOMP_WORD_FLAGS)
	 != thr->slot->seen;
}

void
gomp_task_help_docked (struct gomp_thread *thr, uint64_t spins)
{
  struct wait wait = { .done = dock_changed, .spins = spins };
  wait_until (thr, &wait);
}

/* ---- The end of slots and threads ---- */

void
gomp_task_slot_free (struct gomp_slot *slot)
{
  gomp_depend_memory_free (slot);
  gomp_task_cache_free (slot);
  free (slot->tasks.deque.ring);
}

void
gomp_task_team_forked (struct gomp_thread_pool *pool, unsigned num)
{
  /* Other threads may have held these; only this one is left.  */
  gomp_store_relaxed (&pool->doacross_lock, GOMP_MUTEX_INIT);
  gomp_store_relaxed (&pool->team.tasks.lock, GOMP_MUTEX_INIT);
  gomp_store_relaxed (&pool->idle.lock, GOMP_MUTEX_INIT);
  for (unsigned i = 0; i < pool->nslots; i++)
    gomp_store_relaxed (&pool->slots[i]->tasks.deque.lock, GOMP_MUTEX_INIT);
  /* From now on its tasks run at once.  */
  struct gomp_deque *deque = &pool->slots[num]->tasks.deque;
  deque->closed = true;
  deque->limit = INT64_MIN;
}
