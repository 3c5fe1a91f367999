/* cpu-worker.h -- inside the worker process: what cpu-worker.c and cpu-fault.c share.  */

#ifndef GOMP_CPU_WORKER_H
#define GOMP_CPU_WORKER_H 1

#include <signal.h>

#include "plugin/cpu-proto.h"
#include "plugin/thread-own.h"

/* ---- cpu-worker.c ---- */

extern struct gomp_cpu_shared *gomp_cpu_self;	/* NULL in ordinary programs; fixed */
/* A region forked, and this process is its child: it is no device.  */
bool gomp_cpu_worker_forked (void);
/* For the thread sanitizer: what this thread does next comes after what others did before, by an
   order that the host has made.  */
void gomp_cpu_worker_order (void);

/* ---- cpu-fault.c ---- */

/* What the mapping checker does with a thread; belongs to the thread and its signal handler
   (cpu-watch.c).  */
struct gomp_cpu_watcher
{
  uint64_t page[4];		/* open for the instruction that is executed alone */
  unsigned pages;
  bool stepping;
  /* A loaded value that nobody has written, and where it is.  */
  unsigned follow;		/* steps left; 0 nothing */
  int reg;
  bool vector_reg;
  uint64_t addr, ip;
  uint8_t size;
};

/* What the calling thread of the worker is doing, for the message if it dies.  */
static inline const struct gomp_cpu_thread *
gomp_cpu_thread (void)
{
  return &gomp_own_now ()->cpu;
}

/* The signals that a worker's threads block: all but those caught below.  */
void gomp_cpu_fault_mask (sigset_t *);
/* Catch the signals that mean the end, and exit ().  Called once.  */
void gomp_cpu_fault_init (void);
/* The calling thread reports its own faults: on a stack apart, so that an overflow of its own
   stack can be told.  SLOT may be NULL.  */
void gomp_cpu_fault_thread (struct gomp_cpu_slot *slot);
/* Modules were loaded: messages may name them.  */
void gomp_cpu_fault_modules (void);
/* A region has written into the memory that is shared with the host: end, and say so.  */
void gomp_cpu_fault_damaged (void) __attribute__ ((noreturn));
/* Calls of the host address HOST mean WORKER.  False: no memory.  */
bool gomp_cpu_fault_indirect (const uint64_t *pairs, size_t count);

/* ---- cpu-watch.c: the mapping checker ---- */

void gomp_cpu_watch_init (void);
/* A region starts, and is over, in the calling thread.  */
void gomp_cpu_watch_begin (void);
void gomp_cpu_watch_end (void);
/* Where the worker itself can access what is at ADDR.  */
void *gomp_cpu_watch_alias (uint64_t addr);
/* A signal that may be an access to a watched page, or the end of it; ACCESS is an enum
   gomp_fault_access.  True: it was, and the thread goes on.  */
bool gomp_cpu_watch_signal (int number, const siginfo_t *info, void *context, int access);

#endif /* GOMP_CPU_WORKER_H */
