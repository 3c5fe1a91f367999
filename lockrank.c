/* lockrank.c -- the run-time check of the lock order (locks.h), with --enable-checking.

   Each thread keeps the stack of ranked locks that it holds.  Taking a lock whose rank is not
   higher than the highest one held ends the program with both ranks.  */

#include "libgomp.h"
#include "plugin/thread-own.h"

#if GOMP_CHECKING

static uint32_t
lower_half (const void *lock)
{
  return (uint32_t) (uintptr_t) lock;
}

void
gomp_rank_acquire (enum gomp_lock_rank rank, const void *lock)
{
  if (rank == GOMP_RANK_NONE)
    return;
  struct gomp_own *own = gomp_own ();
  for (unsigned i = 0; i < own->held.count; i++)
    if (own->held.ranks[i] >= rank)
      gomp_internal_fatal ("internal error: lock %p of rank %d is taken while ...%08x of rank %d is held",
			   lock, rank, (unsigned) own->held.locks[i], own->held.ranks[i]);
  if (own->held.count == GOMP_RANKS_HELD)
    gomp_internal_fatal ("internal error: more than %d locks held", GOMP_RANKS_HELD);
  own->held.ranks[own->held.count] = rank;
  own->held.locks[own->held.count++] = lower_half (lock);
}

void
gomp_rank_release (enum gomp_lock_rank rank, const void *lock)
{
  if (rank == GOMP_RANK_NONE)
    return;
  struct gomp_own *own = gomp_own ();
  for (unsigned i = own->held.count; i-- > 0; )
    if (own->held.ranks[i] == rank && own->held.locks[i] == lower_half (lock))
      {
	own->held.count--;
	for (; i < own->held.count; i++)
	  {
	    own->held.ranks[i] = own->held.ranks[i + 1];
	    own->held.locks[i] = own->held.locks[i + 1];
	  }
	return;
      }
  gomp_internal_fatal ("internal error: lock %p of rank %d is released but not held", lock, rank);
}

#else
/* ISO C wants a declaration.  */
extern int gomp_lockrank_unused;
#endif
