/* reduction.h -- storage and look-up of task reductions.

   The compiler describes the list items of a construct in an array of words, or in several
   that are linked (abi/host section 3.10).  Each thread of the team has a chunk of storage for
   the private copies, chunk NUM at storage + NUM * bytes per chunk, all zero at first.

   Word			as the compiler passes it	after registration
   COUNT		number of items			the same
   CHUNK		bytes of a chunk		the same
   STORAGE		alignment of the storage	its address
   NEXT			next array of the construct	next array to look at, outwards
   SIZE			undefined			bytes of all chunks together
   OWNER		undefined			the block that the storage is in
   item k, ADDRESS	its original			the same
   item k, OFFSET	where it is in a chunk		the same; items are sorted by it
   item k, INDEX	undefined			the hash table, see reduction.c

   Invariants
   1. The list that begins at a taskgroup's `reductions' has the arrays of that group, then
      those of the groups around it up to the implicit task, whose groups' list ends with
      NULL.  The team's own arrays come after these.
   2. A registered array is constant, so tasks in other threads read it and the list without
      locks: what a task finds was there when the task was created.
   3. The arrays of one construct share one block.  It is freed when no thread can use it any
      more: for taskgroups and parallel by the unregister call, for worksharing constructs by
      the thread that made it, after the unregister call's barrier, and at the end of the
      region when that was cancelled.  */

#ifndef GOMP_REDUCTION_H
#define GOMP_REDUCTION_H 1

#include "libgomp.h"
#include "host/thread.h"

struct gomp_reduction_block;

/* Storage of a worksharing construct's ARRAYS for the calling thread's team; for the thread
   that prepares the instance.  */
struct gomp_reduction_block *gomp_reduction_new_block (struct gomp_thread *,
						       const uintptr_t *arrays);
/* Nobody uses the block any more.  */
void gomp_reduction_free_block (struct gomp_reduction_block *);
/* The calling thread begins a worksharing construct whose storage is BLOCK; ARRAYS is its own
   copy of the description.  */
void gomp_reduction_enter_workshare (struct gomp_thread *, struct gomp_reduction_block *,
				     uintptr_t *arrays);

/* ARRAYS belong to the current taskgroup of the calling thread's task.  */
void gomp_reduction_register_group (struct gomp_thread *, uintptr_t *arrays);
/* ARRAYS belong to a team of N threads that is about to run a region; answers what the team's
   field `reductions' has to be.  */
uintptr_t *gomp_reduction_register_team (unsigned n, uintptr_t *arrays);

/* The blocks that cancelled worksharing constructs left behind.  */
void gomp_reduction_free_left (struct gomp_reduction_block *) __attribute__ ((cold));

/* Where the address of a construct's storage is in its array; 0: the runtime has not set up
   anything.  */
#define GOMP_REDUCTION_STORAGE 2

#endif /* GOMP_REDUCTION_H */
