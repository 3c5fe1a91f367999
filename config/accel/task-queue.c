/* task-queue.c -- memory of tasks, what they come into when they are ready, and the block's lock.

   task.h has the design; it also has the two functions for slots that each task needs.

   Invariants
   1. accel_tasks.free of a thread is its own: slots that nobody uses.  Others give slots back in
      xgiven, which it takes over as a whole when free is used up.
   2. A bit of xready is set by whoever makes the task ready, after all that is in the record.
   3. extra and its next pointers are under xlock; xextra counts them.  */

#include "task.h"
#include "ticket.h"

#pragma omp declare target

unsigned gompx_tasking = 1;
unsigned gompx_task_arena = 32 * ACCEL_SLOT + ACCEL_SLOT / 2;

void
accel_task_start (void *arena, unsigned size)
{
  struct accel_tasks *tasks = &accel_block ()->tasks;
  unsigned me = machine_thread ();
  uintptr_t start = ((uintptr_t) arena + ACCEL_SLOT / 2 - 1) & -(uintptr_t) (ACCEL_SLOT / 2);

  tasks->xready[me] = 0;
  tasks->xgiven[me] = 0;
  tasks->xdone[me] = 0;
  tasks->serial[me] = 0;
  tasks->arena[me] = (char *) start;
  /* The last slot is for the implicit task of the active region.  */
  tasks->free[me] = size ? ~0u >> 1 : 0;
  if (me == 0)
    {
      tasks->xlock = 0;
      tasks->extra_free = NULL;
      accel_barrier_waits ();
    }
}

/* ---- Memory ---- */

unsigned
accel_slots_back (unsigned me)
{
  unsigned *given = &accel_block ()->tasks.xgiven[me];
  if (machine_load32 (given) == 0)
    return 0;
  /* relaxed: the fence follows.  */
  unsigned back = __atomic_exchange_n (given, 0, __ATOMIC_RELAXED);
  machine_fence_block ();	/* who gave them is through with them */
  return back;
}

void *
accel_small_take (unsigned *slot)
{
  *slot = accel_slot_take ();
  if (*slot != ACCEL_NO_SLOT)
    return (char *) accel_slot_address (*slot / 32, *slot % 32) + ACCEL_SLOT_HEAD;
  return malloc (ACCEL_SLOT - ACCEL_SLOT_HEAD);
}

void
accel_small_give (void *memory, unsigned slot)
{
  if (slot == ACCEL_NO_SLOT)
    {
      free (memory);
      return;
    }
  machine_fence_block ();	/* the thread is through with it */
  accel_slot_give (slot);
}

/* ---- The block's lock ---- */

/* In the order in which they come: who polls something under the lock keeps nobody from it.  */
void
accel_task_lock (void)
{
  accel_block_lock (&accel_block ()->tasks.xlock);
}

void
accel_task_unlock (void)
{
  accel_block_unlock (&accel_block ()->tasks.xlock);
}

/* ---- Extra records ---- */

/* A record from the heap; NULL: there is no memory.  */
struct accel_task *
accel_extra_take (void)
{
  struct accel_tasks *tasks = &accel_block ()->tasks;
  accel_task_lock ();
  struct accel_task *task = tasks->extra_free;
  if (task)
    tasks->extra_free = task->next;
  accel_task_unlock ();
  return task ? task : malloc (ACCEL_SLOT);
}

void
accel_extra_give (struct accel_task *task)
{
  struct accel_tasks *tasks = &accel_block ()->tasks;
  accel_task_lock ();
  task->next = tasks->extra_free;
  tasks->extra_free = task;
  accel_task_unlock ();
}

/* ---- The queue ---- */

void
accel_task_push (struct accel_task *task)
{
  struct accel_block *block = accel_block ();
  struct accel_team *team = task->team;
  unsigned slot = task->slot;

  if (slot != ACCEL_NO_SLOT && team == &block->team)
    {
      machine_fence_block ();	/* the record, before its bit */
      /* relaxed: as said.  */
      machine_atomic_or (&block->tasks.xready[slot / 32], 1u << (slot % 32), __ATOMIC_RELAXED);
      return;
    }
  accel_task_lock ();
  task->next = team->extra;
  team->extra = task;
  machine_store32 (&team->xextra, machine_load32 (&team->xextra) + 1);
  accel_task_unlock ();
}

#pragma omp end declare target
