/* task.c -- waiting for tasks.

   No deferred task exists yet: the entry points that create tasks are in unimplemented.c, and
   target constructs with nowait are complete when they return.  So there is nothing to wait
   for, and these return at once.  */

#include "host/abi.h"

GOMP_EXPORT void
GOMP_taskwait (void)
{
}

GOMP_EXPORT void
GOMP_taskwait_depend (void **depend)
{
  (void) depend;
}

GOMP_EXPORT void
GOMP_taskyield (void)
{
}
