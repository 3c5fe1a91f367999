/* What a tool hears of target tasks as tasks: their creation, who starts them, how they end, and which
   constructs are theirs.
   TEST-MODES: cpu
   TEST-OPTIONS: -rdynamic -D_GNU_SOURCE -ldl  */

#include "aux-device-api.h"
#include "../../include/omp-tools.h"

static int failures;
#define CHECK(cond) \
  ((cond) ? (void) 0 : (failures++, (void) fprintf (stderr, "line %d: %s\n", __LINE__, #cond)))

/* What happened to a task; its data is the number.  Any thread may report.  */
struct seen
{
  int flags, has_dependences, ndeps, edges;
  int switches, detached, late, complete, cancelled, target_begin, target_end, ops, parent;
  const void *codeptr;
};
static struct seen seen[64];
static int count;		/* only the main thread creates */

static void
add (int *n)
{
  __atomic_add_fetch (n, 1, __ATOMIC_RELAXED);
}

static struct seen *
of (const ompt_data_t *task)
{
  static struct seen others;
  return task != NULL && task->value > 0 && task->value < 64 ? &seen[task->value] : &others;
}

static void
on_create (ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task, int flags,
	   int has_dependences, const void *codeptr)
{
  CHECK (frame != NULL && frame->enter_frame.ptr != NULL);
  task->value = ++count;
  *of (task) = (struct seen) { .flags = flags, .has_dependences = has_dependences,
			       .codeptr = codeptr, .parent = parent->value };
}

static void
on_schedule (ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
  struct seen *p = of (prior);
  if (status == ompt_task_detach)
    add (&p->detached);
  else if (status == ompt_task_late_fulfill)
    add (&p->late);
  else if (status == ompt_task_complete)
    add (&p->complete);
  else if (status == ompt_task_cancel)
    add (&p->cancelled);
  if ((next == NULL) != (status == ompt_task_late_fulfill))
    abort ();
  if (status == ompt_task_switch)
    add (&of (next)->switches);
}

static void
on_dependences (ompt_data_t *task, const ompt_dependence_t *deps, int n)
{
  of (task)->ndeps = n;
  CHECK (deps[0].variable.ptr != NULL);
}

static void
on_edge (ompt_data_t *source, ompt_data_t *sink)
{
  CHECK (source->value < sink->value);
  of (sink)->edges++;
}

static void
on_target (ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
	   ompt_data_t *target_task, ompt_data_t *data, const void *codeptr)
{
  (void) device;
  (void) data;
  (void) codeptr;
  if ((kind >= ompt_target_nowait) != (target_task != NULL))
    abort ();
  if (endpoint == ompt_scope_begin && task == NULL)
    abort ();
  add (endpoint == ompt_scope_begin ? &of (target_task)->target_begin
       : &of (target_task)->target_end);
}

static void
on_op (ompt_scope_endpoint_t endpoint, ompt_data_t *target_task, ompt_data_t *data, ompt_id_t *id,
       ompt_target_data_op_t type, void *src, int src_device, void *dst, int dst_device,
       size_t bytes, const void *codeptr)
{
  (void) data;
  (void) id;
  (void) src;
  (void) src_device;
  (void) dst;
  (void) dst_device;
  (void) bytes;
  (void) codeptr;
  if (endpoint == ompt_scope_begin && type != ompt_target_data_delete)
    add (&of (target_task)->ops);
}

static int
initialize (ompt_function_lookup_t lookup, int initial_device, ompt_data_t *data)
{
  ompt_set_callback_t set = (ompt_set_callback_t) lookup ("ompt_set_callback");
  (void) initial_device;
  (void) data;
  set (ompt_callback_task_create, (ompt_callback_t) on_create);
  set (ompt_callback_task_schedule, (ompt_callback_t) on_schedule);
  set (ompt_callback_dependences, (ompt_callback_t) on_dependences);
  set (ompt_callback_task_dependence, (ompt_callback_t) on_edge);
  set (ompt_callback_target_emi, (ompt_callback_t) on_target);
  set (ompt_callback_target_data_op_emi, (ompt_callback_t) on_op);
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

/* Task NUMBER was executed by a device.  */
static void
check_on_device (int number, int ndeps, int edges, int ops)
{
  struct seen *s = &seen[number];
  CHECK (s->flags == ompt_task_target);
  CHECK (s->codeptr != NULL);
  CHECK (s->has_dependences == (ndeps > 0) && s->ndeps == ndeps);
  CHECK (s->edges <= edges);
  CHECK (s->switches == 1);
  CHECK (s->detached + s->complete == 1 && s->late == s->detached);
  CHECK (s->cancelled == 0);
  CHECK (s->target_begin == 1 && s->target_end == 1);
  CHECK (s->ops == ops);
}

int
main (void)
{
  static int a[1000], b;
  int host = omp_get_initial_device ();

  get_routines ();

#pragma omp target enter data map (to: a) nowait depend (out: a)
#pragma omp target nowait depend (inout: a)
  a[5]++;
#pragma omp target update from (a) nowait depend (inout: a)
#pragma omp taskwait
  CHECK (a[5] == 1 && count == 3);
  check_on_device (1, 1, 0, 2);
  check_on_device (2, 1, 1, 0);
  check_on_device (3, 1, 1, 1);
  CHECK (seen[2].detached == 1);

  /* Nothing is to be done.  */
#pragma omp target enter data map (to: a) nowait
#pragma omp taskwait
  check_on_device (4, 0, 0, 0);
  CHECK (seen[4].complete == 1);

  /* Of an explicit task.  */
#pragma omp task
  {
#pragma omp target nowait map (tofrom: b)
    b++;
#pragma omp taskwait
  }
#pragma omp taskwait
  CHECK (count == 6 && b == 1);
  CHECK (seen[5].flags == (ompt_task_explicit | (seen[5].flags & ompt_task_undeferred)));
  check_on_device (6, 0, 0, 3);
  CHECK (seen[6].parent == 5);

  /* The host.  */
#pragma omp target device (host) nowait map (tofrom: b)
  b++;
#pragma omp target update to (b) device (host) nowait
#pragma omp taskwait
  CHECK (b == 2 && count == 8);
  for (int i = 7; i <= 8; i++)
    {
      CHECK ((seen[i].flags & ompt_task_target) && !(seen[i].flags & ompt_task_explicit));
      CHECK (seen[i].switches == 1 && seen[i].complete == 1);
      CHECK (seen[i].target_begin == 1 && seen[i].target_end == 1);
    }

  /* A routine: no construct.  */
  int *p = omp_target_alloc (sizeof (b), 0);
  memcpy_async (p, &b, sizeof (b), 0, 0, 0, host, 0, NULL);
#pragma omp taskwait
  CHECK (count == 9);
  CHECK (seen[9].flags == ompt_task_target && seen[9].switches == 1);
  CHECK (seen[9].detached == 1 && seen[9].late == 1 && seen[9].ops == 1);
  CHECK (seen[9].target_begin == 0);
  omp_target_free (p, 0);

  /* Not with a construct that the thread waits for.  */
#pragma omp target map (tofrom: b)
  b++;
  CHECK (count == 9 && b == 3);
#pragma omp target exit data map (delete: a)
  return failures != 0;
}
