/* A detached task is complete for its successors when its event is fulfilled: not before, and
   at once if that was early; by another task, by the generating one, by a foreign thread.  */
#include <pthread.h>
#include "aux-depend.h"

static int x;
static atomic_int done;
static omp_event_handle_t handle;

static void
body (void *p)
{
  (void) p;
  done++;
}

static void *
fulfill (void *p)
{
  omp_fulfill_event (*(omp_event_handle_t *) p);
  return NULL;
}

static void
all (void)
{
  omp_event_handle_t mine, event;
  pthread_t thread;

  /* By the generating task.  */
  done = 0;
#pragma omp task detach(mine) depend(out: x)
  { }
  for (int i = 0; i < 5; i++)
    task (body, NULL, DEPS ({ &x, IN }));
#pragma omp taskyield
  CHECK (done == 0);
  omp_fulfill_event (mine);
#pragma omp taskwait
  CHECK (done == 5);

  /* By a foreign thread.  */
#pragma omp task detach(event) depend(out: x) shared(thread)
  {
    handle = event;
    pthread_create (&thread, NULL, fulfill, &handle);
  }
  task (body, NULL, DEPS ({ &x, INOUT }));
  taskwait_depend (DEPS ({ &x, IN }));
  CHECK (done == 6);
  pthread_join (thread, NULL);

  /* By itself; by a task that does not depend on it.  */
#pragma omp task detach(event) depend(out: x)
  omp_fulfill_event (event);
  task (body, NULL, DEPS ({ &x, INOUT }));
#pragma omp taskwait
  CHECK (done == 7);
#pragma omp task detach(mine) depend(out: x)
  { }
  task (body, NULL, DEPS ({ &x, INOUT }));
#pragma omp task firstprivate(mine)
  omp_fulfill_event (mine);
#pragma omp taskwait
  CHECK (done == 8);

  /* Undeferred, behind a detached one that another thread releases.  */
#pragma omp task detach(mine) depend(out: x)
  { }
  pthread_create (&thread, NULL, fulfill, &mine);
#pragma omp task depend(inout: x) if(0)
  done++;
  CHECK (done == 9);
  pthread_join (thread, NULL);
}

/* The generating task fulfills an event only after it has made more successors than the runtime
   likes to keep.  */
static void
backlog (void)
{
  enum { MANY = 20000 };
  omp_event_handle_t mine;

  done = 0;
#pragma omp task detach(mine) depend(out: x)
  { }
  for (int i = 0; i < MANY; i++)
    task (body, NULL, DEPS ({ &x, INOUT }));
  CHECK (done == 0);
  omp_fulfill_event (mine);
#pragma omp taskwait
  CHECK (done == MANY);
}

int
main (void)
{
  all ();
  backlog ();
  for (int threads = 1; threads <= 3; threads++)
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
      all ();
      backlog ();
    }
  return failures != 0;
}
