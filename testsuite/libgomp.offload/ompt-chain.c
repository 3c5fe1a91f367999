/* A chain of target tasks that begins with a task that is not complete when all of them are made: as
   soon as the first one runs, the others are enqueued behind it on the device, without waiting for its
   end.  A tool tells when they start.
   TEST-MODES: cpu
   TEST-OPTIONS: -rdynamic -D_GNU_SOURCE  */

#include "../../include/omp-tools.h"

#include <omp.h>
#include <stdio.h>
#include <time.h>

enum { CHAIN = 4 };
static int created, started;	/* target tasks; atomic */

static void
on_create (ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task, int flags,
	   int has_dependences, const void *codeptr)
{
  (void) parent;
  (void) frame;
  (void) has_dependences;
  (void) codeptr;
  if (flags & ompt_task_target)
    task->value = ++created;
}

static void
on_schedule (ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
  (void) prior;
  if (status == ompt_task_switch && next->value != 0)
    __atomic_add_fetch (&started, 1, __ATOMIC_SEQ_CST);
}

static int
initialize (ompt_function_lookup_t lookup, int initial_device, ompt_data_t *data)
{
  ompt_set_callback_t set = (ompt_set_callback_t) lookup ("ompt_set_callback");
  (void) initial_device;
  (void) data;
  set (ompt_callback_task_create, (ompt_callback_t) on_create);
  set (ompt_callback_task_schedule, (ompt_callback_t) on_schedule);
  return 1;
}

static void
finalize (ompt_data_t *data)
{
  (void) data;
}

ompt_start_tool_result_t *
ompt_start_tool (unsigned version, const char *runtime)
{
  static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };
  (void) version;
  (void) runtime;
  return &result;
}

int
main (void)
{
  int *flag = omp_target_alloc (sizeof (int), 0), x = 0, one = 1, zero = 0, failures = 0;
  int host = omp_get_initial_device ();
  omp_event_handle_t event;

#pragma omp target enter data map (to: x)
  omp_target_memcpy (flag, &zero, sizeof (zero), 0, 0, 0, host);
#pragma omp task detach (event) depend (out: x)
  ;
#pragma omp target nowait depend (inout: x) map (tofrom: x) is_device_ptr (flag)
  {
    while (__atomic_load_n (flag, __ATOMIC_ACQUIRE) == 0)
      ;
    x = 1;
  }
  for (int i = 1; i < CHAIN; i++)
#pragma omp target nowait depend (inout: x) map (tofrom: x)
    x = 10 * x + i;
#pragma omp target update from (x) nowait depend (inout: x)

  if (created != CHAIN + 1 || __atomic_load_n (&started, __ATOMIC_SEQ_CST) != 0)
    {
      printf ("FAIL: %d created, %d started too early\n", created, started);
      failures++;
    }
  omp_fulfill_event (event);
  /* The first region does not end before it is told to.  */
  time_t end = time (NULL) + 60;
  while (__atomic_load_n (&started, __ATOMIC_SEQ_CST) < CHAIN && time (NULL) < end)
    {
#pragma omp taskyield
    }
  if (__atomic_load_n (&started, __ATOMIC_SEQ_CST) < CHAIN)
    {
      printf ("FAIL: only %d started while the first one runs\n", started);
      failures++;
    }
  omp_target_memcpy (flag, &one, sizeof (one), 0, 0, 0, host);
#pragma omp taskwait
  if (x != 1123 || started != CHAIN + 1)
    {
      printf ("FAIL: x %d, %d started\n", x, started);
      failures++;
    }
#pragma omp target exit data map (delete: x)
  omp_target_free (flag, 0);
  return failures != 0;
}
