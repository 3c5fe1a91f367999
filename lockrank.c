/* lockrank.c -- the run-time check of the lock order (locks.h), with --enable-checking.

   Each thread keeps the stack of ranked locks that it holds.  Taking a lock whose rank is not
   higher than the highest one held ends the program with both ranks.  */

#include "libgomp.h"

#if GOMP_CHECKING

#define MAX_HELD 16

static __thread struct
{
  unsigned count;
  struct { enum gomp_lock_rank rank; const void *lock; } held[MAX_HELD];
} locks_held;

void
gomp_rank_acquire (enum gomp_lock_rank rank, const void *lock)
{
  if (rank == GOMP_RANK_NONE)
    return;
  for (unsigned i = 0; i < locks_held.count; i++)
    if (locks_held.held[i].rank >= rank)
      gomp_fatal ("internal error: lock %p of rank %d is taken while %p of rank %d is held",
		  lock, rank, locks_held.held[i].lock, locks_held.held[i].rank);
  if (locks_held.count == MAX_HELD)
    gomp_fatal ("internal error: more than %d locks held", MAX_HELD);
  locks_held.held[locks_held.count].rank = rank;
  locks_held.held[locks_held.count++].lock = lock;
}

void
gomp_rank_release (enum gomp_lock_rank rank, const void *lock)
{
  if (rank == GOMP_RANK_NONE)
    return;
  for (unsigned i = locks_held.count; i-- > 0; )
    if (locks_held.held[i].lock == lock)
      {
	locks_held.count--;
	memmove (&locks_held.held[i], &locks_held.held[i + 1],
		 (locks_held.count - i) * sizeof (locks_held.held[0]));
	return;
      }
  gomp_fatal ("internal error: lock %p of rank %d is released but not held", lock, rank);
}

#else
/* ISO C wants a declaration.  */
extern int gomp_lockrank_unused;
#endif
