/* task.h -- explicit tasks on the device: what task*.c, taskgroup.c, taskloop.c, reduction.c,
   cancel.c share.

   Life of a task that is deferred

     new       a record and room for its arguments, copied by memcpy or by the compiler's function
     waiting   for predecessors (task-depend.c), or not at all
     ready     in the queue (task-queue.c)
     running   in one thread, from the start to the end of its body; untied tasks, too
     ended     its body is over; it may wait for its event (detach)
     complete  successors are released, parent and taskgroup know, the record is free

   Included tasks (if, final, teams of one thread, no record to be had) run on the stack of the
   thread that meets them, with a record there.  Such a record moves to a slot before the task
   gets a child that is deferred (accel_task_settle).

   Memory.  Each thread has an arena, taken off its soft stack when the kernel starts: ACCEL_SLOTS
   slots of ACCEL_SLOT bytes.  A slot holds a record with what belongs to it, if that fits; or
   arguments, a taskgroup, a dependence table.  Slots are what bounds the queue: without one a
   task runs at once, after its predecessors.  Only where that might wait for an event that the
   same thread would fulfil later, a record comes from the device's heap (extra tasks).

   The queue is one word a thread in shared memory (xready): bit I says that the task in the
   thread's slot I is ready, and whoever takes the bit away has the task.  What is ready and not
   in a slot, or belongs to a team of one thread, is in a list of the team instead (extra).

   Counting.  The thread that runs a task counts its children (accel_thread.created) and those
   that it runs itself while the task waits (done); children that end elsewhere or later are
   counted in xdone.  A child must not touch a parent that is over, so xdone has the parent's
   serial number in its upper half, which changes when the record is free: the addition is a
   compare-and-swap.  Implicit tasks outlast their children, so there it is an addition, in shared
   memory if the region is active.  A taskgroup has one count.

   Why so: on a GPU a load takes 50 cycles, one from memory that is not shared and that must see
   what others write 300, an atomic operation 160 to 600 if its result is used and next to nothing
   if it is not.  So what a thread needs of the task that it executes is in shared memory
   (accel_thread), what a task's end needs is read once, before the body runs, and who counts does
   not look at the count.

   Invariants
   1. A record's memory, in a slot or extra, stays until the region is over, and the three words
      at its beginning are never used for anything else (ACCEL_SLOT_HEAD).  The serial number in
      xdone changes when the task is complete, before anything else of the memory does, so stale
      pointers are noticed.
   2. parent, serials, fn, data, group of a task are written before it is ready by the thread that
      made it, and do not change then.
   3. A thread writes only its own slots' records when it makes a task, so it may read those
      fields of its own ready tasks without having taken them.
   4. Constraint: a thread that is suspended in a task, but not in a barrier, starts only
      descendants of that task.
   5. team->xtasks counts deferred tasks that are not complete; it is the last thing of its team
      that a task touches.  A team's barriers wait until it is zero.
   6. What belongs to dependences is under the block's xlock; nothing waits while it holds it.  */

#ifndef GOMPX_ACCEL_TASK_H
#define GOMPX_ACCEL_TASK_H 1

#include "accel.h"

/* Flags of GOMP_task and GOMP_taskloop.  */
enum
{
  ACCEL_TASK_UNTIED = 0x1,
  ACCEL_TASK_FINAL = 0x2,
  ACCEL_TASK_MERGEABLE = 0x4,
  ACCEL_TASK_DEPEND = 0x8,
  ACCEL_TASK_PRIORITY = 0x10,
  ACCEL_TASK_UP = 0x100,
  ACCEL_TASK_GRAINSIZE = 0x200,
  ACCEL_TASK_IF = 0x400,
  ACCEL_TASK_NOGROUP = 0x800,
  ACCEL_TASK_REDUCTION = 0x1000,
  ACCEL_TASK_DETACH = 0x2000,
  ACCEL_TASK_STRICT = 0x4000
};

/* GOMP_cancel's first argument, and the bits of accel_team.xcancelled.  */
enum
{
  ACCEL_CANCEL_PARALLEL = 1,
  ACCEL_CANCEL_LOOP = 2,
  ACCEL_CANCEL_SECTIONS = 4,
  ACCEL_CANCEL_TASKGROUP = 8
};

#define ACCEL_SLOT 256u		/* bytes */
#define ACCEL_SLOT_HEAD 32u	/* those at its beginning that only records use */
#define ACCEL_NO_SLOT (~0u)

typedef void (*accel_copy_fn) (void *, void *);

/* An address that a task depends on, and how; in the table of its parent.  Under xlock.  */
struct accel_depend_node
{
  void *address;		/* NULL: omp_all_memory */
  struct accel_task *task;
  struct accel_depend_node *newer, *older;	/* of the same bucket */
  unsigned kind;
  unsigned serial;		/* which of its parent's tasks with dependences */
};

/* What is out of the ordinary with a task: what its end has to do.  */
enum
{
  ACCEL_TASK_EVENT = 1,		/* it has an event */
  ACCEL_TASK_NODES = 2,		/* it has dependences */
  ACCEL_TASK_MEMORY = 4,	/* its data is not in the record */
  ACCEL_TASK_COPIED = 8		/* data made by a copy function: it runs when cancelled, too */
};

struct accel_task
{
  /* The head: invariant 1.  All but xdone is constant once it is ready, as is what follows.  */
  accel_u64 xdone;		/* serial << 32 | children complete elsewhere */
  accel_u64 xparent;		/* the generating task's record */
  unsigned xparent_serial;	/* 0: it is an implicit one */
  unsigned root;		/* number of the thread whose implicit task it descends from */
  struct accel_taskgroup *group;	/* that it belongs to, or NULL */

  struct accel_team *team;
  struct accel_icv *icv;
  void (*fn) (void *);
  void *data;
  unsigned serial;		/* as in xdone */
  unsigned slot;		/* 32 * thread + number, or ACCEL_NO_SLOT: an extra one */
  unsigned flags;		/* ACCEL_TASK_EVENT ... */
  unsigned data_slot;		/* MEMORY: where its data is, or ACCEL_NO_SLOT */
  unsigned nnodes;		/* NODES */
  void *data_memory;		/* MEMORY, ACCEL_NO_SLOT: the same from the heap */

  /* Its own dependences, under xlock.  */
  struct accel_depend_table *siblings;
  struct accel_depend_node *nodes;
  unsigned xwaits;		/* nodes of others that it waits for */

  unsigned xevent;		/* ACCEL_EVENT bits */
  struct accel_task *next;	/* in a list: extra (under xlock) or of one thread */
  void *blocks;			/* implicit: storage of reductions, freed at the region's end */
  accel_u64 reserved;		/* arguments behind it are aligned to 16 */
};
_Static_assert (sizeof (struct accel_task) % 16 == 0, "alignment of what is behind a record");

/* The event of a detached task.  Who sets the second of the bits completes it.  */
enum
{
  ACCEL_EVENT_ENDED = 1,	/* the body is over */
  ACCEL_EVENT_FULFILLED = 2
};

struct accel_taskgroup
{
  struct accel_taskgroup *outer;
  uintptr_t *reductions;	/* arrays registered in it */
  unsigned xtasks;		/* that are not complete */
  unsigned xcancelled;
  unsigned workshare;		/* that of a worksharing construct's reductions */
  unsigned slot;		/* its memory */
};

/* Where handles of events have some of the record's serial number.  */
#define ACCEL_HANDLE_SHIFT 48

/* What a waiting thread waits for.  */
struct accel_wait
{
  enum
  {
    ACCEL_WAIT_CHILDREN,	/* of the current task, to be complete */
    ACCEL_WAIT_GROUP,		/* for group to be empty */
    ACCEL_WAIT_EVENT,		/* for *event to be fulfilled */
    ACCEL_WAIT_DEPEND		/* for the tasks that a task with the list depend would wait for */
  } what;
  struct accel_taskgroup *group;
  unsigned *event;
  void **depend;
  unsigned left;		/* DEPEND: see accel_depend_blocked */
};

#pragma omp declare target

static inline unsigned
accel_serial_of (accel_u64 xdone)
{
  return xdone >> 32;
}

/* SELF's task has a record.  */
static inline bool
accel_settled (const struct accel_thread *self)
{
  return self->task ? self->parent == (uintptr_t) self->task : self->implicit != NULL;
}

/* Children of implicit tasks of the active region are counted in shared memory, see
   accel_tasks.xdone.  */
static inline bool
accel_counts_shared (const struct accel_team *team)
{
  return team == &accel_block ()->team;
}

/* All children of SELF's task are complete.  */
static inline bool
accel_children_complete (const struct accel_thread *self)
{
  unsigned left = self->created - self->done;
  if (left == 0)
    return true;
  if (self->parent_serial == 0 && accel_counts_shared (self->team))
    return machine_load32 (&accel_block ()->tasks.xdone[self->num]) == left;
  const struct accel_task *record = (const struct accel_task *) self->parent;
  return (unsigned) machine_uniform_load64 (&record->xdone) == left;
}

/* ---- task-queue.c ---- */

/* Slots that others have given back to thread ME, 0: none.  */
unsigned accel_slots_back (unsigned me);

/* Slot I of thread OWNER, of a record; others stay behind the head.  */
static inline void *
accel_slot_address (unsigned owner, unsigned i)
{
  return accel_block ()->tasks.arena[owner] + i * ACCEL_SLOT;
}

/* A slot of the calling thread, or ACCEL_NO_SLOT.  */
static inline unsigned
accel_slot_take (void)
{
  unsigned me = machine_thread ();
  unsigned *free = &accel_block ()->tasks.free[me], have = *free;
  if (have == 0 && (have = accel_slots_back (me)) == 0)
    return ACCEL_NO_SLOT;
  *free = have & (have - 1);
  return 32 * me + __builtin_ctz (have);
}

/* The caller has made a fence after it was through with the slot.  */
static inline void
accel_slot_give (unsigned slot)
{
  struct accel_tasks *tasks = &accel_block ()->tasks;
  unsigned owner = slot / 32, bit = 1u << (slot % 32);
  if (owner == machine_thread ())
    tasks->free[owner] |= bit;
  else
    /* relaxed: the fence before.  */
    machine_atomic_or (&tasks->xgiven[owner], bit, __ATOMIC_RELAXED);
}

/* ACCEL_SLOT - ACCEL_SLOT_HEAD bytes, from the arena or the heap (*SLOT is ACCEL_NO_SLOT then);
   NULL: there are none.  */
void *accel_small_take (unsigned *slot);
void accel_small_give (void *, unsigned slot);

/* TASK is ready: any thread of its team may run it.  */
void accel_task_push (struct accel_task *task);
void accel_task_lock (void);
void accel_task_unlock (void);

/* A record from the heap; NULL: there is no memory.  */
struct accel_task *accel_extra_take (void);
void accel_extra_give (struct accel_task *);

/* A number that no record in use has, nor one that some pointer may be left to.  */
static inline unsigned
accel_new_serial (unsigned me)
{
  unsigned *count = &accel_block ()->tasks.serial[me], n = *count + 1;
  if (32 * n == 0)
    n++;
  *count = n;
  return 32 * n + me;
}

/* The record TASK, in SLOT, is free.  */
static inline void
accel_record_give (struct accel_task *task, unsigned slot)
{
  /* From here on children notice that it is over: no record has number 0.  */
  machine_uniform_store64 (&task->xdone, 0);
  machine_fence_block ();	/* before the memory is used for something else */
  if (slot != ACCEL_NO_SLOT)
    accel_slot_give (slot);
  else
    accel_extra_give (task);
}

/* ---- What a thread executes ---- */

#ifdef MACHINE_COPIES

struct accel_context
{
  struct accel_thread thread;
};

#define ACCEL_CONTEXT_WORDS								\
  (ACCEL_WORDS_OF (task) | ACCEL_WORDS_OF (taskgroup) | ACCEL_WORDS_OF (icv)		\
   | ACCEL_WORDS_OF (own_icv) | ACCEL_WORDS_OF (parent) | ACCEL_WORDS_OF (table)	\
   | ACCEL_WORDS_OF (final) | ACCEL_WORDS_OF (created) | ACCEL_WORDS_OF (done)		\
   | ACCEL_WORDS_OF (parent_serial) | ACCEL_WORDS_OF (root))

static inline void
accel_context_save (const struct accel_thread *self, struct accel_context *context)
{
  machine_copy (&context->thread, self, ACCEL_CONTEXT_WORDS);
}

static inline void
accel_context_restore (struct accel_thread *self, const struct accel_context *context)
{
  machine_copy (self, &context->thread, ACCEL_CONTEXT_WORDS);
}

#else

struct accel_context
{
  struct accel_task *task;
  struct accel_taskgroup *taskgroup;
  struct accel_icv *icv, *own_icv;
  uintptr_t parent;
  struct accel_depend_table *table;
  unsigned final, created, done, parent_serial, root;
};

static inline void
accel_context_save (const struct accel_thread *self, struct accel_context *context)
{
  context->task = self->task;
  context->taskgroup = self->taskgroup;
  context->icv = self->icv;
  context->own_icv = self->own_icv;
  context->parent = self->parent;
  context->table = self->table;
  context->final = self->final;
  context->created = self->created;
  context->done = self->done;
  context->parent_serial = self->parent_serial;
  context->root = self->root;
}

static inline void
accel_context_restore (struct accel_thread *self, const struct accel_context *context)
{
  self->task = context->task;
  self->taskgroup = context->taskgroup;
  self->icv = context->icv;
  self->own_icv = context->own_icv;
  self->parent = context->parent;
  self->table = context->table;
  self->final = context->final;
  self->created = context->created;
  self->done = context->done;
  self->parent_serial = context->parent_serial;
  self->root = context->root;
}

#endif

/* What must outlast a body is kept in memory, not in registers: those would be saved on the GPU's
   own stack, which is small, and tasks that wait run others on top of them.  */
#define ACCEL_IN_MEMORY(object) __asm__ volatile ("" : : "r" (&(object)) : "memory")

/* TASK, whose number is SERIAL, is the record of SELF's task; it has no children yet.  */
static inline void
accel_begin_parent (struct accel_thread *self, struct accel_task *task, unsigned serial,
		    unsigned root)
{
  self->created = 0;
  self->done = 0;
  self->parent = (uintptr_t) task;
  self->parent_serial = serial;
  self->root = root;
  self->table = NULL;
}

/* ---- task-run.c ---- */

/* Run one task that SELF may start while it waits so; false: none found.  */
bool accel_task_help (struct accel_thread *self, const struct accel_wait *wait);
/* Run tasks until it is over.  What the awaited tasks did is seen then.  */
void accel_task_wait (struct accel_thread *self, struct accel_wait *wait);
/* TASK's body is executed by SELF.  */
void accel_task_execute (struct accel_thread *self, struct accel_task *task);

/* ---- task.c ---- */

/* SELF's task has a record, for children that are deferred; false: no memory.  */
bool accel_task_settle (struct accel_thread *self);
/* A deferred task of SELF's current one with its arguments copied, not yet known to the queue, so
   the caller may change them; with room for NNODES dependences.  EVENT: NULL, or where its
   event's handle goes. EXTRA: it may take memory of the heap.  NULL: it has to run at once.  */
struct accel_task *accel_task_new (struct accel_thread *self, void (*fn) (void *), void *data,
				   accel_copy_fn, size_t size, size_t align, unsigned nnodes,
				   void *event, bool extra);
/* Run FN (DATA), with a copy if there is a copy function, as a task on SELF's stack.  */
void accel_task_include (struct accel_thread *self, void (*fn) (void *), void *data, accel_copy_fn,
			 size_t size, size_t align, bool final, void *event);

/* ---- task-depend.c ---- */

/* How many dependences DEPEND lists.  */
unsigned accel_depend_count (void **depend);
/* TASK, a new child of SELF's task with room for nodes, is in its table now.  True: it has to wait;
   false: it may run.  */
bool accel_depend_enter (struct accel_thread *self, struct accel_task *task, void **depend);
/* SELF's task has a table for its children, or gets one; false: no memory.  */
bool accel_depend_prepare (struct accel_thread *self);
/* Some child of SELF's task must be complete before one with DEPEND may start.  LEFT: NULL, or, for who waits
   for that, the nodes that were left at the last look, 0 at first: as long as there are as many, no child has left the table,
   and none comes while its parent waits, so that is known without the lock.  */
bool accel_depend_blocked (struct accel_thread *self, void **depend, unsigned *left);
/* TASK is complete.  A list of tasks that are ready now.  */
struct accel_task *accel_depend_leave (struct accel_task *task);
/* The parent of TABLE is over.  */
void accel_depend_end (struct accel_depend_table *table);

/* ---- taskgroup.c ---- */

struct accel_taskgroup *accel_taskgroup_enter (struct accel_thread *self);
/* Waits for its tasks.  */
void accel_taskgroup_leave (struct accel_thread *self);

/* ---- cancel.c ---- */

/* Tasks that are generated now in GROUP of TEAM, or are about to start, are dropped.  */
static inline bool
accel_cancelled_tasks (const struct accel_team *team, const struct accel_taskgroup *group)
{
  if (!gompx_plugin.cancellation)
    return false;
  if (machine_load32 (&team->xcancelled) & ACCEL_CANCEL_PARALLEL)
    return true;
  while (group && group->workshare)
    group = group->outer;
  return group && machine_load32 (&group->xcancelled);
}

/* ---- reduction.c ---- */

/* ARRAYS are registered for GROUP, SELF's innermost one.  */
void accel_reduction_register (struct accel_thread *self, struct accel_taskgroup *group,
			       uintptr_t *arrays);

#pragma omp end declare target

#endif /* GOMPX_ACCEL_TASK_H */
