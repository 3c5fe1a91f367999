/* depend.c -- dependences between tasks.  Not there yet: a task that has some ends the program.  */

#include "host/depend.h"

bool
gomp_depend_add (struct gomp_task *parent, struct gomp_task *task, void **depend)
{
  (void) parent;
  (void) task;
  (void) depend;
  gomp_unimplemented ("GOMP_task with dependences");
}

bool
gomp_depend_blocked (struct gomp_task *parent, void **depend)
{
  (void) parent;
  (void) depend;
  gomp_unimplemented ("GOMP_task with dependences");
}

void
gomp_depend_finish (struct gomp_task *task)
{
  (void) task;			/* has none */
}

void
gomp_depend_end_parent (struct gomp_task *task)
{
  (void) task;			/* its children have none */
}

void
gomp_depend_wait (struct gomp_thread *thr, void **depend)
{
  (void) thr;
  (void) depend;
  gomp_unimplemented ("GOMP_task with dependences");
}
