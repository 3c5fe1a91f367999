/* thread-own.h -- what a thread has of its own besides struct gomp_thread.

   A library with initial-exec variables takes all its thread-local storage from what the C library
   has set aside for objects that are loaded late.  There is little of it, and others want some,
   too.  So only struct gomp_thread and two pointers are thread-local variables, as many bytes as
   GCC's library takes.  One pointer is for regions of one thread (host/team.c), which are too short
   for a load more.  The rest is in the block behind the other: the constructor's thread and helpers
   have theirs from the start, all other threads get one when they first need it, which is freed
   when they end.

   A thread with a team (gomp_thread.team) has a block.  This header needs none of the library's
   others: the cpu device's worker uses it as well.  */

#ifndef GOMP_THREAD_OWN_H
#define GOMP_THREAD_OWN_H 1

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gomp_cpu_region;		/* plugin/cpu-proto.h */
struct gomp_cpu_slot;
struct gomp_cpu_watcher;	/* plugin/cpu-worker.h */
struct gomp_depend_memory;	/* host/depend-node.h */
struct gomp_image;		/* image.c */
struct gomp_map_plan;		/* map-plan.h */
struct gomp_old_region;		/* host/parallel.c */
struct gomp_ompt_thread;	/* host/ompt.h */
struct gomp_region_note;	/* target.h */
struct gomp_slot;		/* host/team.h */
struct gomp_solo;
struct gomp_target_task;	/* target-task.h */
struct gomp_task;		/* host/thread.h */
struct gomp_task_batch;		/* host/task-memory.c */
struct gomp_trace_buffer;	/* trace-buffer.h */

/* Blocks for tasks, by size: of a slot, or of a thread in teams of one.  Its own thread's.  */
#define GOMP_TASK_CLASSES 5
struct gomp_task_cache
{
  struct gomp_task *blocks[GOMP_TASK_CLASSES];
  unsigned count[GOMP_TASK_CLASSES];
  struct gomp_task *bare;	/* blocks that run_bare of task.c keeps ready */
  /* Blocks of another slot, on their way home; NULL or one batch.  */
  struct gomp_slot *returning_to;
  struct gomp_task_batch *returning;
};

/* What the worker of a cpu device knows of a thread, for the message if it dies.  */
struct gomp_cpu_thread
{
  struct gomp_cpu_watcher *watcher;	/* NULL: a thread of the program's own */
  struct gomp_cpu_slot *slot;	/* that it serves, or NULL */
  uintptr_t stack_low;		/* lowest usable address of its stack; 0 unknown */
};

/* config/linux/bar.c: how it waits.  */
struct gomp_spinner
{
  uint64_t next_move;		/* not before */
  uint32_t most;		/* turns of a spin without yields */
  uint32_t vain;		/* those in vain, in a row ... */
  uint16_t switches;
  uint16_t harmless;		/* yields since the last that took long */
  uint8_t yields;		/* crowded */
  bool slept;			/* ... with the last one */
};

/* Which memory of the program a thread copies, for host-fault.c.  A construct's plan (map-plan.h) tells that
   already.  This is for copies of other routines, and for those that a thread does for another
   one.  It lies on the stack of whoever copies.  */
struct gomp_host_copy
{
  const struct gomp_host_copy *outer;	/* set by gomp_host_copy_begin */
  void *dev;			/* the core's device */
  const struct gomp_region_note *note;	/* NULL: not known */
  const void *host;		/* SIZE bytes from here on */
  size_t size;
  bool writes;			/* from the device */
};

#define GOMP_RANKS_HELD 8

/* All bytes zero is the state of a thread that is new.  */
struct gomp_own
{
  /* In teams of one.  Hot, and in one cache line but for what goes home.  */
  struct gomp_task_cache task_cache;	/* host/task.h */
  struct gomp_depend_memory *depend_memory;	/* made when first needed: host/depend-memory.c */
  /* host/team.c */
  bool is_main;			/* when first seen: its pool is nobody else's, ever */
  bool is_main_now;		/* perhaps since a fork */
  /* host/affinity.h: its place plus one; 0: never bound.  Not in struct gomp_thread, which a
     region's end sets back: a binding outlives the region that it came with.  */
  unsigned bound_place;
  struct gomp_spinner spinner;
  struct gomp_old_region *old_regions;	/* the innermost of GOMP_parallel_start */
  unsigned last_team_size;	/* of top-level teams that it started: host/affinity-fmt.c */
  struct gomp_ompt_thread *ompt;	/* what a tool knows of it, or NULL: host/ompt.h */
  bool starts_tool;		/* is about to start the tool: host/ompt.c */
  struct gomp_cpu_region *region;	/* that it runs, in a worker, or NULL: host/worker.c */

  /* map-plan.c */
  struct gomp_map_plan *plan;	/* belongs to the thread; freed when it ends */
  struct gomp_map_plan *deferred_plan;	/* of a target task that it works on */
  bool has_large;		/* an array of its plan is larger than what is kept */
  const struct gomp_host_copy *copying;	/* the innermost one, or NULL */

  bool is_staging_helper;	/* staging.c */
  const struct gomp_image *loading;	/* image.c: what it is loading */
  struct gomp_trace_buffer *trace;	/* trace.c */
  /* target-flight.c: what it has to do when it is through with the present step.  */
  struct
  {
    struct gomp_target_task *first, *last;
    bool running;
    bool counted;		/* in xrunning */
  } agenda;
  /* reverse-map.c: it found nothing mapped here, [start, end) of a device.  */
  struct
  {
    uint64_t indexed;		/* the table's xindexed */
    uint64_t start, end;
  } gap;
  /* reverse.c */
  unsigned must_not_serve;
  unsigned serving;		/* requests, one inside of another */
  uint32_t tid;			/* or 0: not asked yet */

  struct gomp_cpu_thread cpu;	/* plugin/cpu-fault.c */
  uint32_t last_call_slot;	/* plugin/cpu-call.c: still in its cache */
  /* plugin/cpu-common.c: how long polling pays.  */
  struct
  {
    uint32_t lost;		/* ns taken off spin_ns */
    uint32_t skip;		/* so many times more not at all */
    uint32_t skipped;		/* the last time it was that many */
  } patience;
  /* plugin/cpu-reverse.c */
  bool woken;			/* a helper that has slept, and not served since */
  unsigned vain;		/* bells rang, and it found nothing to serve, in a row */

  /* lockrank.c, with --enable-checking.  Two arrays, and of addresses only the lower half: short.
     No two locks in it have the same rank.  */
  struct
  {
    uint32_t locks[GOMP_RANKS_HELD];
    uint8_t ranks[GOMP_RANKS_HELD];
    uint8_t count;
  } held;

  /* thread-own.c: how often its destructor has been called.  */
  unsigned ends;
};

extern __attribute__ ((visibility ("hidden"))) __thread struct gomp_own *gomp_own_block
  __attribute__ ((tls_model ("initial-exec")));
/* For host/team.c.  Declared here, before struct gomp_thread's variable, for the order in which the
   compiler lays them out.  */
extern __attribute__ ((visibility ("hidden"))) __thread struct gomp_solo *gomp_free_solos
  __attribute__ ((tls_model ("initial-exec")));
extern __attribute__ ((visibility ("hidden"))) const struct gomp_own gomp_own_none;

/* The calling thread has none yet.  Ends the program if there is no memory.  */
struct gomp_own *gomp_own_new (void) __attribute__ ((cold));

static inline struct gomp_own *
gomp_own (void)
{
  struct gomp_own *own = gomp_own_block;
  return __builtin_expect (own != NULL, 1) ? own : gomp_own_new ();
}

/* To read only: a thread that has no block has one full of zeros.  In signal handlers as well.  */
static inline const struct gomp_own *
gomp_own_now (void)
{
  const struct gomp_own *own = gomp_own_block;
  return __builtin_expect (own != NULL, 1) ? own : &gomp_own_none;
}

static inline void
gomp_host_copy_begin (struct gomp_host_copy *copy)
{
  struct gomp_own *own = gomp_own ();
  copy->outer = own->copying;
  own->copying = copy;
  atomic_signal_fence (memory_order_release);	/* the handler of this thread reads it */
}

static inline void
gomp_host_copy_end (const struct gomp_host_copy *copy)
{
  atomic_signal_fence (memory_order_release);	/* the copy has been done */
  gomp_own ()->copying = copy->outer;
}

/* Called once from the library's constructor.  */
void gomp_own_init (void);

#endif /* GOMP_THREAD_OWN_H */
