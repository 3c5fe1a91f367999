/* task-run.c -- taking tasks, running them, what their end does, and waiting.

   task.h has the design.  A thread that waits looks first among its own slots, newest first, so
   that recursive programs go on where they are; in a barrier, and among the slots of others,
   oldest first, which are the largest pieces of such a program.

   Invariants
   1. A bit of xready is taken away by whoever takes the task.  Who finds that it may not run it
      puts it back.
   2. What a completed task's thread does last: parent and group, then the record's memory, then the
      team's count.  */

#include "message.h"
#include "task.h"

/* How many tasks of others a waiting thread tries in one go that it may not run.  */
#define TRIES 4

#define RARE __attribute__ ((noinline, cold))

#pragma omp declare target

extern void omp_fulfill_event (uintptr_t);
extern void omp_fulfill_event_ (uintptr_t);

/* ---- Taking ---- */

/* TASK, which SELF has taken, is a descendant of the task that SELF executes.  A parent that is
   over tells nothing; the answer is no then, which is safe.  */
static bool __attribute__ ((noinline))
descends (struct accel_thread *self, const struct accel_task *task)
{
  if (self->task == NULL)
    return self->num_threads == 1 || task->root == self->num;
  if (!accel_settled (self))
    return false;		/* it has no children */

  const struct accel_task *at = task;
  unsigned at_serial = 0;
  while (1)
    {
      uintptr_t parent = machine_uniform_load64 (&at->xparent);
      unsigned serial = machine_load32 (&at->xparent_serial);
      machine_fence_block ();	/* any other use of the memory changed xdone first */
      if (at != task && accel_serial_of (machine_uniform_load64 (&at->xdone)) != at_serial)
	return false;
      if (serial == 0)
	return false;
      if (parent == self->parent && serial == self->parent_serial)
	return true;
      at = (const struct accel_task *) parent;
      at_serial = serial;
    }
}

/* SELF, which waits so, may run TASK, which it has taken.  */
static inline bool
eligible (struct accel_thread *self, const struct accel_wait *wait, const struct accel_task *task)
{
  if (wait == NULL)
    return true;
  if (wait->what != ACCEL_WAIT_GROUP)
    return descends (self, task);
  for (const struct accel_taskgroup *group = task->group; group; group = group->outer)
    if (group == wait->group)
      return true;
  return false;
}

/* Take the task of bit I of WORD; NULL: somebody else was faster.  */
static inline struct accel_task *
claim (unsigned *word, unsigned thread, unsigned i)
{
  unsigned bit = 1u << i;
  if (!(machine_fetch_and32 (word, ~bit) & bit))
    return NULL;
  machine_fence_block ();	/* what was written before the bit was set */
  return accel_slot_address (thread, i);
}

static inline bool
child_of (const struct accel_task *task, uintptr_t parent, unsigned serial)
{
  return machine_uniform_load64 (&task->xparent) == parent
	 && machine_load32 (&task->xparent_serial) == serial;
}

/* A task that SELF has made.  */
static inline struct accel_task *
take_own (struct accel_thread *self, const struct accel_wait *wait)
{
  struct accel_tasks *tasks = &accel_block ()->tasks;
  unsigned me = machine_thread ();
  unsigned left = machine_load32 (&tasks->xready[me]);

  while (left != 0)
    {
      unsigned i = wait ? 31 - __builtin_clz (left) : __builtin_ctz (left);
      left &= ~(1u << i);
      if (wait)
	{
	  /* Invariant 3 of task.h.  */
	  const struct accel_task *task = accel_slot_address (me, i);
	  if (wait->what == ACCEL_WAIT_GROUP ? task->group != wait->group
	      : self->task ? !accel_settled (self)
			     || !child_of (task, self->parent, self->parent_serial)
	      : task->root != self->num)
	    continue;
	}
      struct accel_task *task = claim (&tasks->xready[me], me, i);
      if (task)
	return task;
    }
  return NULL;
}

/* A task in the slots of another thread of the team.  */
static inline struct accel_task *
take_others (struct accel_thread *self, const struct accel_wait *wait)
{
  struct accel_tasks *tasks = &accel_block ()->tasks;
  unsigned n = self->num_threads, me = machine_thread (), tries = TRIES;
  unsigned threads = machine_nonzero_words (tasks->xready, n) & ~(1u << me);

  while (threads != 0)
    {
      /* The first one from the own number on: others begin elsewhere.  */
      unsigned above = threads & (~0u << me);
      unsigned from = __builtin_ctz (above ? above : threads);
      threads &= ~(1u << from);
      for (unsigned left = machine_load32 (&tasks->xready[from]); left != 0; left &= left - 1)
	{
	  unsigned i = __builtin_ctz (left);
	  struct accel_task *task = claim (&tasks->xready[from], from, i);
	  if (task == NULL)
	    continue;
	  if (eligible (self, wait, task))
	    return task;
	  machine_fence_block ();	/* what was read of it and its group, before it is run */
	  /* relaxed: the fence before.  */
	  machine_atomic_or (&tasks->xready[from], 1u << i, __ATOMIC_RELAXED);
	  if (--tries == 0)
	    return NULL;
	}
    }
  return NULL;
}

static struct accel_task * RARE
take_extra (struct accel_thread *self, const struct accel_wait *wait)
{
  struct accel_team *team = self->team;
  struct accel_task *task, **link;

  accel_task_lock ();
  for (link = &team->extra; (task = *link) != NULL; link = &task->next)
    if (eligible (self, wait, task))
      {
	*link = task->next;
	machine_store32 (&team->xextra, machine_load32 (&team->xextra) - 1);
	break;
      }
  accel_task_unlock ();
  return task;
}

/* Where values that outlast a call are in registers: not inline, as what they keep on the GPU's own stack must not
   be there while the task runs.  Elsewhere a frame is what takes longest.  */
#if MACHINE_LANES > 1
# define STEP __attribute__ ((noinline))
# define EXECUTE accel_task_execute
#else
# define STEP inline __attribute__ ((always_inline))
# define EXECUTE execute
#endif

static STEP struct accel_task *
take (struct accel_thread *self, const struct accel_wait *wait)
{
  struct accel_task *task = NULL;
  if (self->num_threads > 1)
    {
      task = take_own (self, wait);
      if (task == NULL)
	task = take_others (self, wait);
    }
  if (task == NULL && machine_load32 (&self->team->xextra) != 0)
    task = take_extra (self, wait);
  return task;
}

/* ---- Running a task, and its end ---- */

/* A child of the record at PARENT, whose number was SERIAL, is complete: tell it if it is not
   over.  */
static void __attribute__ ((noinline))
tell_record (struct accel_task *parent, unsigned serial)
{
  /* The head is not used for anything else: invariant 1 of task.h.  */
  accel_u64 old = machine_uniform_load64 (&parent->xdone);
  while (accel_serial_of (old) == serial
	 /* relaxed: fences order it.  */
	 && !__atomic_compare_exchange_n (&parent->xdone, &old, old + 1, false, __ATOMIC_RELAXED,
					  __ATOMIC_RELAXED))
    ;
}

/* What the end of a task needs to know of it.  */
struct end
{
  struct accel_team *team;
  struct accel_taskgroup *group;
  uintptr_t parent;
  unsigned parent_serial, root, slot, flags;
};

#ifdef MACHINE_ROWS

/* Words of a record that are read here, and a field for MACHINE_FIELD32 and 64.  */
#define ROW_WORDS (offsetof (struct accel_task, flags) / 4 + 1)
#define FIELD(NAME, FIELD) [NAME] "n" (offsetof (struct accel_task, FIELD))

static inline void
end_read (const struct accel_task *task, struct end *end)
{
  struct accel_team *team;
  struct accel_taskgroup *group;
  uintptr_t parent, where, exec;
  unsigned parent_serial, root, slot, flags, row;
  __asm__ volatile (MACHINE_ROW ("%[row]", "%[task]", "%[words]", "%[where]", "%[exec]")
		    MACHINE_FIELD64 ("%[team]", "%[row]", "%[at_team]")
		    MACHINE_FIELD64 ("%[group]", "%[row]", "%[at_group]")
		    MACHINE_FIELD64 ("%[parent]", "%[row]", "%[at_parent]")
		    MACHINE_FIELD32 ("%[serial]", "%[row]", "%[at_serial]")
		    MACHINE_FIELD32 ("%[root]", "%[row]", "%[at_root]")
		    MACHINE_FIELD32 ("%[slot]", "%[row]", "%[at_slot]")
		    MACHINE_FIELD32 ("%[flags]", "%[row]", "%[at_flags]")
		    MACHINE_ROW_END
		    : [team] "=&Sg" (team), [group] "=&Sg" (group), [parent] "=&Sg" (parent),
		      [serial] "=&Sg" (parent_serial), [root] "=&Sg" (root), [slot] "=&Sg" (slot),
		      [flags] "=&Sg" (flags), [row] "=&v" (row), [where] "=&v" (where), [exec] "=&Sg" (exec)
		    : [task] "Sg" (task), [words] "n" (ROW_WORDS), FIELD (at_team, team), FIELD (at_group, group),
		      FIELD (at_parent, xparent), FIELD (at_serial, xparent_serial), FIELD (at_root, root),
		      FIELD (at_slot, slot), FIELD (at_flags, flags)
		    : "memory", "vcc_lo", "vcc_hi");
  *end = (struct end) { team, group, parent, parent_serial, root, slot, flags };
}

#else

static inline void
end_read (const struct accel_task *task, struct end *end)
{
  end->team = task->team;
  end->group = task->group;
  end->parent = task->xparent;
  end->parent_serial = task->xparent_serial;
  end->root = task->root;
  end->slot = task->slot;
  end->flags = task->flags;
}

#endif

/* What is to be done for a task with FLAGS, before it is counted.  */
static void RARE
complete_slow (struct accel_task *task, const struct end *end)
{
  if (end->flags & ACCEL_TASK_NODES)
    for (struct accel_task *ready = accel_depend_leave (task), *next; ready; ready = next)
      {
	next = ready->next;
	accel_task_push (ready);
      }
  if (end->flags & ACCEL_TASK_EVENT)
    /* relaxed: as where it is counted up.  */
    machine_atomic_add (&end->team->xdetached, -1u, __ATOMIC_RELAXED);
  if (end->flags & ACCEL_TASK_MEMORY)
    {
      if (task->data_slot != ACCEL_NO_SLOT)
	accel_slot_give (task->data_slot);
      else
	free (task->data_memory);
    }
}

/* Body and event of TASK are over.  SELF: the calling thread.  */
static inline void
complete (struct accel_thread *self, struct accel_task *task, const struct end *end)
{
  machine_fence_block ();	/* what it did, for all who are told now */
  if (end->flags & (ACCEL_TASK_NODES | ACCEL_TASK_EVENT | ACCEL_TASK_MEMORY))
    complete_slow (task, end);
  if (end->group)
    /* leave: the group may be gone with its last task.  */
    machine_atomic_add (&end->group->xtasks, -1u, MACHINE_LEAVE);

  struct accel_task *current = self->task, *implicit = self->implicit;
  uintptr_t parent = self->parent;
  unsigned parent_serial = self->parent_serial, done = self->done;
  if ((end->parent == parent) & (end->parent_serial == parent_serial)
      & (current ? parent == (uintptr_t) current : implicit != NULL))
    self->done = done + 1;
  else if (end->parent_serial != 0)
    tell_record ((struct accel_task *) end->parent, end->parent_serial);
  else if (accel_counts_shared (end->team))
    /* relaxed: the fence above orders it.  */
    machine_atomic_add (&accel_block ()->tasks.xdone[end->root], 1, __ATOMIC_RELAXED);
  else
    /* relaxed: as above.  */
    __atomic_fetch_add (&((struct accel_task *) end->parent)->xdone, 1, __ATOMIC_RELAXED);

  accel_record_give (task, end->slot);
  /* leave: the last access to the team.  */
  machine_atomic_add (&end->team->xtasks, -1u, MACHINE_LEAVE);
}

/* TASK's body is over, unless it was DROPPED.  True: its event is fulfilled, too.  */
static bool RARE
body_ended (struct accel_task *task, bool dropped)
{
  /* A dropped task's event is not awaited.  */
  unsigned bits = dropped ? ACCEL_EVENT_ENDED | ACCEL_EVENT_FULFILLED : ACCEL_EVENT_ENDED;
  machine_fence_block ();	/* what the body did, for who fulfils the event */
  /* leave: who fulfils it completes it; the fences around.  */
  unsigned old = __atomic_fetch_or (&task->xevent, bits, MACHINE_LEAVE);
  if (!dropped && !(old & ACCEL_EVENT_FULFILLED))
    return false;
  machine_left (&task->xevent);
  machine_fence_block ();	/* what was done before it was fulfilled */
  return true;
}

static inline __attribute__ ((always_inline)) void
execute (struct accel_thread *self, struct accel_task *task)
{
  struct end end;
  struct accel_context context;
  bool dropped = false;
#ifdef MACHINE_ROWS
  void (*fn) (void *);
  void *data;
  struct accel_icv *task_icv;
  struct accel_taskgroup *group;
  unsigned serial, root, cancellation = gompx_plugin.cancellation, nested = self->nested, row;
  uintptr_t where, exec;
  __asm__ volatile (MACHINE_ROW ("%[row]", "%[task]", "%[words]", "%[where]", "%[exec]")
		    MACHINE_FIELD64 ("%[fn]", "%[row]", "%[at_fn]")
		    MACHINE_FIELD64 ("%[data]", "%[row]", "%[at_data]")
		    MACHINE_FIELD64 ("%[icv]", "%[row]", "%[at_icv]")
		    MACHINE_FIELD64 ("%[group]", "%[row]", "%[at_group]")
		    MACHINE_FIELD32 ("%[serial]", "%[row]", "%[at_serial]")
		    MACHINE_FIELD32 ("%[root]", "%[row]", "%[at_root]")
		    MACHINE_ROW_END
		    : [fn] "=&Sg" (fn), [data] "=&Sg" (data), [icv] "=&Sg" (task_icv), [group] "=&Sg" (group),
		      [serial] "=&Sg" (serial), [root] "=&Sg" (root), [row] "=&v" (row), [where] "=&v" (where),
		      [exec] "=&Sg" (exec)
		    : [task] "Sg" (task), [words] "n" (ROW_WORDS), FIELD (at_fn, fn), FIELD (at_data, data),
		      FIELD (at_icv, icv), FIELD (at_group, group), FIELD (at_serial, serial), FIELD (at_root, root)
		    : "memory", "vcc_lo", "vcc_hi");
  accel_context_save (self, &context);
  if (cancellation)
    {
      end_read (task, &end);
      dropped = !(end.flags & ACCEL_TASK_COPIED) && accel_cancelled_tasks (end.team, end.group);
    }
#else
  void (*fn) (void *) = task->fn;
  void *data = task->data;
  struct accel_icv *task_icv = task->icv;
  unsigned serial = task->serial, cancellation = gompx_plugin.cancellation, nested = self->nested;

  /* All at once: each load by itself takes long.  */
  end_read (task, &end);
  accel_context_save (self, &context);
  __asm__ volatile ("" : "+r" (fn), "+r" (data), "+r" (task_icv), "+r" (serial),
		    "+r" (cancellation), "+r" (nested));
  struct accel_taskgroup *group = end.group;
  unsigned root = end.root;
  if (cancellation)
    dropped = !(end.flags & ACCEL_TASK_COPIED) && accel_cancelled_tasks (end.team, end.group);
#endif

  if (!dropped && fn)
    {
      struct accel_icv icv;
      self->task = task;
      self->taskgroup = group;
      self->icv = task_icv;
      self->own_icv = &icv;
      self->final = 0;
      accel_begin_parent (self, task, serial, root);
      self->nested = nested + 1;
#ifndef MACHINE_ROWS
      ACCEL_IN_MEMORY (end);
#endif
      ACCEL_IN_MEMORY (context);
      fn (data);
      self->nested = nested;
      if (self->table)
	accel_depend_end (self->table);
      accel_context_restore (self, &context);
    }
#ifdef MACHINE_ROWS
  /* The record is as it was: to read it anew takes less than to keep what was read.  */
  end_read (task, &end);
#endif
  if (!(end.flags & ACCEL_TASK_EVENT) || body_ended (task, dropped))
    complete (self, task, &end);
}

void
accel_task_execute (struct accel_thread *self, struct accel_task *task)
{
  execute (self, task);
}

void
omp_fulfill_event (uintptr_t handle)
{
  struct accel_task *task
    = (struct accel_task *) (handle & (((uintptr_t) 1 << ACCEL_HANDLE_SHIFT) - 1));
  unsigned old = ACCEL_EVENT_FULFILLED, tag = handle >> ACCEL_HANDLE_SHIFT;

  machine_fence_block ();	/* what was done before */
  if (task && (uint16_t) accel_serial_of (machine_uniform_load64 (&task->xdone)) == tag)
    /* leave: if the body is still running, its thread completes the task; the fences around.  */
    old = __atomic_fetch_or (&task->xevent, ACCEL_EVENT_FULFILLED, MACHINE_LEAVE);
  if (old & ACCEL_EVENT_FULFILLED)
    {
      /* A cancelled task's event may be fulfilled or not.  */
      if (gompx_plugin.cancellation)
	return;
      accel_fatal ("omp_fulfill_event: 0x", handle, 16,
		   " event is invalid or has already been fulfilled!\n");
    }
  if (old & ACCEL_EVENT_ENDED)
    {
      struct end end;
      machine_left (&task->xevent);
      machine_fence_block ();	/* what the body did */
      end_read (task, &end);
      complete (accel_self (), task, &end);
    }
}

/* Fortran: the handle comes by value here, too.  */
void
omp_fulfill_event_ (uintptr_t handle)
{
  omp_fulfill_event (handle);
}

static inline bool
help (struct accel_thread *self, const struct accel_wait *wait)
{
  struct accel_task *task = take (self, wait);
  if (task == NULL)
    return false;
  EXECUTE (self, task);
  return true;
}

bool
accel_task_help (struct accel_thread *self, const struct accel_wait *wait)
{
  return help (self, wait);
}

/* In a barrier.  */
bool
accel_task_run (struct accel_thread *self)
{
  return help (self, NULL);
}

/* ---- Waiting ---- */

static bool
over (struct accel_thread *self, struct accel_wait *wait)
{
  switch (wait->what)
    {
    case ACCEL_WAIT_CHILDREN:
      return accel_children_complete (self);
    case ACCEL_WAIT_GROUP:
      return machine_load32 (&wait->group->xtasks) == 0;
    case ACCEL_WAIT_EVENT:
      return (machine_load32 (wait->event) & ACCEL_EVENT_FULFILLED) != 0;
    default:
      return !accel_depend_blocked (self, wait->depend, &wait->left);
    }
}

void
accel_task_wait (struct accel_thread *self, struct accel_wait *wait)
{
  for (unsigned turn = 0; !over (self, wait); )
    if (!help (self, wait))
      machine_pause (turn++);
  machine_fence_block ();	/* what the awaited tasks did */
  if (wait->what == ACCEL_WAIT_GROUP)
    machine_left (&wait->group->xtasks);
  else if (wait->what == ACCEL_WAIT_EVENT)
    machine_left (wait->event);
}

#pragma omp end declare target
