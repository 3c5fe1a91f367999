/* mutexinoutset: tasks exclude each other, but wait for no order among themselves; sets that
   overlap in different orders do not block.  */
#include "aux-depend.h"

enum { LOCKS = 6, TASKS = 600 };

static int x, y;
static atomic_int inside[LOCKS], done;
static char locks[LOCKS];

static void
body (void *p)
{
  uintptr_t set = (uintptr_t) p;
  for (int i = 0; i < LOCKS; i++)
    if (set >> i & 1)
      CHECK (inside[i]++ == 0);
  for (int i = 0; i < 50; i++)
    atomic_signal_fence (memory_order_seq_cst);
  for (int i = 0; i < LOCKS; i++)
    if (set >> i & 1)
      inside[i]--;
  done++;
}

static void
random_sets (void)
{
  unsigned seed = 5;
  done = 0;
  for (int i = 0; i < TASKS; i++)
    {
      struct dep deps[3];
      uintptr_t set = 0;
      for (int k = 0; k <= i % 3; k++)
	{
	  seed = seed * 1103515245u + 12345u;
	  unsigned lock = (seed >> 16) % LOCKS;
	  set |= (uintptr_t) 1 << lock;
	  deps[k] = (struct dep) { &locks[lock], MUTEXINOUTSET };
	}
      task (body, (void *) set, deps, 1 + i % 3);
      if (i % 100 == 50)
	/* An undeferred one is alone, too.  */
	task_if (false, body, (void *) 3, DEPS ({ &locks[0], MUTEXINOUTSET },
						{ &locks[1], MUTEXINOUTSET }));
    }
#pragma omp taskwait
  CHECK (done == TASKS + TASKS / 100);
}

static void
count (void *p)
{
  (void) p;
  done++;
}

/* The first task of the set waits for something else; the second one does not wait for it.  */
static void
no_order (void)
{
  omp_event_handle_t event;
  done = 0;
#pragma omp task detach(event) depend(out: y)
  { }
  task (count, NULL, DEPS ({ &x, MUTEXINOUTSET }, { &y, IN }));
  task (count, NULL, DEPS ({ &x, MUTEXINOUTSET }, { &done, OUT }));
  taskwait_depend (DEPS ({ &done, IN }));
  CHECK (done == 1);
  omp_fulfill_event (event);
#pragma omp taskwait
  CHECK (done == 2);
}

/* A detached task excludes the others until it is complete.  */
static void
held_by_event (void)
{
  omp_event_handle_t event;
  done = 0;
#pragma omp task detach(event) depend(mutexinoutset: x)
  { }
  for (int i = 0; i < 5; i++)
    task (count, NULL, DEPS ({ &x, MUTEXINOUTSET }));
#pragma omp taskyield
  omp_fulfill_event (event);
#pragma omp taskwait
  CHECK (done == 5);
}

int
main (void)
{
  random_sets ();
  no_order ();
  held_by_event ();
  for (int threads = 1; threads <= 4; threads++)
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
      random_sets ();
      no_order ();
      held_by_event ();
    }
  return failures != 0;
}
