/* Cancellation of a taskgroup and of a region: target tasks that have not started are discarded,
   those in flight are completed, and what waits for them goes on.
   TEST-ENV: OMP_CANCELLATION=true
   TEST-MODES: host cpu test gpu */
#include <omp.h>
#include <stdio.h>

static int failures;
#define CHECK(condition)						\
  do									\
    if (!(condition))							\
      {									\
	printf ("%d: not so: %s\n", __LINE__, #condition);		\
	failures++;							\
      }									\
  while (0)

static void
groups (void)
{
  omp_event_handle_t event;
  int x = 0, y = 0, z = 0, on_device = 0;
#pragma omp target enter data map(to: z)
#pragma omp taskgroup
  {
#pragma omp task detach(event) depend(out: x)
    { }
    /* These wait for the event.  */
#pragma omp target map(tofrom: x) nowait depend(inout: x)
    x = 1;
#pragma omp target update to(z) nowait depend(inout: x)
#pragma omp target exit data map(delete: z) nowait depend(inout: x)
    /* This one does not.  */
#pragma omp target map(tofrom: y) nowait
    y = 1;
    z = 5;
#pragma omp task if(0)
    {
#pragma omp cancel taskgroup
    }
    omp_fulfill_event (event);
  }
  CHECK (x == 0 && z == 5);
#pragma omp target map(tofrom: on_device) map(alloc: z)
  on_device = z;
  /* Neither was the value copied, nor the mapping removed.  */
  if (omp_get_num_devices () > 0)
    CHECK (on_device == 0 && omp_target_is_present (&z, omp_get_default_device ()));
#pragma omp target exit data map(delete: z)
#pragma omp taskgroup
  {
#pragma omp target map(tofrom: y) nowait
    y = 7;
  }
  CHECK (y == 7);
}

static void
parallel (void)
{
  int x = 0, after = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num () == 0)
      {
#pragma omp cancel parallel
      }
#pragma omp barrier
#pragma omp target map(tofrom: x) nowait
    x = 1;
  }
  CHECK (x == 0);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp target map(tofrom: after) nowait
    after = 1;
  }
  CHECK (after == 1);
}

int
main (void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
  groups ();
  parallel ();
  return failures != 0;
}
