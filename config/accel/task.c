/* task.c -- explicit tasks are made, or included; taskwait and taskyield.

   task.h has the design.  Called by compiled code; by taskloop.c for its tasks.

   Invariant: a record on the stack is known to its own thread only: no child, group or queue
   points to it, and of its fields only the event is used, whose handle is good until GOMP_task
   returns.  */

#include "message.h"
#include "task.h"

/* In teams of one thread, tasks run at once only as deep as this: one that generates the next one
   and ends would fill the stack.  */
#define DEPTH_AT_ONCE 16

/* Each thread's slot for the implicit task of the active region.  */
#define IMPLICIT_SLOT 31u

#define RARE __attribute__ ((noinline, cold))

#pragma omp declare target

extern void GOMP_task (void (*) (void *), void *, accel_copy_fn, long, long, bool, unsigned,
		       void **, int, void *);
extern void GOMP_taskwait (void);
extern void GOMP_taskyield (void);
extern void GOMP_taskwait_depend (void **);
extern void GOMP_taskwait_depend_nowait (void **);

/* ---- Records ---- */

/* The compiler would call memcpy for a plain loop.  */
static inline void
copy (void *to, const void *from, size_t size)
{
  if ((((uintptr_t) to | (uintptr_t) from) & 7) == 0)
    {
      uint64_t *t = to;
      const uint64_t *f = from;
      /* Loads first: each takes long, but not together.  */
      for (; size >= 32; size -= 32, t += 4, f += 4)
	{
	  uint64_t a = f[0], b = f[1], c = f[2], d = f[3];
	  t[0] = a;
	  t[1] = b;
	  t[2] = c;
	  t[3] = d;
	}
      for (; size >= 8; size -= 8)
	{
	  *t++ = *f++;
	  __asm__ volatile ("" : : : "memory");
	}
      to = t;
      from = f;
    }
  char *t = to;
  const char *f = from;
  for (; size > 0; size--)
    {
      *t++ = *f++;
      __asm__ volatile ("" : : : "memory");
    }
}

static inline uintptr_t
align_up (uintptr_t n, uintptr_t align)
{
  return (n + align - 1) & -align;
}

/* The record at TASK is used for a task from now on.  */
static inline void
begin_use (struct accel_task *task, unsigned slot)
{
  unsigned serial = accel_new_serial (machine_thread ());
  machine_uniform_store64 (&task->xdone, (accel_u64) serial << 32);
  task->serial = serial;
  task->slot = slot;
}

/* Barriers of the kernel wait for no tasks, as nothing in it was known to make any, and here is one that can't run at once.  */
static void RARE
unexpected (void)
{
  accel_fatal ("a task that waits for an event, in a region that was taken for one without tasks", 0, 0, "");
}

/* A record, from the heap if EXTRA is given and there is no slot.  */
static struct accel_task *
record_take (bool extra)
{
  unsigned slot = accel_slot_take ();
  struct accel_task *task;
  if (slot != ACCEL_NO_SLOT)
    task = accel_slot_address (slot / 32, slot % 32);
  else if (!extra || (task = accel_extra_take ()) == NULL)
    return NULL;
  begin_use (task, slot);
  return task;
}

static bool RARE
settle_slow (struct accel_thread *self)
{
  struct accel_block *block = accel_block ();
  unsigned me = machine_thread ();
  struct accel_task *task;

  if (self->task)
    {
      task = record_take (true);
      if (task == NULL)
	return false;
      machine_uniform_store64 (&task->xparent, self->parent);
      machine_store32 (&task->xparent_serial, self->parent_serial);
      accel_begin_parent (self, task, task->serial, self->root);
      self->task = task;
      return true;
    }
  if (accel_counts_shared (self->team))
    {
      if (gompx_task_arena == 0)
	return false;
      unsigned slot = 32 * me + IMPLICIT_SLOT;
      task = accel_slot_address (slot / 32, slot % 32);
      begin_use (task, slot);
      machine_store32 (&block->tasks.xdone[me], 0);
    }
  else if ((task = record_take (true)) == NULL)
    return false;
  task->blocks = NULL;
  machine_uniform_store64 (&task->xparent, 0);
  machine_store32 (&task->xparent_serial, 0);
  accel_begin_parent (self, task, 0, self->num);
  self->implicit = task;
  return true;
}

bool
accel_task_settle (struct accel_thread *self)
{
  return accel_settled (self) || settle_slow (self);
}

/* What belongs to TASK and has no room in its record: SIZE bytes at ALIGN for its arguments, NNODES
   nodes, ICVs; in another slot or on the heap.  */
static inline bool
make_room (struct accel_task *task, size_t size, size_t align, unsigned nnodes, bool icv,
	   unsigned *flags)
{
  size_t more = nnodes * sizeof (struct accel_depend_node) + (icv ? sizeof (struct accel_icv) : 0);
  uintptr_t start = (uintptr_t) (task + 1), end = (uintptr_t) task + ACCEL_SLOT;

  if (align < 8)
    align = 8;
  size = align_up (size, 8);
  if (align_up (start, align) + size + more > end)
    {
      size_t total = align - 1 + size + more;
      unsigned slot = ACCEL_NO_SLOT;
      if (total <= ACCEL_SLOT - ACCEL_SLOT_HEAD && (slot = accel_slot_take ()) != ACCEL_NO_SLOT)
	start = (uintptr_t) accel_slot_address (slot / 32, slot % 32) + ACCEL_SLOT_HEAD;
      else
	{
	  start = (uintptr_t) malloc (total);
	  if (start == 0)
	    return false;
	  task->data_memory = (void *) start;
	}
      task->data_slot = slot;
      *flags |= ACCEL_TASK_MEMORY;
    }
  start = align_up (start, align);
  task->data = (void *) start;
  start += size;
  task->nodes = (struct accel_depend_node *) start;
  task->icv = (struct accel_icv *) (start + nnodes * sizeof (struct accel_depend_node));
  return true;
}

/* The handle of TASK's event goes where the program looks for it: EVENT, and the first word of
   the arguments.  Handles have some of the serial number in the bits that addresses leave free,
   so that most wrong ones are noticed.  */
static inline void
make_event (struct accel_task *task, unsigned serial, void *event, void *data)
{
  uintptr_t handle = (uintptr_t) task | (uintptr_t) serial << ACCEL_HANDLE_SHIFT;
  machine_store32 (&task->xevent, 0);
  *(uintptr_t *) event = handle;
  if (data)
    *(uintptr_t *) data = handle;
}

/* TASK is a new child of SELF's task.  */
static inline void
begin_task (struct accel_thread *self, struct accel_team *team, struct accel_task *task,
	    void (*fn) (void *), unsigned flags)
{
  struct accel_taskgroup *group = self->taskgroup;
  machine_uniform_store64 (&task->xparent, self->parent);
  machine_store32 (&task->xparent_serial, self->parent_serial);
  task->root = self->root;
  task->fn = fn;
  task->team = team;
  task->group = group;
  task->flags = flags;

  self->created++;
  if (group)
    /* relaxed: this thread sees it before it waits, or completes the task that it executes.  */
    machine_atomic_add (&group->xtasks, 1, __ATOMIC_RELAXED);
  /* relaxed: it goes down only when the task is complete.  */
  machine_atomic_add (&team->xtasks, 1, __ATOMIC_RELAXED);
}

struct accel_task *
accel_task_new (struct accel_thread *self, void (*fn) (void *), void *data, accel_copy_fn cpyfn,
		size_t size, size_t align, unsigned nnodes, void *event, bool extra)
{
  struct accel_team *team = self->team;
  struct accel_task *task = accel_task_settle (self) ? record_take (extra) : NULL;
  if (task == NULL)
    return NULL;
  if (extra && !accel_block ()->tasking)
    unexpected ();
  bool own_icv = self->icv != team->icv;
  unsigned flags = (cpyfn ? ACCEL_TASK_COPIED : 0) | (event ? ACCEL_TASK_EVENT : 0)
		   | (nnodes ? ACCEL_TASK_NODES : 0);
  if (!make_room (task, size, align, nnodes, own_icv, &flags))
    {
      accel_record_give (task, task->slot);
      return NULL;
    }

  if (own_icv)
    copy (task->icv, self->icv, sizeof (struct accel_icv));
  else
    task->icv = self->icv;
  if (event)
    {
      make_event (task, task->serial, event, data);
      /* relaxed: read by the thread itself, or by who may be wrong.  */
      machine_atomic_add (&team->xdetached, 1, __ATOMIC_RELAXED);
    }
  begin_task (self, team, task, fn, flags);
  if (cpyfn)
    {
      /* In the new task's context, which may have children already; the body begins without.  */
      struct accel_context context;
      accel_context_save (self, &context);
      self->task = task;
      accel_begin_parent (self, task, task->serial, self->root);
      cpyfn (task->data, data);
      if (self->created != self->done)
	accel_task_wait (self, &(struct accel_wait) { .what = ACCEL_WAIT_CHILDREN });
      if (self->table)
	accel_depend_end (self->table);
      accel_context_restore (self, &context);
    }
  else
    copy (task->data, data, size);
  return task;
}

void
accel_task_leave (struct accel_thread *self)
{
  struct accel_task *task = self->implicit;
  struct accel_block *block = accel_block ();

  if (self->table)
    accel_depend_end (self->table);
  while (task->blocks)
    {
      void *next = *(void **) task->blocks;
      free (task->blocks);
      task->blocks = next;
    }
  if (task->slot == ACCEL_NO_SLOT || task->slot % 32 != IMPLICIT_SLOT)
    accel_record_give (task, task->slot);
  self->implicit = NULL;

  /* Stale pointers to extra records are held by tasks only (invariant 1 of task.h).  */
  if (self->team != &block->initial
      && (self->team != &block->team || machine_load32 (&block->initial.xtasks) != 0))
    return;
  accel_task_lock ();
  struct accel_task *extra = block->tasks.extra_free;
  block->tasks.extra_free = NULL;
  accel_task_unlock ();
  while (extra)
    {
      struct accel_task *next = extra->next;
      free (extra);
      extra = next;
    }
}

/* ---- Included tasks ---- */

void
accel_task_include (struct accel_thread *self, void (*fn) (void *), void *data, accel_copy_fn cpyfn,
		    size_t size, size_t align, bool final, void *event)
{
  struct accel_task task;
  struct accel_context context;
  struct accel_icv icv;

  if (event)
    {
      task.xdone = 0;
      make_event (&task, 0, event, data);
    }
  accel_context_save (self, &context);
  ACCEL_IN_MEMORY (context);
  self->task = &task;
  self->own_icv = &icv;
  self->final = final;
  self->created = 0;		/* what needs more than that calls accel_task_settle */
  self->done = 0;
  self->table = NULL;
  self->nested++;
  if (cpyfn)
    {
      void *to = (void *) align_up ((uintptr_t) __builtin_alloca (size + align - 1), align);
      cpyfn (to, data);
      fn (to);
    }
  else
    fn (data);
  self = accel_self ();		/* not kept: see ACCEL_IN_MEMORY */
  self->nested--;
  struct accel_task *moved = self->task;
  struct accel_depend_table *table = self->table;
  accel_context_restore (self, &context);
  if (moved != &task)
    {
      if (table)
	accel_depend_end (table);
      accel_record_give (moved, moved->slot);
    }
  if (event)
    accel_task_wait (self, &(struct accel_wait) { .what = ACCEL_WAIT_EVENT,
						  .event = &task.xevent });
}

/* ---- Entry points ---- */

/* TASK, from accel_task_new, starts as soon as its dependences allow.  */
static void
submit (struct accel_thread *self, struct accel_task *task, void **depend)
{
  if (depend && accel_depend_enter (self, task, depend))
    return;
  if (self->num_threads == 1 && self->nested < DEPTH_AT_ONCE)
    accel_task_execute (self, task);
  else
    accel_task_push (task);
}

/* A task with DEPEND has to wait, perhaps for an event that SELF will fulfil when it has gone
   on.  */
static bool
must_defer (struct accel_thread *self, void **depend)
{
  return depend && machine_load32 (&self->team->xdetached) != 0
	 && accel_depend_blocked (self, depend, NULL);
}

/* What GOMP_task is called with.  */
struct arguments
{
  void (*fn) (void *);
  void *data;
  accel_copy_fn cpyfn;
  long size, align;
  void **depend;
  void *detach;
  unsigned flags, if_clause;
};

/* Defer a task of any kind, or drop it if all are cancelled.  False: it has to run at once, when its
   dependences allow.  */
static bool __attribute__ ((noinline))
defer (struct accel_thread *self, const struct arguments *args)
{
  void *detach = (args->flags & ACCEL_TASK_DETACH) ? args->detach : NULL;
  void **depend = args->depend;
  bool final = self->final | ((args->flags & ACCEL_TASK_FINAL) != 0);
  unsigned nnodes = 0;

  if (accel_cancelled_tasks (self->team, self->taskgroup))
    return true;
  if ((args->flags & ACCEL_TASK_DEPEND) && (nnodes = accel_depend_count (depend)) != 0)
    {
      /* Complete when GOMP_task returns, so nobody has to wait for it.  */
      if (self->num_threads == 1 && !detach && !accel_depend_blocked (self, depend, NULL))
	nnodes = 0;
    }
  if (nnodes == 0)
    depend = NULL;

  if (!args->if_clause || final
      || (self->num_threads == 1 && !detach && !depend && self->nested < DEPTH_AT_ONCE)
      || (depend && !accel_depend_prepare (self)))
    return false;
  struct accel_task *task
    = accel_task_new (self, args->fn, args->data, args->cpyfn, args->size, args->align, nnodes,
		      detach, detach || must_defer (self, depend));
  if (task)
    submit (self, task, depend);
  return task != NULL;
}

/* Any task that is not one of the two usual kinds.  */
static void __attribute__ ((noinline))
task_other (void (*fn) (void *), void *data, accel_copy_fn cpyfn, long arg_size, long arg_align,
	    bool if_clause, unsigned flags, void **depend, void *detach)
{
  struct arguments args = { fn, data, cpyfn, arg_size, arg_align, depend, detach, flags, if_clause };
  ACCEL_IN_MEMORY (args);
  if (defer (accel_self (), &args))
    return;
  struct accel_thread *self = accel_self ();
  if ((args.flags & ACCEL_TASK_DEPEND) && accel_depend_count (args.depend) != 0)
    accel_task_wait (self, &(struct accel_wait) { .what = ACCEL_WAIT_DEPEND,
						  .depend = args.depend });
  accel_task_include (self, args.fn, args.data, args.cpyfn, args.size, args.align,
		      self->final | ((args.flags & ACCEL_TASK_FINAL) != 0),
		      (args.flags & ACCEL_TASK_DETACH) ? args.detach : NULL);
}

#ifdef MACHINE_TEXT
extern void accel_task_any (void (*) (void *), void *, accel_copy_fn, long, long, bool, unsigned,
			    void **, int, void *);

/* What the one in assembly goes on with, unless it is the usual task.  */
void
accel_task_any (void (*fn) (void *), void *data, accel_copy_fn cpyfn, long arg_size, long arg_align,
		bool if_clause, unsigned flags, void **depend, int priority, void *detach)
#else
void
GOMP_task (void (*fn) (void *), void *data, accel_copy_fn cpyfn, long arg_size, long arg_align,
	   bool if_clause, unsigned flags, void **depend, int priority, void *detach)
#endif
{
  struct accel_block *block = accel_block ();
  struct accel_tasks *tasks = &block->tasks;
  struct accel_team *team = &block->team;
  unsigned me = machine_thread ();
  struct accel_thread *self = accel_self ();
  (void) priority;		/* max-task-priority-var is 0 */

  /* The usual task of an active region: it has a record for all that belongs to it, and is ready.
     All that decides is read at once, since each load by itself takes long.  */
  struct accel_team *own_team = self->team;
  struct accel_icv *icv = self->icv, *team_icv = team->icv;
  struct accel_taskgroup *group = self->taskgroup;
  struct accel_task *current = self->task, *implicit = self->implicit;
  uintptr_t parent = self->parent;
  unsigned parent_serial = self->parent_serial, root = self->root, created = self->created;
  unsigned final = self->final, have = tasks->free[me], count = tasks->serial[me];
  char *arena = tasks->arena[me];
  unsigned cancellation = gompx_plugin.cancellation;
#if MACHINE_LANES > 1		/* other machines may not have the registers */
  __asm__ volatile ("" : "+r" (own_team), "+r" (icv), "+r" (team_icv), "+r" (group), "+r" (current),
		    "+r" (implicit), "+r" (parent), "+r" (parent_serial), "+r" (root),
		    "+r" (created), "+r" (final), "+r" (have), "+r" (arena), "+r" (cancellation),
		    "+r" (count));
#endif

  bool settled = current ? parent == (uintptr_t) current : implicit != NULL;
  if (if_clause & (cpyfn == NULL) & (own_team == team) & settled & (icv == team_icv) & !final
      & !cancellation & !(flags & (ACCEL_TASK_FINAL | ACCEL_TASK_DEPEND | ACCEL_TASK_DETACH))
      & ((size_t) arg_size <= ACCEL_SLOT - sizeof (struct accel_task)) & (arg_align <= 16))
    {
      if (have == 0)
	have = accel_slots_back (me);
      if (have != 0)
	{
	  unsigned i = __builtin_ctz (have);
	  struct accel_task *task = (struct accel_task *) (arena + i * ACCEL_SLOT);
	  unsigned serial = 32 * (count + 1) + me;
	  if (32 * (count + 1) == 0)
	    serial = 32 * (++count + 1) + me;

	  self->created = created + 1;
	  tasks->free[me] = have & (have - 1);
	  tasks->serial[me] = count + 1;
	  task->fn = fn;
	  task->data = task + 1;
	  task->group = group;
	  task->icv = icv;
	  task->team = team;
	  task->serial = serial;
	  task->slot = 32 * me + i;
	  task->flags = 0;
	  task->root = root;
	  if (((uintptr_t) data & 7) == 0 && (arg_size == 8 || arg_size == 16))
	    {
	      uint64_t *to = (uint64_t *) (task + 1);
	      const uint64_t *from = data;
	      to[0] = from[0];
	      if (arg_size == 16)
		to[1] = from[1];
	    }
	  else
	    copy (task + 1, data, arg_size);
	  machine_uniform_store64 (&task->xdone, (accel_u64) serial << 32);
	  machine_uniform_store64 (&task->xparent, parent);
	  machine_store32 (&task->xparent_serial, parent_serial);
	  if (group)
	    /* relaxed: as in begin_task.  */
	    machine_atomic_add (&group->xtasks, 1, __ATOMIC_RELAXED);
	  /* relaxed: as in begin_task.  */
	  machine_atomic_add (&team->xtasks, 1, __ATOMIC_RELAXED);
	  machine_fence_block ();	/* the record, before its bit */
	  /* relaxed: as said.  */
	  machine_atomic_or (&tasks->xready[me], 1u << i, __ATOMIC_RELAXED);
	  return;
	}
    }
  /* The usual included task.  */
  if ((!if_clause | (final != 0) | ((flags & ACCEL_TASK_FINAL) != 0)
       | ((self->num_threads == 1) & (self->nested < DEPTH_AT_ONCE)))
      & !cancellation & !(flags & (ACCEL_TASK_DEPEND | ACCEL_TASK_DETACH)))
    {
      accel_task_include (self, fn, data, cpyfn, arg_size, arg_align,
			  final | ((flags & ACCEL_TASK_FINAL) != 0), NULL);
      return;
    }
  task_other (fn, data, cpyfn, arg_size, arg_align, if_clause, flags, depend, detach);
}

#ifdef MACHINE_TEXT
extern void accel_taskwait_any (void);

/* The one in assembly goes on with it when there are children to wait for.  */
void
accel_taskwait_any (void)
#else
void
GOMP_taskwait (void)
#endif
{
  struct accel_thread *self = accel_self ();
  if (self->created != self->done)
    accel_task_wait (self, &(struct accel_wait) { .what = ACCEL_WAIT_CHILDREN });
}

void
GOMP_taskyield (void)
{
  struct accel_thread *self = accel_self ();
  if (machine_load32 (&self->team->xtasks) != 0)
    accel_task_help (self, &(struct accel_wait) { .what = ACCEL_WAIT_CHILDREN });
}

void
GOMP_taskwait_depend (void **depend)
{
  struct accel_thread *self = accel_self ();
  if (accel_cancelled_tasks (self->team, self->taskgroup) || accel_depend_count (depend) == 0)
    return;
  accel_task_wait (self, &(struct accel_wait) { .what = ACCEL_WAIT_DEPEND, .depend = depend });
}

void
GOMP_taskwait_depend_nowait (void **depend)
{
  struct accel_thread *self = accel_self ();
  unsigned nnodes = accel_depend_count (depend);
  if (nnodes == 0 || accel_cancelled_tasks (self->team, self->taskgroup)
      || !accel_depend_blocked (self, depend, NULL))
    return;
  struct accel_task *task = NULL;
  if (!self->final && accel_depend_prepare (self))
    task = accel_task_new (self, NULL, NULL, NULL, 0, 1, nnodes, NULL, must_defer (self, depend));
  if (task)
    submit (self, task, depend);
  else
    accel_task_wait (self, &(struct accel_wait) { .what = ACCEL_WAIT_DEPEND, .depend = depend });
}

#pragma omp end declare target
