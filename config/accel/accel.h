/* accel.h -- the device runtime: what its files share.

   This is the part of gompx that runs on the device: what compiled target regions call there.  It
   is written against machine.h, which exists for each kind of device (config/nvptx) and, for
   tests, for the host (testsuite/lib/accel-host).

   A kernel is a grid of blocks; a block holds one team at a time and has up to ACCEL_MAX_THREADS
   threads, each a warp or wavefront.  Thread 0 is the initial thread, which runs the region; the others
   wait for parallel regions.  Only one level of parallelism is active: a region inside an active one has
   one thread.  All state of a kernel is in the block's shared memory (struct accel_block) and
   on the threads' stacks, never in variables of the device, so kernels of one image run at the same
   time and with any number of teams.

   Who owns what
     start.c      the life of a block: gomp_nvptx_main, workers; teams.c GOMP_teams4
     parallel.c   parallel regions, active and serial; parallel-loop.c and so on their combined forms
     barrier.c    barriers; barrier-wait.c: those with tasks and cancellation
     work.c       the descriptors of worksharing constructs, single.c, sections.c, scope.c
     loop.c       loops (long), loop-ull.c (unsigned long long), iter.c their iterations,
		  ordered.c, doacross.c
     critical.c   critical, atomic
     lock.c       omp_*_lock
     task.c ...   explicit tasks, task-depend.c, taskgroup.c, taskloop.c, reduction.c
     cancel.c     cancellation
     icv.c        ICVs and other omp_* queries; fortran.c their Fortran forms
     alloc.c      blocks of allocators, allocator.c their traits, pool.c low-latency memory
     affinity.c   the affinity format and what it displays
     interop.c    queries of interop objects, and of devices' identities
     time.c       the clock
     indirect.c   functions that are called through pointers of the host
     message.c    error, warning, and how the library says something
     target.c     constructs that device code contains but does not execute
     cxx.c        what C++ programs need besides
     reverse.c    calls of the host; service.c what else is asked of it

   Invariants
   1. Public functions are called by all lanes of a thread together, but for queries, which may come from
      single lanes of simd code: those contain no warp-wide instruction and publish no address of
      a local.
   2. struct accel_thread of a thread is written by that thread only.
   3. struct accel_team of the active region is written by its thread 0 before the others start;
      fields that change later have names that begin with x and are accessed atomically.
   4. A thread's record says everything about the innermost region it is in.  Whoever enters a
      nested region or a task saves it on its stack and restores it (thread 0 of the active region:
      in accel_block.saved).
   5. Nothing waits for another block, but for blocks that have begun the teams before its own (order.c).
   6. What is in the block's shared memory has no value before gomp_nvptx_main gives it one: thread 0 what
      belongs to the block, each thread its own record.  */

#ifndef GOMPX_ACCEL_H
#define GOMPX_ACCEL_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine.h"
#include "device-abi.h"

#pragma omp declare target
/* Of the device's C library, whose headers are not at hand.  */
extern void *malloc (size_t);
extern void free (void *);
#pragma omp end declare target

#define ACCEL_UNUSED __attribute__ ((unused))
#define ACCEL_WORKS 4u		/* worksharing constructs of a team that may be under way at a time */
#define ACCEL_DOACROSS_WINDOW 64u	/* blocks of a doacross loop that are under way, loop.h */
#define ACCEL_SCRATCH 2048u	/* bytes of memory that come with each of them, in two halves */

typedef unsigned long long accel_u64;

/* Hardware barriers: the block's (regions begin), the team's, the one of copyprivate.  */
enum { ACCEL_BARRIER_BLOCK = 0, ACCEL_BARRIER_TEAM = 1, ACCEL_BARRIER_COPY = 2 };

/* omp_sched_t, and what entry points with a schedule argument add to it.  */
enum
{
  ACCEL_SCHED_RUNTIME = 0,
  ACCEL_SCHED_STATIC = 1,
  ACCEL_SCHED_DYNAMIC = 2,
  ACCEL_SCHED_GUIDED = 3,
  ACCEL_SCHED_AUTO = 4,
  ACCEL_SCHED_KIND_MASK = 7
};

/* ICVs of a data environment.  An implicit task begins with those that its region was met with, which it
   shares with its team (accel_thread.icv == accel_team.icv); before it changes one it copies them to
   accel_thread.own_icv and goes on with the copy (accel_icv_own).  So the shared ones never change, and
   last as long as the region does.  */
struct accel_icv
{
  int nthreads;			/* nthreads-var; 0: as many as the block has */
  int max_active_levels;
  unsigned schedule;		/* run-sched-var, as omp_sched_t */
  int chunk;
  uint64_t allocator;		/* def-allocator-var, omp_allocator_handle_t */
  int thread_limit;		/* thread-limit-var; 0: as many as the block has */
  int dynamic;			/* dyn-var */
};

struct accel_doacross;
struct accel_team;
struct accel_depend_table;
struct accel_task;
struct accel_taskgroup;

/* How the iterations of a loop are handed out.  */
enum accel_kind
{
  ACCEL_WORK_ALONE,		/* a team of one: block after block */
  ACCEL_WORK_STATIC,		/* one block a thread */
  ACCEL_WORK_STATIC_CHUNK,
  ACCEL_WORK_DYNAMIC,		/* fewer than 2^31 blocks; sections too */
  ACCEL_WORK_DYNAMIC_WIDE,
  ACCEL_WORK_GUIDED
};

/* A worksharing construct that a team is executing.  Threads meet them in the same order and count
   them (accel_thread.works); construct number n uses descriptor n modulo ACCEL_WORKS.  A team of
   one thread has a single descriptor, and no numbers.

   Iterations are numbered 0 .. count-1; number k has the value start + k * incr modulo 2^64,
   which serves signed and unsigned loops alike.  */
struct accel_work
{
  unsigned xserial;		/* 2 * number + 1: ready; 2 * number: one thread fills it in */
  unsigned xleft;		/* threads that are not through with it yet; 0: free */
  /* Constant while it is ready.  */
  unsigned kind;		/* enum accel_kind */
  unsigned ordered;		/* loop.h */
  unsigned allocated;		/* what of it came from malloc: ACCEL_ALLOCATED_* */
  accel_u64 start, end, incr;
  accel_u64 count;		/* iterations */
  accel_u64 chunk;		/* iterations in a block */
  accel_u64 blocks;
  accel_u64 stride;		/* chunk * incr */
  void *memory;			/* zeroed memory that the program asked for; NULL: none */
  struct accel_doacross *doacross;	/* loop.h; NULL: there is no order to keep */
  void *reductions;		/* task reductions, reduction.c; threads take it over when they enter */
  /* State.  */
  union
  {
    accel_u64 xtaken;		/* iterations or, dynamic, blocks handed out */
    unsigned xtaken32;		/* ACCEL_WORK_DYNAMIC: blocks */
  };
  accel_u64 xturn;		/* ordered: first iteration of the block whose turn it is */
};

struct accel_team
{
  unsigned num_threads;
  unsigned level;		/* nesting level of the region: number of enclosing parallel regions, itself too */
  unsigned active_level;	/* 1 if this or an enclosing region has more than one thread */
  unsigned plain;		/* accel_thread.plain of its threads */
  unsigned parent_num;		/* omp_get_ancestor_thread_num (level - 1) */
  struct accel_team *parent;	/* of the enclosing region; NULL: the initial team */
  struct accel_icv *icv;	/* what its implicit tasks begin with */
  struct accel_work *works;	/* ACCEL_WORKS of them, one if num_threads is 1 */
  struct accel_work *first_work;	/* the construct that the region begins with, or NULL */
  unsigned works_base, singles_base;	/* what threads count on from */
  void *copy_data;		/* single copyprivate: written by one thread, read after a barrier */
  unsigned xsingles;		/* single constructs that some thread has taken */
  /* The barrier with tasks (barrier-wait.c): threads that have come, barriers passed; [1]: that at the end of
     the region.  The region's begin does not reset xphase.  */
  unsigned xarrived[2], xphase[2];
  unsigned xcancelled;		/* which constructs (bits of GOMP_cancel) are: cancel.c, barrier-wait.c */
  /* Tasks (task.h).  */
  unsigned xtasks;		/* deferred tasks that are not complete */
  unsigned xdetached;		/* those of them that have an event */
  unsigned xextra;		/* tasks in extra, which is under accel_tasks.xlock */
  struct accel_task *extra;	/* ready tasks that are not in a slot, or whose team has one thread */
  void *reductions;		/* GOMP_parallel_reductions: the array, or NULL; reduction.c */
};

/* One thread of the block.  The first four say what queries and barriers want to know.  */
struct accel_thread
{
  unsigned num;			/* omp_get_thread_num */
  unsigned num_threads;		/* omp_get_num_threads */
  unsigned plain;		/* threads whose barrier the hardware does; 0: barrier-wait.c, the long way */
  unsigned singles;		/* single constructs met */
  /* What a new task's record begins with, in the same order: task.h.  Parent, its serial number (0: an
     implicit task) and root have no value before accel_task_settle.  */
  uintptr_t parent;		/* the record that is the parent of the children of the task that it executes */
  unsigned parent_serial;
  unsigned root;		/* the number of the thread whose implicit task they descend from */
  struct accel_taskgroup *taskgroup;	/* innermost of the task that it executes, or NULL */
  struct accel_team *team;	/* innermost; never NULL */
  struct accel_icv *icv;	/* of the task it executes */
  struct accel_icv *own_icv;	/* where that has room for its own */
  struct accel_work *work;	/* the worksharing construct it is in, or met last; or NULL */
  unsigned works;		/* worksharing constructs met */
  accel_u64 trip;		/* static: blocks taken */
  accel_u64 first, next;	/* ordered, doacross: its block; equal: none */
  struct accel_task *task;	/* the explicit task it executes, or NULL */
  struct accel_task *implicit;	/* the implicit task's record, NULL: it needs none so far; task.h */
  unsigned final;		/* omp_in_final */
  unsigned nested;		/* bodies of explicit tasks of the region on its stack */
  /* Children of the task that it executes; without a value before accel_task_settle.  */
  unsigned created, done;	/* how many it has generated; how many of these this thread has completed */
  struct accel_depend_table *table;	/* their dependences, or NULL */
#ifdef MACHINE_NEAR
  unsigned near_dynamic;	/* near address of work, if that is ACCEL_WORK_DYNAMIC and in the block's memory; or 0 */
  unsigned reserved;
#endif
};

/* What workers need to begin a region.  Two take turns: a worker that had no part in a region may read
   its record late, but it has come to the barrier before the region after the next can begin.  */
struct accel_launch
{
  void (*fn) (void *);
  void *data;
  unsigned num_threads;		/* 0: the kernel ends */
};

/* What task-queue.c knows of the block: slots for task records and the queue of ready tasks; task.h.  */
struct accel_tasks
{
  unsigned xready[ACCEL_MAX_THREADS];	/* slots of each thread that hold ready tasks */
  unsigned xgiven[ACCEL_MAX_THREADS];	/* slots that others have given back */
  unsigned xdone[ACCEL_MAX_THREADS];	/* children of implicit tasks of the active region complete elsewhere */
  unsigned free[ACCEL_MAX_THREADS];	/* free slots; each thread's own */
  unsigned serial[ACCEL_MAX_THREADS];	/* records that each thread has used */
  char *arena[ACCEL_MAX_THREADS];	/* the slots; constant */
  unsigned xlock;
  struct accel_task *extra_free;	/* unused extra records, under xlock */
};

/* The same of a thread that does something else for a while.  */
struct accel_children
{
  uintptr_t parent;
  struct accel_depend_table *table;
  unsigned nested, created, done, parent_serial, root;
};

/* What thread 0 saves of its record while it is in the active region.  It was the only thread of its team,
   which has no use for counts of constructs; the region's team knows the rest.  */
struct accel_saved
{
  struct accel_icv *own_icv;
  struct accel_work *work;
  accel_u64 trip;
  struct accel_task *task, *implicit;
  struct accel_taskgroup *taskgroup;
  unsigned final;
  struct accel_children children;	/* if one of task and implicit is not NULL; otherwise it has none */
};

#ifdef MACHINE_LANE_REGIONS
/* Lanes of the block that take a lock of the device in turn (ticket.h).  Zeros: nobody.  */
struct accel_cohort
{
  unsigned xdrawn, xserved;	/* numbers: of who comes next, of who has it */
  unsigned held;		/* the block has the lock of the device, and how often it was handed on, plus 1;
				   the holder's */
  unsigned xturn;		/* lanes of a warp have taken it together: the thread whose turn it is, plus 1; or 0 */
};

/* A lane region (nvptx/lanes-abi.h), or nothing.  Thread 0 writes it before the region begins.  */
#define ACCEL_NAMES 4u
struct accel_lanes
{
  void (*kernel) (void *);	/* what the kernel runs; the same from all threads, at the start */
  void (*fn) (void *);		/* what each lane runs */
  unsigned threads;		/* lanes that do */
  unsigned plain;		/* they need no record */
  struct accel_cohort critical, atomic;	/* all threads make them zeros, at the start */
  /* Frames of the initial thread outside of the region: where the first one ends, the address of the last one, and how many
     bytes from there an access of 16 bytes may begin in.  Nobody but the block may use them.  */
  accel_u64 top, low, room;
  struct accel_cohort names[ACCEL_NAMES];	/* of critical constructs in kernels without the library */
};
#endif

/* Parts of reductions are added in the order of threads and teams: order.c.  */
struct accel_order
{
  unsigned xturn;		/* the thread of the active region whose turn it is */
  unsigned cell;		/* number of accel_order_cells of the launch; 0: teams have no order */
  unsigned waited;		/* all teams before this one have been waited for; of the thread whose turn it is, or the initial one */
};

/* What the shared memory of a block holds.  */
struct accel_block
{
  struct accel_thread threads[ACCEL_MAX_THREADS];
  struct accel_launch launches[2];
  struct accel_team initial;	/* outside parallel regions: one thread */
  struct accel_team team;	/* the active parallel region */
#ifdef MACHINE_NEAR		/* with a short offset */
  struct accel_tasks tasks;
  unsigned cancellation;	/* gompx_plugin.cancellation */
  unsigned xcritical;		/* as below */
#endif
  struct accel_work initial_work;
  struct accel_work works[ACCEL_WORKS];	/* of team */
#ifdef MACHINE_COPIES
  struct accel_thread start;	/* what the active region's threads begin with, but num and own_icv */
  struct accel_thread saved_thread;	/* thread 0's record while it is in the active region */
#else
  struct accel_saved saved;	/* of thread 0 while it is in the active region */
#endif
  /* The ICVs of the initial task, where it has room for its own, and thread 0 in the active region.  */
  struct accel_icv initial_icv, initial_own_icv, master_icv;
  unsigned team_num, num_teams;	/* omp_get_team_num, omp_get_num_teams */
  unsigned tasking;		/* barriers look for tasks or cancellation: gompx_tasking, gompx_plugin, the launch word */
  unsigned turn;		/* which of launches is next; thread 0's */
#ifndef MACHINE_NEAR
  unsigned xcritical;		/* critical.c: somebody is in it, in a kernel of one block */
#endif
  uint64_t word;		/* the launch word, device-abi.h */
  accel_u64 xowner;		/* lock.c: the block's number; 0: it has none yet */
  unsigned xpool_lock;		/* pool.c: of what follows, and of the pool */
  unsigned pool_state;		/* 0: nobody has used the pool */
  unsigned pool_free;		/* where its first free piece is */
  char *scratch;		/* ACCEL_SCRATCH bytes for each of works, and for initial_work */
#ifdef MACHINE_NEAR_DOACROSS
  /* Memory for one doacross loop of up to four levels at a time, which is nearer than scratch: struct
     accel_doacross.  */
  unsigned xdoacross_used;
  accel_u64 doacross[2 + ACCEL_DOACROSS_WINDOW + 3];
#endif
#ifndef MACHINE_NEAR
  struct accel_tasks tasks;
#endif
  struct accel_order order;	/* without a value before gompx_order_begin */
#ifdef MACHINE_LANE_REGIONS
  unsigned procs;		/* omp_get_num_procs: warps, or lanes where a kernel has lane regions */
  struct accel_lanes lanes;
#endif
};

#pragma omp declare target

static inline struct accel_block *
accel_block (void)
{
  return machine_shared ();
}

static inline struct accel_thread *
accel_self (void)
{
#ifdef MACHINE_OWN
  return machine_own (offsetof (struct accel_block, threads), sizeof (struct accel_thread));
#else
  return &accel_block ()->threads[machine_thread ()];
#endif
}

/* A field of 32 bits of the calling thread's record, of the block: the fast way.  */
#define accel_self_field(FIELD) \
  machine_own32 (sizeof (struct accel_thread), offsetof (struct accel_thread, FIELD))
#define accel_block_field(FIELD) machine_shared32 (offsetof (struct accel_block, FIELD))

/* ---- start.c ---- */

/* What the plugin told (device-abi.h), and the ICVs that GCC's plugin also writes: device number, default
   device, teams, thread limit of teams.  */
extern struct gompx_plugin gompx_plugin;
extern int __gomp_additional_icvs[4];

/* Whether the image has tasks: 0 in start.c (weak), 1 in task-queue.c.  */
extern unsigned gompx_tasking;
/* Whether barriers can wait for tasks and look at cancellation: 0 in start.c (weak), 1 in barrier-wait.c.  */
extern unsigned gompx_waiting;
/* What each thread gets of its stack for task records when the kernel starts: 0 bytes in start.c (weak),
   as many as it likes in task-queue.c.  The thread gives the arena (aligned to 16) to accel_task_start when
   it has no team yet.  If SIZE is 0 tasks get no slots: there is no arena, or nothing in the kernel makes tasks.  */
extern unsigned gompx_task_arena;
void accel_task_start (void *arena, unsigned size);

/* ---- barrier.c, barrier-wait.c ---- */

/* Does nothing: who can make barriers wait for more than threads calls it, so that barrier-wait.c is
   linked.  */
void accel_barrier_waits (void);

/* The barrier of SELF's innermost team, where the hardware cannot do it; all its tasks are finished
   behind it.  The weak ones in barrier.c do nothing.  */
void accel_barrier_long (struct accel_thread *self);
/* The same at the region's end: a cancelled region's threads come here too.  */
void accel_barrier_end_long (struct accel_thread *self);
/* True: the region was cancelled.  */
bool accel_barrier_cancel (struct accel_thread *self);

static inline void
accel_barrier_end (struct accel_thread *self)
{
  if (self->plain)
    machine_barrier (ACCEL_BARRIER_TEAM, self->plain);
  else
    accel_barrier_end_long (self);
}

static inline void
accel_barrier (struct accel_thread *self)
{
  if (self->plain)
    machine_barrier (ACCEL_BARRIER_TEAM, self->plain);
  else
    accel_barrier_long (self);
}

/* In task-queue.c; the weak ones in barrier-wait.c have nothing to do.  Execute a task of SELF's team that is ready;
   false: there is none.  Called in barriers when team->xtasks is not 0.  */
bool accel_task_run (struct accel_thread *self);
/* SELF has passed the barrier at its region's end, and self->implicit is not NULL.  */
void accel_task_leave (struct accel_thread *self);

/* ---- parallel.c ---- */

/* Keep what SELF, thread 0, knows of its task's children while it is in the active region, in accel_block.saved;
   BACK: restore it.  In barrier-wait.c; the weak one in parallel.c does nothing.  */
void accel_children_keep (struct accel_thread *self, bool back);

/* What a region of one thread needs, on the stack of that thread.  */
struct accel_serial
{
  struct accel_team team;
  struct accel_work work;
  struct accel_thread saved;
  struct accel_icv own_icv;
};

/* The threads of a region that SELF meets with this num_threads clause (0: none), where each of the block's
   threads could be EACH of the region.  */
static inline unsigned
accel_region_size (struct accel_thread *self, unsigned num_threads, unsigned each)
{
  const struct accel_icv *icv = self->icv;
  int active = self->team->active_level;
  int most_active = icv->max_active_levels, limit = icv->thread_limit, wanted = icv->nthreads;
  if (num_threads == 1 || active > 0 || active >= most_active)
    return 1;

  unsigned n = num_threads ? num_threads : (unsigned) wanted;
  unsigned most = machine_threads () * each;
  if (limit > 0 && (unsigned) limit < most)
    most = limit;
  return n == 0 || n > most ? most : n;
}

/* The same, of a region whose threads are the block's.  */
unsigned accel_team_size (struct accel_thread *self, unsigned num_threads);
/* Run a region of N > 1 threads, as accel_team_size has said.  Between the two calls the caller may set
   first_work (started by accel_work_first) and reductions of the team, which begin returns.  */
struct accel_team *accel_active_begin (struct accel_thread *self, unsigned n);
void accel_active_run (struct accel_thread *self, void (*fn) (void *), void *data);
/* The two ends of accel_active_run; between them, SELF is thread 0 of the region.  */
void accel_active_fork (struct accel_thread *self, void (*fn) (void *), void *data);
void accel_active_join (struct accel_thread *self);
/* The same for one thread.  */
struct accel_team *accel_serial_begin (struct accel_thread *self, struct accel_serial *);
void accel_serial_run (struct accel_thread *self, struct accel_serial *, void (*fn) (void *),
		       void *data);

static inline void
accel_children_save (const struct accel_thread *self, struct accel_children *children)
{
  uintptr_t parent = self->parent;
  struct accel_depend_table *table = self->table;
  unsigned nested = self->nested, created = self->created, done = self->done;
  unsigned parent_serial = self->parent_serial, root = self->root;

  children->parent = parent;
  children->table = table;
  children->nested = nested;
  children->created = created;
  children->done = done;
  children->parent_serial = parent_serial;
  children->root = root;
}

static inline void
accel_children_restore (struct accel_thread *self, const struct accel_children *children)
{
  uintptr_t parent = children->parent;
  struct accel_depend_table *table = children->table;
  unsigned nested = children->nested, created = children->created, done = children->done;
  unsigned parent_serial = children->parent_serial, root = children->root;

  self->parent = parent;
  self->table = table;
  self->nested = nested;
  self->created = created;
  self->done = done;
  self->parent_serial = parent_serial;
  self->root = root;
}

/* SELF's task has no children and no record.  */
static inline void
accel_children_none (struct accel_thread *self)
{
  self->parent = 0;
  self->table = NULL;
  self->nested = 0;
  self->created = 0;
  self->done = 0;
}

/* SELF is in a region of TEAM now, as thread NUM.  OWN_ICV: room.  */
static inline void
accel_region_enter (struct accel_thread *self, struct accel_team *team, unsigned num,
		    struct accel_icv *own_icv)
{
  /* All loads before all stores, which the compiler does not know to be elsewhere.  */
  unsigned n = team->num_threads, plain = team->plain;
  unsigned singles = team->singles_base, works = team->works_base;
  struct accel_icv *icv = team->icv;
  struct accel_work *work = team->first_work;

  self->num = num;
  self->num_threads = n;
  self->plain = plain;
  self->singles = singles;
  self->team = team;
  self->icv = icv;
  self->own_icv = own_icv;
  self->work = work;
  self->works = works;
  self->trip = 0;
  self->first = 0;
  self->next = 0;
  self->task = NULL;
  self->taskgroup = NULL;
  self->implicit = NULL;
  self->final = 0;
#ifdef MACHINE_NEAR
  self->near_dynamic = 0;
#endif
  accel_children_none (self);
}

#ifdef MACHINE_COPIES
/* Words of a record, for machine_copy: those of a field, and all.  */
# define ACCEL_WORDS_OF(FIELD)							\
  (((UINT64_C (1) << sizeof (((struct accel_thread *) 0)->FIELD) / 4) - 1)	\
   << offsetof (struct accel_thread, FIELD) / 4)
# define ACCEL_ALL_WORDS ((UINT64_C (1) << sizeof (struct accel_thread) / 4) - 1)

/* SELF, whose num and own_icv are those in the active region, is in it now.  */
static inline void
accel_active_enter (struct accel_block *block, struct accel_thread *self)
{
  machine_copy (self, &block->start,
		ACCEL_ALL_WORDS & ~(ACCEL_WORDS_OF (num) | ACCEL_WORDS_OF (own_icv)));
}
#endif

/* A record as a whole.  Regions of one thread need it, which are rare: so it is short, not fast.  */
static inline void
accel_thread_copy (struct accel_thread *to, const struct accel_thread *from)
{
#ifdef MACHINE_COPIES
  machine_copy (to, from, ACCEL_ALL_WORDS);
#else
  typedef accel_u64 __attribute__ ((may_alias)) word;
  _Static_assert (sizeof (*to) % sizeof (word) == 0, "records are whole words");
  /* volatile: it is to stay a loop.  */
  volatile word *out = (volatile word *) to;
  const volatile word *in = (const volatile word *) from;
  for (unsigned i = 0; i < sizeof (*to) / sizeof (word); i++)
    {
      machine_rare_loop ();
      out[i] = in[i];
    }
#endif
}

/* Structures are initialised by field: the compiler would call memset.
   A team that was never used; num_threads, level and parent are for the caller.  */
static inline void
accel_team_init (struct accel_team *team, struct accel_icv *icv, struct accel_work *works)
{
  team->active_level = 0;
  team->plain = 0;
  team->parent_num = 0;
  team->icv = icv;
  team->works = works;
  team->first_work = NULL;
  team->works_base = 0;
  team->singles_base = 0;
  team->copy_data = NULL;
  team->xsingles = 0;
  team->xarrived[0] = team->xarrived[1] = 0;
  team->xphase[0] = team->xphase[1] = 0;
  team->xcancelled = 0;
  team->xtasks = 0;
  team->xdetached = 0;
  team->xextra = 0;
  team->extra = NULL;
  team->reductions = NULL;
}

/* No construct of the ring WORKS is under way; number -ACCEL_WORKS + i was the last of
   descriptor i.  */
static inline void
accel_works_reset (struct accel_work *works)
{
  for (unsigned i = 0; i < ACCEL_WORKS; i++)
    {
      works[i].xserial = 2 * (i - ACCEL_WORKS) + 1;
      works[i].xleft = 0;
    }
}

/* ---- work.c ---- */

/* SELF meets a worksharing construct, and is in it then.  ACCEL_FIRST is added to the descriptor's address if it is
   the first of its team to do so: it fills in the descriptor and calls accel_work_ready.  NULL: the region
   was cancelled.  (A result in memory would be in global memory, which is far.)  */
#define ACCEL_FIRST 1u
uintptr_t accel_work_meet (struct accel_thread *self);
void accel_work_ready (struct accel_thread *self, struct accel_work *);

static inline struct accel_work *
accel_work_of (uintptr_t met)
{
  return (struct accel_work *) (met & ~(uintptr_t) ACCEL_FIRST);
}

/* SELF is through with the construct it is in.  */
void accel_work_leave (struct accel_thread *self);
/* The descriptor of the construct that a region of TEAM, which has not begun, begins with; the caller
   fills it in.  */
struct accel_work *accel_work_first (struct accel_team *team);
/* SIZE zeroed bytes that live as long as the construct does; they become D's memory or doacross.  */
enum { ACCEL_ALLOCATED_MEMORY = 1, ACCEL_ALLOCATED_DOACROSS = 2, ACCEL_ALLOCATED_NEAR = 4 /* it is block->doacross */ };
void *accel_work_memory (struct accel_work *d, unsigned which, uint64_t size);

/* ---- reduction.c ---- */

/* Task reductions of a worksharing construct.  The first of its N threads makes the storage; what this
   returns is D's reductions, and every thread enters with its own copy of the compiler's array.  */
void *accel_reduction_new (struct accel_thread *self, uintptr_t *array, unsigned n);
void accel_reduction_enter (struct accel_thread *self, void *reductions, uintptr_t *array);
/* Of a parallel region of N threads, before it begins; ARRAY becomes its team's reductions.  */
void accel_reduction_parallel (uintptr_t *array, unsigned n);

/* ---- reduction.c ---- */

/* Task reductions of a worksharing construct.  The first of its N threads makes the storage; what this
   returns is D's reductions, and every thread enters with its own copy of the compiler's array.  */
void *accel_reduction_new (struct accel_thread *self, uintptr_t *array, unsigned n);
void accel_reduction_enter (struct accel_thread *self, void *reductions, uintptr_t *array);
/* Of a parallel region of N threads, before it begins; ARRAY becomes its team's reductions.  */
void accel_reduction_parallel (uintptr_t *array, unsigned n);

/* ---- icv.c ---- */

/* Before SELF's task changes an ICV: where.  */
static inline struct accel_icv *
accel_icv_own (struct accel_thread *self)
{
  if (self->icv != self->own_icv)
    {
      struct accel_icv *own = self->own_icv;
      const struct accel_icv *shared = self->icv;
      own->nthreads = shared->nthreads;
      own->max_active_levels = shared->max_active_levels;
      own->schedule = shared->schedule;
      own->chunk = shared->chunk;
      own->allocator = shared->allocator;
      own->thread_limit = shared->thread_limit;
      own->dynamic = shared->dynamic;
      self->icv = own;
    }
  return self->icv;
}

#pragma omp end declare target

#endif /* GOMPX_ACCEL_H */
