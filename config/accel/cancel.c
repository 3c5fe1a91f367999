/* cancel.c -- cancellation.

   It is there only if the host's OMP_CANCELLATION is true (gompx_plugin.cancellation); otherwise
   all entry points answer false.

   parallel	  A bit of the team is set: barriers inside of the region let everybody through
		  (barrier-wait.c), tasks that have not started are dropped (task-run.c), worksharing
		  constructs are not begun any more (work.c).  All meet at the region's end.
   for, sections  The same for another bit, at which only cancellation points and waits for an
		  order of iterations look.  The barrier behind the construct clears it.
   taskgroup	  The group is marked, and its tasks that have not started are dropped.  */

#include "message.h"
#include "task.h"

#pragma omp declare target

extern bool GOMP_cancel (int, bool);
extern bool GOMP_cancellation_point (int);

static bool
cancelled (struct accel_thread *self, int which)
{
  switch (which)
    {
    case ACCEL_CANCEL_PARALLEL:
      return (machine_load32 (&self->team->xcancelled) & ACCEL_CANCEL_PARALLEL) != 0;
    case ACCEL_CANCEL_LOOP:
    case ACCEL_CANCEL_SECTIONS:
      return (machine_load32 (&self->team->xcancelled)
	      & (ACCEL_CANCEL_LOOP | ACCEL_CANCEL_SECTIONS)) != 0;
    case ACCEL_CANCEL_TASKGROUP:
      return accel_cancelled_tasks (self->team, self->taskgroup);
    default:
      accel_fatal ("cancellation of an unknown construct (", (unsigned) which, 10, ")");
    }
}

bool
GOMP_cancellation_point (int which)
{
  return gompx_plugin.cancellation && cancelled (accel_self (), which);
}

bool
GOMP_cancel (int which, bool do_cancel)
{
  if (!gompx_plugin.cancellation)
    return false;
  accel_barrier_waits ();

  struct accel_thread *self = accel_self ();
  bool already = cancelled (self, which);
  if (!do_cancel)
    return already;
  if (which == ACCEL_CANCEL_TASKGROUP)
    {
      struct accel_taskgroup *group = self->taskgroup;
      while (group && group->workshare)
	group = group->outer;
      if (group)
	machine_store32 (&group->xcancelled, 1);
    }
  /* Outside of any region there is nothing to leave.  */
  else if (!already && self->team->level > 0)
    /* relaxed: who is let go by it needs nothing of what this thread did but that it did it.  */
    machine_atomic_or (&self->team->xcancelled, which, __ATOMIC_RELAXED);
  return true;
}

#pragma omp end declare target
