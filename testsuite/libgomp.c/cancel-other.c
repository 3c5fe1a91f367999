/* A point of one construct where another one is cancelled goes on: of the region in a cancelled loop, of
   a loop in a taskgroup that is cancelled, of a taskgroup in a cancelled loop; and of a loop that comes
   behind a cancelled one without a barrier.  In teams of one and of two threads.
   TEST-ENV: OMP_CANCELLATION=true  */
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>

extern bool GOMP_cancel (int, bool), GOMP_cancellation_point (int);
enum { PARALLEL = 1, LOOP = 2, SECTIONS = 4, TASKGROUP = 8 };

static int bad;

static void
check (bool ok, const char *what)
{
  if (!ok)
    {
      printf ("wrong: %s, %d threads\n", what, omp_get_num_threads ());
      __atomic_fetch_add (&bad, 1, __ATOMIC_RELAXED);
    }
}

/* Called from the constructs, so that the compiler leaves no construct and drops no point.  */
static void __attribute__ ((noipa))
in_loop (void)
{
  check (GOMP_cancel (LOOP, true), "a loop cancels itself");
  check (GOMP_cancellation_point (LOOP), "point in a cancelled loop");
  check (GOMP_cancellation_point (SECTIONS), "sections are the same");
  check (!GOMP_cancellation_point (PARALLEL), "region around a cancelled loop");
  check (!GOMP_cancellation_point (TASKGROUP), "taskgroup around a cancelled loop");
  check (!GOMP_cancel (PARALLEL, false), "region around it, if clause");
}

static void __attribute__ ((noipa))
in_task (void)
{
  check (GOMP_cancel (TASKGROUP, true), "a taskgroup cancels itself");
  check (GOMP_cancellation_point (TASKGROUP), "point in a cancelled taskgroup");
  check (!GOMP_cancellation_point (LOOP), "loop around a cancelled taskgroup");
  check (!GOMP_cancellation_point (PARALLEL), "region around a cancelled taskgroup");
}

static void __attribute__ ((noipa))
untouched (const char *where)
{
  check (!GOMP_cancellation_point (PARALLEL) && !GOMP_cancellation_point (LOOP)
	 && !GOMP_cancellation_point (TASKGROUP), where);
}

int
main (void)
{
  for (int threads = 1; threads <= 2; threads++)
    for (int round = 0; round < 50; round++)
      {
#pragma omp parallel num_threads (threads)
	{
	  untouched ("before");
#pragma omp barrier
#pragma omp for schedule (dynamic) nowait
	  for (int i = 0; i < omp_get_num_threads (); i++)
	    in_loop ();
#pragma omp for schedule (dynamic)
	  for (int i = 0; i < 2; i++)
	    check (!GOMP_cancellation_point (PARALLEL), "region, in the loop behind");
	  untouched ("behind the barrier");
#pragma omp barrier
#pragma omp master
	  {
#pragma omp taskgroup
	    {
#pragma omp task if (0)
	      in_task ();
	      check (GOMP_cancellation_point (TASKGROUP), "point behind the task");
	    }
	    untouched ("behind the taskgroup");
#pragma omp taskgroup
	    untouched ("in the next taskgroup");
	  }
#pragma omp barrier
#pragma omp single nowait
	  check (GOMP_cancel (PARALLEL, true), "the region");
	}
      }
  return bad != 0;
}
