/* fence.c -- the rare side of fence.h, by membarrier.  */

#include "config/linux/fence.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

GOMP_NO_SHARING _Atomic (bool) gomp_xfence_by_kernel;

static int
membarrier (int command)
{
  return syscall (SYS_membarrier, command, 0, 0);
}

/* Registering costs nothing while the process has one thread.  */
void GOMP_STARTUP
gomp_fence_init (void)
{
  int saved = errno;
  /* Relaxed: no other thread is there yet.  */
  gomp_store_relaxed (&gomp_xfence_by_kernel,
		      membarrier (MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0);
  errno = saved;
}

void
gomp_fence_full (void)
{
#pragma GCC diagnostic push
#ifdef __SANITIZE_THREAD__
/* It does not see fences.  What is passed between threads does not depend on them.  */
# pragma GCC diagnostic ignored "-Wtsan"
#endif
  atomic_thread_fence (memory_order_seq_cst);
#pragma GCC diagnostic pop
}

void
gomp_fence_heavy (void)
{
  if (!gomp_load_relaxed (&gomp_xfence_by_kernel))	/* changes once, see below */
    {
      gomp_fence_full ();
      return;
    }
  int saved = errno;
  if (membarrier (MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0
      && (membarrier (MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) != 0
	  || membarrier (MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0))
    {
      /* A filter for system calls came after the constructor.  From now on both sides do their
	 own part; light sides that were under way are over long before this one goes on.  */
      const struct timespec pause = { .tv_nsec = 1000000 };
      gomp_store_relaxed (&gomp_xfence_by_kernel, false);	/* the pause orders it */
      nanosleep (&pause, NULL);
      gomp_fence_full ();
    }
  errno = saved;
}
