/* Tasks, loops with order, cancellation and allocators leave errno alone, also when they sleep.
   TEST-ENV: OMP_WAIT_POLICY=passive
   TEST-ENV: OMP_CANCELLATION=true
   TEST-ENV: OMP_MAX_TASK_PRIORITY=4
   TEST-ENV: OMP_PLACES=threads  */
#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include "aux-fib.h"

#define MARK 4711

static int bad;
/* Not static: GCC takes the runtime's routines for leaf functions, and keeps the value of a static
   variable over GOMP_doacross_wait.  */
extern int shared_count;
int shared_count;

static void
check (int line)
{
  if (errno == MARK)
    return;
  printf ("line %d: errno %d\n", line, errno);
  __atomic_fetch_add (&bad, 1, __ATOMIC_RELAXED);
  errno = MARK;
}
#define CHECK check (__LINE__)

static void
tasks (void)
{
  int x = 0, y = 0;
  for (int i = 0; i < 2000; i++)
#pragma omp task
    ;
  CHECK;
#pragma omp taskwait
  CHECK;
  for (int i = 0; i < 100; i++)
#pragma omp task depend (inout: x) shared (x)
    x++;
  CHECK;
#pragma omp taskwait depend (in: x)
  CHECK;
#pragma omp taskgroup
#pragma omp task priority (2) depend (mutexinoutset: x) shared (x)
  x++;
  CHECK;
#pragma omp taskyield
  CHECK;
  omp_event_handle_t event;
#pragma omp task detach (event)
  x++;
  CHECK;
  omp_fulfill_event (event);
  CHECK;
#pragma omp taskloop num_tasks (30) reduction (+: y)
  for (int i = 0; i < 100; i++)
    y++;
  CHECK;
}

static void
loops (void)
{
#pragma omp for ordered (1) schedule (dynamic)
  for (int i = 0; i < 100; i++)
    {
#pragma omp ordered depend (sink: i - 1)
      shared_count++;
#pragma omp ordered depend (source)
    }
  CHECK;
#pragma omp for ordered schedule (dynamic)
  for (int i = 0; i < 100; i++)
#pragma omp ordered
    shared_count++;
  CHECK;
#pragma omp for schedule (dynamic)
  for (int i = 0; i < 100; i++)
    {
#pragma omp cancel for if (i == 50)
#pragma omp cancellation point for
    }
  CHECK;
#pragma omp single
  fib (14);
  CHECK;
}

static void
routines (void)
{
  omp_alloctrait_t traits[] = {
    { omp_atk_alignment, 64 }, { omp_atk_pool_size, 100000 }, { omp_atk_fallback, omp_atv_null_fb }
  };
  omp_allocator_handle_t a = omp_init_allocator (omp_large_cap_mem_space, 3, traits);
  CHECK;
  void *p = omp_alloc (1000, a);
  CHECK;
  omp_free (p, a);
  CHECK;
  p = omp_alloc (200000, a);
  CHECK;
  omp_free (p, a);
  omp_destroy_allocator (a);
  CHECK;
  char text[100];
  omp_capture_affinity (text, sizeof text, "%H %P %A %i");
  CHECK;
}

int
main (void)
{
  errno = MARK;
  for (int threads = 1; threads <= 8; threads *= 2)
    {
#pragma omp parallel num_threads (threads)
      {
	errno = MARK;
	tasks ();
	loops ();
	routines ();
#pragma omp barrier
	CHECK;
#pragma omp cancel parallel
      }
      CHECK;
      tasks ();
      routines ();
#pragma omp target
      ;
      CHECK;
      omp_pause_resource_all (omp_pause_soft);
      CHECK;
    }
  return bad != 0;
}
