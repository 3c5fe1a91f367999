/* lock-debug.h -- diagnosis of misused locks, in libraries built with --enable-debug.

   The lock routines (lock.c) call these before and after they do their work.  In other builds
   they are empty, and misuse is undetected: an OpenMP lock has no room to know its owner.  */

#ifndef GOMP_LOCK_DEBUG_H
#define GOMP_LOCK_DEBUG_H 1

#include <stdbool.h>

enum gomp_lock_kind { GOMP_LOCK_SIMPLE, GOMP_LOCK_NEST };

#if GOMP_DEBUG_LOCKS
void gomp_lock_debug_init (const void *lock, enum gomp_lock_kind);
void gomp_lock_debug_destroy (const void *lock, enum gomp_lock_kind);
/* ROUTINE is about to wait for the lock.  */
void gomp_lock_debug_set (const char *routine, const void *lock, enum gomp_lock_kind);
/* The calling task holds it now.  */
void gomp_lock_debug_got (const void *lock);
void gomp_lock_debug_test (const char *routine, const void *lock, enum gomp_lock_kind);
void gomp_lock_debug_unset (const char *routine, const void *lock, enum gomp_lock_kind);
#else
# define gomp_lock_debug_init(lock, kind) ((void) 0)
# define gomp_lock_debug_destroy(lock, kind) ((void) 0)
# define gomp_lock_debug_set(routine, lock, kind) ((void) 0)
# define gomp_lock_debug_got(lock) ((void) 0)
# define gomp_lock_debug_test(routine, lock, kind) ((void) 0)
# define gomp_lock_debug_unset(routine, lock, kind) ((void) 0)
#endif

#endif /* GOMP_LOCK_DEBUG_H */
