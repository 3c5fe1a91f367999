/* taskgroup.c -- taskgroups: their memory, and waiting for their tasks.

   A taskgroup has a slot, or memory of the heap.  Its tasks count in it until they are complete;
   it is left when there are none, so no task ever points to a group that is gone.  */

#include "message.h"
#include "task.h"

#pragma omp declare target

extern void GOMP_taskgroup_start (void);
extern void GOMP_taskgroup_end (void);

struct accel_taskgroup *
accel_taskgroup_enter (struct accel_thread *self)
{
  struct accel_taskgroup *group;
  unsigned slot;

  for (unsigned turn = 0; (group = accel_small_take (&slot)) == NULL; )
    {
      if (machine_load32 (&self->team->xtasks) == 0)
	accel_fatal ("out of memory for a taskgroup", 0, 0, "");
      if (!accel_task_help (self, &(struct accel_wait) { .what = ACCEL_WAIT_CHILDREN }))
	machine_pause (turn++);
    }
  group->outer = self->taskgroup;
  group->reductions = NULL;
  machine_store32 (&group->xtasks, 0);
  machine_store32 (&group->xcancelled, 0);
  group->workshare = 0;
  group->slot = slot;
  self->taskgroup = group;
  return group;
}

void
accel_taskgroup_leave (struct accel_thread *self)
{
  struct accel_taskgroup *group = self->taskgroup;
  accel_task_wait (self, &(struct accel_wait) { .what = ACCEL_WAIT_GROUP, .group = group });
  self->taskgroup = group->outer;
  accel_small_give (group, group->slot);
}

void
GOMP_taskgroup_start (void)
{
  accel_taskgroup_enter (accel_self ());
}

void
GOMP_taskgroup_end (void)
{
  struct accel_thread *self = accel_self ();
  if (self->taskgroup)
    accel_taskgroup_leave (self);
}

#pragma omp end declare target
