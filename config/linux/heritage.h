/* heritage.h -- what a thread has from the thread that created it.  Linux.

   For spare-pools.c: helpers that another thread created may stand in for new ones when they
   have the same CPUs, signal mask, scheduling and floating-point control as new ones would.  */

#ifndef GOMP_HERITAGE_H
#define GOMP_HERITAGE_H 1

#include "libgomp.h"

#include <sched.h>
#include <signal.h>

/* struct sched_attr of Linux 5.3; its header collides with sched.h of some C libraries.  */
struct gomp_scheduling
{
  uint32_t size, policy;
  uint64_t flags;		/* reset on fork ... */
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
  uint32_t util_min, util_max;
};

struct gomp_heritage
{
  cpu_set_t cpus;		/* all bytes beyond the kernel's mask are zero */
  sigset_t signals;
  struct gomp_scheduling scheduling;
  uint64_t fp;			/* rounding, exceptions that trap, denormals */
  bool known;			/* false: like nothing else */
};

/* What threads that the calling one creates now get.  errno stays.  */
void gomp_heritage_get (struct gomp_heritage *);
bool gomp_heritage_same (const struct gomp_heritage *, const struct gomp_heritage *);

#endif /* GOMP_HERITAGE_H */
