/* A region of one thread finds nothing of the one before it, whatever that did: cancelled itself,
   left a loop in the middle, had tasks with dependences, reductions, memory for copies, or
   was nested in another one.  */
/* TEST-ENV: OMP_CANCELLATION=true */
/* TEST-ENV: OMP_NUM_THREADS=3 */

#include <omp.h>
#include <stdlib.h>

static int x;

static void
loops (int cancel)
{
  int done = 0;
#pragma omp parallel num_threads (1) reduction (+: done)
  {
#pragma omp for schedule (dynamic, 3)
    for (int i = 0; i < 20; i++)
      {
	done++;
	if (cancel && i == 4)
	  {
#pragma omp cancel for
	  }
      }
#pragma omp for schedule (guided) ordered
    for (int i = 0; i < 20; i++)
      {
#pragma omp ordered
	done++;
      }
  }
  if (done != (cancel ? 5 : 20) + 20)
    abort ();
}

static void
tasks (int value)
{
  int sum = 0;
#pragma omp parallel num_threads (1) reduction (task, +: sum)
  {
#pragma omp task depend (out: x)
    x = value;
#pragma omp task depend (in: x) in_reduction (+: sum)
    sum += x;
#pragma omp taskgroup
    {
#pragma omp task priority (1)
      if (omp_get_level () != 1 || omp_in_parallel ())
	abort ();
    }
  }
  if (sum != value)
    abort ();
}

static void
cancelled (void)
{
  volatile int after = 0;
#pragma omp parallel num_threads (1)
  {
#pragma omp cancel parallel
    after = 1;
  }
  if (after)
    abort ();
}

static void
shared_things (int value)
{
  int copy = 0, parts = 0;
#pragma omp parallel num_threads (1) firstprivate (copy) shared (parts)
  {
#pragma omp single copyprivate (copy)
    copy = value;
    if (copy != value)
      abort ();
#pragma omp sections
    {
#pragma omp section
      parts++;
#pragma omp section
      parts++;
    }
  }
  if (parts != 2)
    abort ();
}

static void
nested (int depth)
{
#pragma omp parallel num_threads (1)
  {
    loops (depth & 1);
    if (omp_get_level () != 5 - depth)
      abort ();
    if (depth > 0)
      nested (depth - 1);
    omp_set_num_threads (7);
    if (depth == 2)
      cancelled ();
  }
}

static int visited;

static void
region_on_host (void)
{
  int on_host = omp_get_initial_device ();
#pragma omp target device (on_host) map (visited)
  {
    if (omp_get_level () != 0 || omp_get_max_threads () != 3)
      abort ();
    visited++;
    omp_set_num_threads (5);
  }
}

int
main (void)
{
  int before = omp_get_max_threads ();
  for (int k = 0; k < 20; k++)
    {
      loops (0);
      cancelled ();
      tasks (k);
      loops (1);
      shared_things (k);
      tasks (k + 1);
      nested (4);
      if (omp_get_max_threads () != before || omp_get_level () != 0)
	abort ();
    }
  if (before == 3)
    for (int k = 0; k < 20; k++)
      region_on_host ();
  return before != 3 || visited != 20;
}
