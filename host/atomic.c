/* atomic.c -- the lock of atomic updates that have no instruction, and of the merging of
   reductions.  It is not the lock of the unnamed critical region: a critical region may stand
   where the compiler merges a reduction.  */

#include "host/abi.h"
#include "host/ompt.h"
#include "host/team.h"

static GOMP_NO_SHARING gomp_mutex_t atomic_lock;

GOMP_EXPORT void GOMP_SHORT
GOMP_atomic_start (void)
{
  if (gomp_ompt_on ())
    gomp_ompt_mutex_lock (ompt_mutex_atomic, &atomic_lock, __builtin_return_address (0));
  else
    gomp_mutex_lock (&atomic_lock);
}

GOMP_EXPORT void GOMP_SHORT
GOMP_atomic_end (void)
{
  if (gomp_ompt_on ())
    gomp_ompt_mutex_unlock (ompt_mutex_atomic, &atomic_lock, __builtin_return_address (0));
  else
    gomp_mutex_unlock (&atomic_lock);
}

/* In the child of a fork: nobody else is there.  */
void
gomp_atomic_forked (void)
{
  gomp_store_relaxed (&atomic_lock, GOMP_MUTEX_INIT);	/* no other thread */
}
