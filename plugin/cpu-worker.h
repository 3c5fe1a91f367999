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

/* What the mapping checker does with a thread; belongs to the thread and its signal handler
   (cpu-watch.c).  */
struct gomp_cpu_watcher
{
  uint64_t page[4];		/* open for the instruction that is executed alone */
  unsigned pages;
  uint64_t global[4];		/* the same for variables of modules: addresses of pages */
  unsigned globals;
  _Atomic (uint64_t) xlast_global;	/* where it met an open page of them last; its own */
  bool stepping;
  /* A loaded value that nobody has written, and where it is.  */
  unsigned follow;		/* steps left; 0 nothing */
  int reg;
  bool vector_reg;
  uint64_t addr, ip;
  uint8_t size;
};

/* What a thread of the worker is doing, for the message if it dies.  */
struct gomp_cpu_thread
{
  struct gomp_cpu_watcher *watcher;	/* NULL: a thread of the program's own */
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
/* Put an access into the list; WATCHED memory has no more than MOST entries there, all in all.  */
void gomp_cpu_watch_report (const struct gomp_cpu_seen *, uint32_t most);
/* System calls with addresses from START to END get to gomp_cpu_watch_signal.  False: they can't.  */
bool gomp_cpu_watch_divert (uint64_t start, uint64_t end);

/* ---- cpu-globals.c: variables of the program's modules ---- */

struct gomp_cpu_insn;

/* Watch the data of a module from START to END, but not what is between SKIP_START and SKIP_END.  From the thread
   that serves control commands.  False: it cannot be watched.  */
bool gomp_cpu_globals_add (uint64_t start, uint64_t end, uint64_t skip_start, uint64_t skip_end);
/* A region starts, ALONE if no other one runs; and no region runs any more.  */
void gomp_cpu_globals_begin (bool alone);
void gomp_cpu_globals_end (void);
/* Nothing is watched until the next region starts.  */
void gomp_cpu_globals_open (void);
bool gomp_cpu_globals_has (uint64_t addr);
/* The instruction INSN at IP has got a fault at ADDR.  False: this is not what is watched.  *STEP: it is to be executed alone,
   and gomp_cpu_globals_stepped is called then.  */
bool gomp_cpu_globals_signal (uint64_t addr, const struct gomp_cpu_insn *insn, uint64_t ip, bool alone,
			      bool *step);
void gomp_cpu_globals_stepped (struct gomp_cpu_watcher *, bool alone);

#endif /* GOMP_CPU_WORKER_H */
