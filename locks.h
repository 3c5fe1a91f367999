/* locks.h -- the runtime's own locks: a futex mutex, and the order in which locks nest.

   gomp_mutex_t is a plain word, all zero when unlocked, for data structures that are
   locked for a short time.  It is also what simple OpenMP locks and critical sections are
   made of (host/lock.c, host/critical.c).

   Lock ranks.  A thread that holds a ranked lock may only take locks of higher rank.  With
   --enable-checking every lock of rank > GOMP_RANK_NONE is checked when it is taken
   (lockrank.c).  doc/locking.md tells what each lock protects.  Nothing waits for a device
   while it holds a lock of rank GOMP_RANK_MAP or higher.

   Cancellation.  A thread that is cancelled keeps the runtime's locks for good, and leaves half
   done what it was at.  Functions that are cancellation points (open, read, write, nanosleep,
   stdio) are only called between gomp_cancel_off and gomp_cancel_restore, which nest; the caller
   of a slow path does it for all of that.  Waiting for devices and threads is done by futexes,
   which are none.  */

#ifndef GOMP_LOCKS_H
#define GOMP_LOCKS_H 1

#include <pthread.h>
#include <stdint.h>

#include "atomics.h"

/* The calling thread cannot be cancelled from here on; answers what gomp_cancel_restore wants.  */
static inline int
gomp_cancel_off (void)
{
  int old;
  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &old);
  return old;
}

static inline void
gomp_cancel_restore (int old)
{
  pthread_setcancelstate (old, NULL);
}

enum gomp_lock_rank
{
  GOMP_RANK_NONE = 0,		/* not checked: user locks, leaf locks of one function */
  GOMP_RANK_DEVICES,		/* device list: enumeration */
  GOMP_RANK_DEVICE_OPEN,	/* one device: opening, image loading, closing */
  GOMP_RANK_LOADER,		/* the dynamic loader's own: dladdr, dlopen, dlclose take it */
  GOMP_RANK_IMAGES,		/* list of images and modules: registration */
  GOMP_RANK_MAP,		/* one device: its mapping table */
  GOMP_RANK_DEVALLOC,		/* one device: its memory allocator */
  GOMP_RANK_QUEUES,		/* one device: its queue and event pools */
  GOMP_RANK_CHECK,		/* what the mapping checker knows (map-check.c) */
  GOMP_RANK_STAGING,		/* one device: bulk transfers under way (staging.c) */
  GOMP_RANK_PLUGIN		/* locks inside plugins */
};

typedef _Atomic (uint32_t) gomp_mutex_t;	/* 0 free, 1 held, 2 held and waited for */

#define GOMP_MUTEX_INIT 0

void gomp_mutex_lock_slow (gomp_mutex_t *);
void gomp_mutex_unlock_slow (gomp_mutex_t *);

static inline bool
gomp_mutex_trylock (gomp_mutex_t *m)
{
  uint32_t free_word = 0;
  return gomp_cas_acquire (m, &free_word, 1);
}

static inline void
gomp_mutex_lock (gomp_mutex_t *m)
{
  if (__builtin_expect (!gomp_mutex_trylock (m), 0))
    gomp_mutex_lock_slow (m);
}

static inline void
gomp_mutex_unlock (gomp_mutex_t *m)
{
  /* Release: what the critical section wrote is seen by the next holder.  */
  if (__builtin_expect (gomp_swap_release (m, 0) == 2, 0))
    gomp_mutex_unlock_slow (m);
}

#if GOMP_CHECKING
void gomp_rank_acquire (enum gomp_lock_rank, const void *lock);
void gomp_rank_release (enum gomp_lock_rank, const void *lock);
#else
static inline void gomp_rank_acquire (enum gomp_lock_rank r, const void *l) { (void) r; (void) l; }
static inline void gomp_rank_release (enum gomp_lock_rank r, const void *l) { (void) r; (void) l; }
#endif

/* The caller is about to ask the loader something for which that takes its lock.  Who holds the lock, in
   constructors and destructors, may take those of higher rank.  */
static inline void
gomp_check_loader (void)
{
  static const char loader;
  gomp_rank_acquire (GOMP_RANK_LOADER, &loader);
  gomp_rank_release (GOMP_RANK_LOADER, &loader);
}

/* The same with a rank.  */
static inline void
gomp_lock_ranked (gomp_mutex_t *m, enum gomp_lock_rank rank)
{
  gomp_rank_acquire (rank, m);
  gomp_mutex_lock (m);
}

static inline void
gomp_unlock_ranked (gomp_mutex_t *m, enum gomp_lock_rank rank)
{
  gomp_mutex_unlock (m);
  gomp_rank_release (rank, m);
}

#endif /* GOMP_LOCKS_H */
