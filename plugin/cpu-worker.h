/* cpu-worker.h -- inside the worker process: what cpu-worker.c and cpu-fault.c share.  */

#ifndef GOMP_CPU_WORKER_H
#define GOMP_CPU_WORKER_H 1

#include <signal.h>

#include "plugin/cpu-proto.h"

/* ---- cpu-worker.c ---- */

extern struct gomp_cpu_shared *gomp_cpu_self;	/* NULL in ordinary programs; fixed */
/* A region forked, and this process is its child: it is no device.  */
bool gomp_cpu_worker_forked (void);
/* For the thread sanitizer: what this thread does next comes after what others did before, by an
   order that the host has made.  */
void gomp_cpu_worker_order (void);

/* ---- cpu-fault.c ---- */

/* What a thread of the worker is doing, for the message if it dies.  */
struct gomp_cpu_thread
{
  struct gomp_cpu_slot *slot;	/* that it serves, or NULL */
  uintptr_t stack_low;		/* lowest usable address of its stack; 0 unknown */
};
extern __thread struct gomp_cpu_thread gomp_cpu_thread
  __attribute__ ((tls_model ("initial-exec")));

/* The signals that a worker's threads block: all but those caught below.  */
void gomp_cpu_fault_mask (sigset_t *);
/* Catch the signals that mean the end, and exit ().  Called once.  */
void gomp_cpu_fault_init (void);
/* The calling thread reports its own faults: on a stack apart, so that an overflow of its own
   stack can be told.  SLOT may be NULL.  */
void gomp_cpu_fault_thread (struct gomp_cpu_slot *slot);
/* Modules were loaded: messages may name them.  */
void gomp_cpu_fault_modules (void);
/* Calls of the host address HOST mean WORKER.  False: no memory.  */
bool gomp_cpu_fault_indirect (const uint64_t *pairs, size_t count);

#endif /* GOMP_CPU_WORKER_H */
