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

/* ---- cpu-file.c: the files of modules that were opened for the host ---- */

struct gomp_cpu_files
{
  unsigned modules, threads;
};
/* Before something is opened, and afterwards.  */
void gomp_cpu_files_before (struct gomp_cpu_files *);
void gomp_cpu_files_after (const struct gomp_cpu_files *before);
/* Something was closed.  */
void gomp_cpu_files_closed (void);
/* The file of the module at BASE, as /proc/PID/maps had it; false: not known.  */
bool gomp_cpu_file_number (uint64_t base, uint64_t *device, uint64_t *inode);
/* Is something else in that file now?  *LOST: what the module has in memory went with it, and
   nothing of it may be used.  */
bool gomp_cpu_file_overwritten (uint64_t base, bool *lost);

/* ---- cpu-fault.c ---- */

/* Where a thread has met an open page of a module's data last, and how often since when.  */
struct gomp_cpu_met
{
  _Atomic (uint64_t) xaddr, xsince;
  _Atomic (unsigned) xtimes;
};

/* What the mapping checker does with a thread; belongs to the thread and its signal handler
   (cpu-watch.c).  */
struct gomp_cpu_watcher
{
  uint64_t page[4];		/* open for the instruction that is executed alone */
  unsigned pages;
  uint64_t global[4];		/* the same for variables of modules: addresses of pages */
  unsigned globals;
  uint64_t since;		/* when the first of them was opened */
  uint64_t use[8];		/* of modules, by the handler: addresses */
  unsigned used;
  struct gomp_cpu_met met;	/* its own */
  /* How the thread's system calls go, for the kernel: GOMP_CPU_CALLS_PASS or _COME, the latter
     never in the handler; PASSES: behind it they do not come any more.  */
  uint8_t calls;
  bool passes, dispatched;
  uint64_t blocked;		/* signals that it believes to block, as the kernel's mask */
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
/* Put an access into the list; WATCHED memory has no more than MOST entries there, all in all.  */
void gomp_cpu_watch_report (const struct gomp_cpu_seen *, uint32_t most);
/* Everything is open, and nothing is concluded from it, until the next region starts.  */
void gomp_cpu_watch_open (void);
/* A system call gets the address ADDR.  Answers the one that it is to get instead.  */
uint64_t gomp_cpu_watch_use (uint64_t addr);
/* The next instruction is not executed alone.  x86-64 only.  */
void gomp_cpu_watch_no_step (void *context);

/* ---- cpu-watch-call.c: system calls, for the mapping checker ---- */

enum { GOMP_CPU_CALLS_PASS = 0, GOMP_CPU_CALLS_COME = 1 };	/* the kernel's values */

#if defined __x86_64__
/* Called once; device memory is from START to END.  */
void gomp_cpu_calls_init (uint64_t start, uint64_t end);
/* Do all calls of regions come to the handler?  */
bool gomp_cpu_calls_come (void);
/* The calling thread may run regions, and has this watcher from now on; NULL: none any more.  */
void gomp_cpu_calls_thread (struct gomp_cpu_watcher *);
/* Will the calling thread's calls come?  False: one could go unseen that fails where memory is
   closed.  */
bool gomp_cpu_calls_begin (void);
/* They do until _end.  */
void gomp_cpu_calls_start (void);
void gomp_cpu_calls_end (void);
/* SIGSYS: a call has come.  False: that was something else.  */
bool gomp_cpu_watch_call (const siginfo_t *, void *context);
/* A system call that does not come, in the handler.  */
long gomp_cpu_raw_call (long number, long, long, long, long, long, long)
  __attribute__ ((visibility ("hidden")));
#else
static inline void gomp_cpu_calls_init (uint64_t start, uint64_t end) { (void) start; (void) end; }
static inline bool gomp_cpu_calls_come (void) { return false; }
static inline void gomp_cpu_calls_thread (struct gomp_cpu_watcher *self) { (void) self; }
static inline bool gomp_cpu_calls_begin (void) { return true; }
static inline void gomp_cpu_calls_start (void) { }
static inline void gomp_cpu_calls_end (void) { }
#endif

/* ---- cpu-globals.c: variables of the program's modules ---- */

struct gomp_cpu_insn;

/* Watch the data of a module from START to END, but not what is between SKIP_START and SKIP_END.
   From the thread that serves control commands.  False: it cannot be watched.  */
bool gomp_cpu_globals_add (uint64_t start, uint64_t end, uint64_t skip_start, uint64_t skip_end);
/* Called once, before the first module is loaded for the host.  */
void gomp_cpu_globals_init (void);
/* A region starts, ALONE if no other one runs; and no region runs any more.  */
void gomp_cpu_globals_begin (bool alone);
void gomp_cpu_globals_end (void);
/* Nothing is watched until the next region starts.  */
void gomp_cpu_globals_open (void);
bool gomp_cpu_globals_has (uint64_t addr);
/* The instruction INSN at IP has got a fault at ADDR.  False: this is not what is watched.  *STEP:
   it is to be executed alone, and gomp_cpu_globals_stepped is called then.  */
bool gomp_cpu_globals_signal (uint64_t addr, const struct gomp_cpu_insn *insn, uint64_t ip, bool alone,
			      bool *step);
void gomp_cpu_globals_stepped (struct gomp_cpu_watcher *, bool alone);
/* Before the handler proper, a fault at ADDR: of the HANDLER itself, for which the page is open
   until gomp_cpu_globals_late, or (NULL) of a thread that has no watcher.  True: that was all.  */
bool gomp_cpu_globals_early (uint64_t addr, struct gomp_cpu_watcher *handler);
void gomp_cpu_globals_late (struct gomp_cpu_watcher *handler);
/* Functions that get along without any data of modules: not those that a sanitizer uses either.  */
#define GOMP_CPU_BARE __attribute__ ((no_sanitize ("address", "thread", "undefined")))

#endif /* GOMP_CPU_WORKER_H */
