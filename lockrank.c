/* lockrank.c -- the run-time check of the lock order (locks.h), with --enable-checking.

   Each thread keeps the stack of ranked locks that it holds.  Taking a lock whose rank is not
   higher than the highest one held ends the program with both ranks.  */

#include "libgomp.h"

#if GOMP_CHECKING

#define MAX_HELD 8

static __thread struct
{
  /* Two arrays, and of addresses only the lower half, since there is little thread-local storage for a library that is
     loaded late.  No two locks in it have the same rank.  */
  uint32_t locks[MAX_HELD];
  uint8_t ranks[MAX_HELD];
  uint8_t count;
} locks_held;

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
  for (unsigned i = 0; i < locks_held.count; i++)
    if (locks_held.ranks[i] >= rank)
      gomp_internal_fatal ("internal error: lock %p of rank %d is taken while ...%08x of rank %d is held",
			   lock, rank, (unsigned) locks_held.locks[i], locks_held.ranks[i]);
  if (locks_held.count == MAX_HELD)
    gomp_internal_fatal ("internal error: more than %d locks held", MAX_HELD);
  locks_held.ranks[locks_held.count] = rank;
  locks_held.locks[locks_held.count++] = lower_half (lock);
}

void
gomp_rank_release (enum gomp_lock_rank rank, const void *lock)
{
  if (rank == GOMP_RANK_NONE)
    return;
  for (unsigned i = locks_held.count; i-- > 0; )
    if (locks_held.ranks[i] == rank && locks_held.locks[i] == lower_half (lock))
      {
	locks_held.count--;
	for (; i < locks_held.count; i++)
	  {
	    locks_held.ranks[i] = locks_held.ranks[i + 1];
	    locks_held.locks[i] = locks_held.locks[i + 1];
	  }
	return;
      }
  gomp_internal_fatal ("internal error: lock %p of rank %d is released but not held", lock, rank);
}

#else
/* ISO C wants a declaration.  */
extern int gomp_lockrank_unused;
#endif
