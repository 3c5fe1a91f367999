/* lock.c -- the lock routines of the OpenMP API (abi/host section 1.2).

   A simple lock is a gomp_mutex_t; whoever holds it, any thread may unset it.  All bytes zero
   is an unlocked lock of every kind: programs rely on it.

   Nestable locks exist in two forms, because ownership moved from threads to tasks with
   OpenMP 3.0 and did not fit into the old type any more:
     version OMP_3.0 (default)  16 bytes, owned by a task: struct nest_lock
     version OMP_1.0            8 bytes, owned by an operating-system thread: struct old_lock;
				not reported to tools, which are younger
   In Fortran both are passed as an integer(8): the new one holds a pointer to the lock, the
   old one is stored in place.  The static library has the new ones only.

   Who misuses a lock (unsets what is not set, sets twice) hangs or breaks it, unless the library is
   built with --enable-debug (lock-debug.c).  Locks of version OMP_1.0 are never checked.  */

#include "host/abi.h"
#include "host/lock-debug.h"
#include "host/ompt.h"
#include "host/thread.h"
#include "config/linux/futex.h"

/* In the shared library each routine has an internal name, which gets its versions here.  */
#ifdef PIC
# define NEW(name) gomp_new_##name
# define OLD(name) gomp_old_##name
# define NEW_VERSION(name) GOMP_SYMVER ("gomp_new_" #name, #name "@@OMP_3.0") GOMP_EXPORT GOMP_SHORT
# define OLD_VERSION(name) GOMP_SYMVER ("gomp_old_" #name, #name "@OMP_1.0") GOMP_EXPORT
/* The new routine has the old version, too.  */
# define BOTH_VERSIONS(name)						\
  GOMP_SYMVER ("gomp_new_" #name, #name "@OMP_1.0") NEW_VERSION (name)
#else
# define NEW(name) name
# define NEW_VERSION(name) GOMP_EXPORT GOMP_SHORT
# define BOTH_VERSIONS(name) NEW_VERSION (name)
#endif

/* ---- simple locks: the same in both versions, also in Fortran ---- */

#define SIMPLE(type, name)						\
  BOTH_VERSIONS (name) type NEW (name) (gomp_mutex_t *);			\
  BOTH_VERSIONS (name##_) type NEW (name##_) (gomp_mutex_t *);

SIMPLE (void, omp_init_lock)
SIMPLE (void, omp_destroy_lock)
SIMPLE (void, omp_set_lock)
SIMPLE (void, omp_unset_lock)
SIMPLE (int, omp_test_lock)

/* The bodies: parts of the C and the Fortran routines, so that a tool hears who called.  */
#define BODY static inline __attribute__ ((always_inline))
#define CALLER __builtin_return_address (0)

BODY void
init_lock (gomp_mutex_t *lock)
{
  gomp_lock_debug_init (lock, GOMP_LOCK_SIMPLE);
  /* Relaxed: whoever makes the lock known to other threads orders that.  */
  gomp_store_relaxed (lock, GOMP_MUTEX_INIT);
  if (gomp_ompt_on ())
    gomp_ompt_mutex_init (ompt_mutex_lock, lock, CALLER);
}

BODY void
destroy_lock (gomp_mutex_t *lock)
{
  gomp_lock_debug_destroy (lock, GOMP_LOCK_SIMPLE);
  if (gomp_ompt_on ())
    gomp_ompt_mutex_destroy (ompt_mutex_lock, lock, CALLER);
}

BODY void
set_lock (gomp_mutex_t *lock)
{
  gomp_lock_debug_set ("omp_set_lock", lock, GOMP_LOCK_SIMPLE);
  if (gomp_ompt_on ())
    gomp_ompt_mutex_lock (ompt_mutex_lock, lock, CALLER);
  else
    gomp_mutex_lock (lock);
  gomp_lock_debug_got (lock);
}

BODY void
unset_lock (gomp_mutex_t *lock)
{
  gomp_lock_debug_unset ("omp_unset_lock", lock, GOMP_LOCK_SIMPLE);
  if (gomp_ompt_on ())
    gomp_ompt_mutex_unlock (ompt_mutex_lock, lock, CALLER);
  else
    gomp_mutex_unlock (lock);
}

static inline bool
try_lock (gomp_mutex_t *lock)
{
  gomp_lock_debug_test ("omp_test_lock", lock, GOMP_LOCK_SIMPLE);
  bool got = gomp_mutex_trylock (lock);
  if (got)
    gomp_lock_debug_got (lock);
  return got;
}

static int __attribute__ ((cold, noinline))
test_reported (gomp_mutex_t *lock, const void *codeptr)
{
  gomp_ompt_mutex_acquire (ompt_mutex_test_lock, lock, codeptr);
  bool got = try_lock (lock);
  gomp_ompt_mutex_acquired (ompt_mutex_test_lock, lock, got, codeptr);
  return got;
}

BODY int
test_lock (gomp_mutex_t *lock)
{
  if (gomp_ompt_on ())
    return test_reported (lock, CALLER);
  return try_lock (lock);
}

void
NEW (omp_init_lock) (gomp_mutex_t *lock)
{
  init_lock (lock);
}

void
NEW (omp_init_lock_) (gomp_mutex_t *lock)
{
  init_lock (lock);
}

void
NEW (omp_destroy_lock) (gomp_mutex_t *lock)
{
  destroy_lock (lock);
}

void
NEW (omp_destroy_lock_) (gomp_mutex_t *lock)
{
  destroy_lock (lock);
}

void
NEW (omp_set_lock) (gomp_mutex_t *lock)
{
  set_lock (lock);
}

void
NEW (omp_set_lock_) (gomp_mutex_t *lock)
{
  set_lock (lock);
}

void
NEW (omp_unset_lock) (gomp_mutex_t *lock)
{
  unset_lock (lock);
}

void
NEW (omp_unset_lock_) (gomp_mutex_t *lock)
{
  unset_lock (lock);
}

int
NEW (omp_test_lock) (gomp_mutex_t *lock)
{
  return test_lock (lock);
}

int
NEW (omp_test_lock_) (gomp_mutex_t *lock)
{
  return test_lock (lock);
}

/* ---- nestable locks, OMP_3.0 ---- */

struct nest_lock
{
  gomp_mutex_t mutex;
  int count;			/* protected by mutex */
  /* The task that holds mutex, or NULL.  A task finds itself here only when it stored that
     itself, so relaxed is enough to ask "is it me".  */
  _Atomic (struct gomp_task *) xowner;
};
_Static_assert (sizeof (struct nest_lock) == 16 && _Alignof (struct nest_lock) == 8,
		"omp_nest_lock_t is part of the ABI");

#define NEST(type, name)						\
  NEW_VERSION (name) type NEW (name) (struct nest_lock *);		\
  NEW_VERSION (name##_) type NEW (name##_) (struct nest_lock **);

NEST (void, omp_init_nest_lock)
NEST (void, omp_destroy_nest_lock)
NEST (void, omp_set_nest_lock)
NEST (void, omp_unset_nest_lock)
NEST (int, omp_test_nest_lock)

BODY void
init_nest_lock (struct nest_lock *lock)
{
  gomp_lock_debug_init (lock, GOMP_LOCK_NEST);
  gomp_store_relaxed (&lock->mutex, GOMP_MUTEX_INIT);
  lock->count = 0;
  gomp_store_relaxed (&lock->xowner, NULL);
  if (gomp_ompt_on ())
    gomp_ompt_mutex_init (ompt_mutex_nest_lock, lock, CALLER);
}

BODY void
destroy_nest_lock (struct nest_lock *lock)
{
  gomp_lock_debug_destroy (lock, GOMP_LOCK_NEST);
  if (gomp_ompt_on ())
    gomp_ompt_mutex_destroy (ompt_mutex_nest_lock, lock, CALLER);
}

/* Another task holds the lock.  A call of its own, which ends omp_set_nest_lock, so that no registers are
   saved where nobody does.  */
static void __attribute__ ((noinline))
wait_for_nest_lock (struct nest_lock *lock, struct gomp_task *me)
{
  gomp_mutex_lock_slow (&lock->mutex);
  gomp_store_relaxed (&lock->xowner, me);
  lock->count++;
  gomp_lock_debug_got (lock);
}

/* What set, unset and test do, without tools.  ME: the calling task.  True: it had the lock
   before.  */
static inline bool
take_nest_lock (struct nest_lock *lock, struct gomp_task *me)
{
  bool owned = gomp_load_relaxed (&lock->xowner) == me;

  gomp_lock_debug_set ("omp_set_nest_lock", lock, GOMP_LOCK_NEST);
  if (!owned)
    {
      if (gomp_unlikely (!gomp_mutex_trylock (&lock->mutex)))
	{
	  wait_for_nest_lock (lock, me);
	  return false;
	}
      gomp_store_relaxed (&lock->xowner, me);
    }
  lock->count++;
  gomp_lock_debug_got (lock);
  return owned;
}

/* True: the lock is free now.  */
static inline bool
drop_nest_lock (struct nest_lock *lock)
{
  gomp_lock_debug_unset ("omp_unset_nest_lock", lock, GOMP_LOCK_NEST);
  if (--lock->count > 0)
    return false;
  gomp_store_relaxed (&lock->xowner, NULL);
  gomp_mutex_unlock (&lock->mutex);
  return true;
}

static inline int
try_nest_lock (struct nest_lock *lock)
{
  struct gomp_task *me = gomp_self ()->task;

  gomp_lock_debug_test ("omp_test_nest_lock", lock, GOMP_LOCK_NEST);
  if (gomp_load_relaxed (&lock->xowner) != me)
    {
      if (!gomp_mutex_trylock (&lock->mutex))
	return 0;
      gomp_store_relaxed (&lock->xowner, me);
    }
  gomp_lock_debug_got (lock);
  return ++lock->count;
}

/* The same with a tool.  */
static void __attribute__ ((cold, noinline))
take_reported (struct nest_lock *lock, const void *codeptr)
{
  gomp_ompt_mutex_acquire (ompt_mutex_nest_lock, lock, codeptr);
  if (take_nest_lock (lock, gomp_self ()->task))
    gomp_ompt_nest_lock (ompt_scope_begin, lock, codeptr);
  else
    gomp_ompt_mutex_acquired (ompt_mutex_nest_lock, lock, true, codeptr);
}

static void __attribute__ ((cold, noinline))
drop_reported (struct nest_lock *lock, const void *codeptr)
{
  if (drop_nest_lock (lock))
    gomp_ompt_mutex_released (ompt_mutex_nest_lock, lock, codeptr);
  else
    gomp_ompt_nest_lock (ompt_scope_end, lock, codeptr);
}

static int __attribute__ ((cold, noinline))
try_reported (struct nest_lock *lock, const void *codeptr)
{
  gomp_ompt_mutex_acquire (ompt_mutex_test_nest_lock, lock, codeptr);
  int count = try_nest_lock (lock);
  if (count == 1)
    gomp_ompt_mutex_acquired (ompt_mutex_test_nest_lock, lock, true, codeptr);
  else if (count > 1)
    gomp_ompt_nest_lock (ompt_scope_begin, lock, codeptr);
  return count;
}

/* In a thread that the library has not seen yet.  */
static void __attribute__ ((cold, noinline))
take_first (struct nest_lock *lock)
{
  take_nest_lock (lock, gomp_self ()->task);
}

BODY void
set_nest_lock (struct nest_lock *lock)
{
  struct gomp_task *me = gomp_tls.task;
  if (gomp_ompt_on ())
    take_reported (lock, CALLER);
  else if (gomp_unlikely (me == NULL))
    take_first (lock);
  else
    take_nest_lock (lock, me);
}

BODY void
unset_nest_lock (struct nest_lock *lock)
{
  if (gomp_ompt_on ())
    drop_reported (lock, CALLER);
  else
    drop_nest_lock (lock);
}

BODY int
test_nest_lock (struct nest_lock *lock)
{
  if (gomp_ompt_on ())
    return try_reported (lock, CALLER);
  return try_nest_lock (lock);
}

void
NEW (omp_init_nest_lock) (struct nest_lock *lock)
{
  init_nest_lock (lock);
}

void
NEW (omp_destroy_nest_lock) (struct nest_lock *lock)
{
  destroy_nest_lock (lock);
}

void
NEW (omp_set_nest_lock) (struct nest_lock *lock)
{
  set_nest_lock (lock);
}

void
NEW (omp_unset_nest_lock) (struct nest_lock *lock)
{
  unset_nest_lock (lock);
}

int
NEW (omp_test_nest_lock) (struct nest_lock *lock)
{
  return test_nest_lock (lock);
}

void
NEW (omp_init_nest_lock_) (struct nest_lock **lock)
{
  *lock = gomp_malloc (sizeof (**lock));
  init_nest_lock (*lock);
}

void
NEW (omp_destroy_nest_lock_) (struct nest_lock **lock)
{
  destroy_nest_lock (*lock);
  free (*lock);
  *lock = NULL;
}

void
NEW (omp_set_nest_lock_) (struct nest_lock **lock)
{
  set_nest_lock (*lock);
}

void
NEW (omp_unset_nest_lock_) (struct nest_lock **lock)
{
  unset_nest_lock (*lock);
}

int
NEW (omp_test_nest_lock_) (struct nest_lock **lock)
{
  return test_nest_lock (*lock);
}

/* ---- nestable locks, OMP_1.0 ---- */

#ifdef PIC

#define OLD_WAITERS 0x80000000u	/* no thread id has this bit */

struct old_lock
{
  _Atomic (uint32_t) xowner;	/* 0, or the id of the thread that holds the lock, with
				   OLD_WAITERS when others may sleep here */
  int count;			/* belongs to the owner */
};
_Static_assert (sizeof (struct old_lock) == 8 && _Alignof (struct old_lock) == 4,
		"the old omp_nest_lock_t is part of the ABI");

#define OLD_NEST(type, name)						\
  OLD_VERSION (name) type OLD (name) (struct old_lock *);		\
  OLD_VERSION (name##_) type OLD (name##_) (struct old_lock *);

OLD_NEST (void, omp_init_nest_lock)
OLD_NEST (void, omp_destroy_nest_lock)
OLD_NEST (void, omp_set_nest_lock)
OLD_NEST (void, omp_unset_nest_lock)
OLD_NEST (int, omp_test_nest_lock)

void
OLD (omp_init_nest_lock) (struct old_lock *lock)
{
  gomp_store_relaxed (&lock->xowner, 0);
  lock->count = 0;
}

void
OLD (omp_destroy_nest_lock) (struct old_lock *lock)
{
  (void) lock;
}

/* The calling thread has the lock already.  Relaxed: only we could have stored our id.  */
static inline bool
old_is_mine (struct old_lock *lock, uint32_t me)
{
  return (gomp_load_relaxed (&lock->xowner) & ~OLD_WAITERS) == me;
}

void
OLD (omp_set_nest_lock) (struct old_lock *lock)
{
  uint32_t me = gettid ();

  if (!old_is_mine (lock, me))
    {
      /* Acquire: what the last owner wrote.  Who had to wait assumes that others wait.  */
      uint32_t seen = 0, mine = me;
      while (!gomp_cas_acquire (&lock->xowner, &seen, mine))
	{
	  /* Relaxed: the mark publishes nothing.  */
	  if ((seen & OLD_WAITERS)
	      || gomp_cas_weak_relaxed (&lock->xowner, &seen, seen | OLD_WAITERS))
	    gomp_futex_wait (&lock->xowner, seen | OLD_WAITERS);
	  mine = me | OLD_WAITERS;
	  seen = 0;
	}
    }
  lock->count++;
}

void
OLD (omp_unset_nest_lock) (struct old_lock *lock)
{
  if (--lock->count == 0)
    {
      /* Release: to the next owner.  */
      if (gomp_swap_release (&lock->xowner, 0) & OLD_WAITERS)
	gomp_futex_wake (&lock->xowner, 1);
    }
}

int
OLD (omp_test_nest_lock) (struct old_lock *lock)
{
  uint32_t me = gettid ();

  if (!old_is_mine (lock, me))
    {
      uint32_t seen = 0;
      if (!gomp_cas_acquire (&lock->xowner, &seen, me))
	return 0;
    }
  return ++lock->count;
}

void
OLD (omp_init_nest_lock_) (struct old_lock *lock)
{
  OLD (omp_init_nest_lock) (lock);
}

void
OLD (omp_destroy_nest_lock_) (struct old_lock *lock)
{
  OLD (omp_destroy_nest_lock) (lock);
}

void
OLD (omp_set_nest_lock_) (struct old_lock *lock)
{
  OLD (omp_set_nest_lock) (lock);
}

void
OLD (omp_unset_nest_lock_) (struct old_lock *lock)
{
  OLD (omp_unset_nest_lock) (lock);
}

int
OLD (omp_test_nest_lock_) (struct old_lock *lock)
{
  return OLD (omp_test_nest_lock) (lock);
}

#endif /* PIC */
