/* fence.h -- a pair of fences of which one side is free.  Linux.

   For a thread that publishes something often and then has to look whether anybody sleeps, and
   sleepers, who say so rarely and then have to look whether something was published:

       often:  publish; gomp_fence_light (); look for sleepers
       rarely: say "asleep"; gomp_fence_heavy (); look whether it was published; sleep

   At least one of the two sees what the other wrote.  The light fence only binds the compiler,
   the heavy one makes the kernel interrupt the processors on which threads of this process run.
   Where the kernel cannot, both are plain full fences.  */

#ifndef GOMP_FENCE_H
#define GOMP_FENCE_H 1

#include "libgomp.h"

/* The kernel does the light side's part.  Set by the constructor; becomes false when that
   turns out to be forbidden.  */
extern GOMP_HIDDEN _Atomic (bool) gomp_xfence_by_kernel;

void gomp_fence_init (void);
void gomp_fence_full (void) __attribute__ ((cold));
void gomp_fence_heavy (void) __attribute__ ((cold));

static inline void
gomp_fence_light (void)
{
  /* Relaxed: gomp_fence_heavy waits long enough when it changes.  */
  if (gomp_unlikely (!gomp_load_relaxed (&gomp_xfence_by_kernel)))
    gomp_fence_full ();
  atomic_signal_fence (memory_order_seq_cst);
}

#endif /* GOMP_FENCE_H */
