/* taskwait with depend waits for what it depends on and nothing else: the other task cannot be
   complete, its event is fulfilled afterwards.  */
#include "aux-depend.h"

static int x, y;
static atomic_int done;

static void
body (void *p)
{
  (void) p;
  done++;
}

static void
all (void)
{
  omp_event_handle_t event;

  done = 0;
#pragma omp task detach(event) depend(inout: y)
  { }
  for (int i = 0; i < 10; i++)
    task (body, NULL, DEPS ({ &x, INOUT }));
  taskwait_depend (DEPS ({ &x, IN }));
  CHECK (done == 10);

  /* In a set: only what comes before the set.  */
  task (body, NULL, DEPS ({ &x, IN }, { &y, IN }));
  taskwait_depend (DEPS ({ &x, IN }));
  CHECK (done == 10);
  task (body, NULL, DEPS ({ &done, INOUTSET }, { &y, INOUTSET }));
  taskwait_depend (DEPS ({ &done, INOUTSET }));
  CHECK (done == 10);

  omp_fulfill_event (event);
  taskwait_depend (DEPS ({ NULL, INOUT }));
  CHECK (done == 12);
  taskwait_depend (DEPS ({ &x, OUT }, { &y, MUTEXINOUTSET }));
  taskwait_depend (NULL, 0);
#pragma omp taskwait
}

int
main (void)
{
  /* A list with nothing in it has two words, the second zero, and no more.  */
  void *nothing[2] = { NULL, NULL };
  GOMP_taskwait_depend (nothing);
  all ();
  for (int threads = 1; threads <= 3; threads++)
#pragma omp parallel num_threads(threads)
#pragma omp single
    all ();
  return failures != 0;
}
