/* taskwait with depend and nowait is an empty task: it does not wait, but others wait for it.
   TEST-OPTIONS: -ldl */
#define _GNU_SOURCE
#include <dlfcn.h>
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
all (void (*nowait) (void **))
{
  omp_event_handle_t event;
  struct list list;

  done = 0;
#pragma omp task detach(event) depend(out: x)
  { }
  nowait (make_list (&list, DEPS ({ &x, IN }, { &y, OUT }), false));
  task (body, NULL, DEPS ({ &y, IN }));
  task (body, NULL, DEPS ({ &y, INOUTSET }));
#pragma omp taskyield
  CHECK (done == 0);
  omp_fulfill_event (event);
#pragma omp taskwait
  CHECK (done == 2);
}

int
main (void)
{
  /* Not in the library of older compilers, which the program is linked with.  */
  void (*nowait) (void **);
  *(void **) &nowait = dlsym (RTLD_DEFAULT, "GOMP_taskwait_depend_nowait");
  if (nowait == NULL)
    {
      printf ("GOMP_taskwait_depend_nowait is missing\n");
      return 1;
    }
  all (nowait);
  for (int threads = 1; threads <= 3; threads++)
#pragma omp parallel num_threads(threads)
#pragma omp single
    all (nowait);
  return failures != 0;
}
