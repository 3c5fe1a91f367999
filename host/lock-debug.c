/* lock-debug.c -- what is known of each OpenMP lock, in libraries built with --enable-debug.

   A table by address beside the locks, since omp_lock_t has four bytes.  What OpenMP forbids
   (5.2 section 18.9) and what cannot go well ends the program with a line: setting a simple lock
   that the task holds, unsetting a lock that nobody holds or a nestable one of another task,
   using a destroyed lock, destroying one that is held, mixing the two kinds.  What OpenMP
   forbids but works with this library gets a line, once for each lock: using a lock that was not
   initialised, and unsetting another task's simple lock.

   Invariants
   1. An entry is protected by the mutex of its bucket and never freed: a destroyed lock is to
      be known as such.
   2. holder is compared, never followed: the task may have ended.  */

#include "libgomp.h"
#include "host/lock-debug.h"
#include "host/thread.h"

#if GOMP_DEBUG_LOCKS

#define BUCKETS 256

enum state { INITIALISED, NOT_INITIALISED, DESTROYED };

struct entry
{
  struct entry *next;
  const void *lock;
  enum gomp_lock_kind kind;
  enum state state;
  unsigned held;		/* nesting depth; 0: free */
  const struct gomp_task *holder;
  bool warned;
};

static struct
{
  GOMP_NO_SHARING gomp_mutex_t mutex;
  struct entry *first;
} buckets[BUCKETS];

static const char *const kind_names[] = { "simple", "nestable" };

static gomp_mutex_t *
mutex_of (const void *lock)
{
  return &buckets[(uintptr_t) lock / 4 % BUCKETS].mutex;
}

/* The entry of LOCK; *IS_NEW if nothing was known of it.  Its bucket is locked.  */
static struct entry *
find (const void *lock, bool *is_new)
{
  struct entry **first = &buckets[(uintptr_t) lock / 4 % BUCKETS].first, *e;

  *is_new = false;
  for (e = *first; e != NULL; e = e->next)
    if (e->lock == lock)
      return e;
  e = gomp_calloc (1, sizeof (*e));
  e->lock = lock;
  e->next = *first;
  *first = e;
  *is_new = true;
  return e;
}

/* LOCK is used by ROUTINE as one of KIND: its entry, with the bucket locked.  */
static struct entry *
use (const char *routine, const void *lock, enum gomp_lock_kind kind)
{
  bool is_new;

  gomp_mutex_lock (mutex_of (lock));
  struct entry *e = find (lock, &is_new);
  if (is_new)
    {
      e->kind = kind;
      e->state = NOT_INITIALISED;
      gomp_error ("%s: the lock at %p was not initialised", routine, lock);
    }
  enum state state = e->state;
  enum gomp_lock_kind known = e->kind;
  if (state == DESTROYED || known != kind)
    {
      /* Handlers of atexit may use locks.  */
      gomp_mutex_unlock (mutex_of (lock));
      if (state == DESTROYED)
	gomp_fatal ("%s: the lock at %p was destroyed", routine, lock);
      gomp_fatal ("%s: the lock at %p is a %s one", routine, lock, kind_names[known]);
    }
  return e;
}

void
gomp_lock_debug_init (const void *lock, enum gomp_lock_kind kind)
{
  bool is_new;

  gomp_mutex_lock (mutex_of (lock));
  struct entry *e = find (lock, &is_new);
  /* Memory that held another lock may be used again without destroying that.  */
  e->kind = kind;
  e->state = INITIALISED;
  e->held = 0;
  e->warned = false;
  gomp_mutex_unlock (mutex_of (lock));
}

void
gomp_lock_debug_destroy (const void *lock, enum gomp_lock_kind kind)
{
  const char *routine = kind == GOMP_LOCK_SIMPLE ? "omp_destroy_lock" : "omp_destroy_nest_lock";
  struct entry *e = use (routine, lock, kind);
  bool held = e->held > 0;

  if (!held)
    e->state = DESTROYED;
  gomp_mutex_unlock (mutex_of (lock));
  if (held)
    gomp_fatal ("%s: the lock at %p is held", routine, lock);
}

void
gomp_lock_debug_set (const char *routine, const void *lock, enum gomp_lock_kind kind)
{
  struct entry *e = use (routine, lock, kind);
  bool deadlock = kind == GOMP_LOCK_SIMPLE && e->held > 0 && e->holder == gomp_self ()->task;

  gomp_mutex_unlock (mutex_of (lock));
  if (deadlock)
    gomp_fatal ("%s: the task holds the lock at %p already and would wait for ever", routine, lock);
}

void
gomp_lock_debug_got (const void *lock)
{
  bool is_new;

  gomp_mutex_lock (mutex_of (lock));
  struct entry *e = find (lock, &is_new);
  e->held++;
  e->holder = gomp_self ()->task;
  gomp_mutex_unlock (mutex_of (lock));
}

void
gomp_lock_debug_test (const char *routine, const void *lock, enum gomp_lock_kind kind)
{
  use (routine, lock, kind);
  gomp_mutex_unlock (mutex_of (lock));
}

void
gomp_lock_debug_unset (const char *routine, const void *lock, enum gomp_lock_kind kind)
{
  struct entry *e = use (routine, lock, kind);
  bool is_free = e->held == 0, foreign = !is_free && e->holder != gomp_self ()->task, warn = false;

  if (!is_free && !(foreign && kind == GOMP_LOCK_NEST))
    {
      e->held--;
      warn = foreign && !e->warned;
      e->warned |= foreign;
    }
  gomp_mutex_unlock (mutex_of (lock));
  if (is_free)
    gomp_fatal ("%s: nobody holds the lock at %p", routine, lock);
  if (foreign && kind == GOMP_LOCK_NEST)
    gomp_fatal ("%s: another task holds the lock at %p", routine, lock);
  if (warn)
    gomp_error ("%s: the lock at %p was set by another task", routine, lock);
}

#endif /* GOMP_DEBUG_LOCKS */
