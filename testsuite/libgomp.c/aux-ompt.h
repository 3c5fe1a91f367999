/* aux-ompt.h -- a tool that is part of a test: writes a line for each event into a text of the
   thread that it happens in, and checks that ids and nesting are right.

   The test includes this file, is linked with -rdynamic, and compares ompt_text (n), the text
   of the N-th thread that had an event, with what it expects.  A test that wants to see fewer
   events sets ompt_events before the first construct: a mask of 1 << event.

   Ids.  Each thread, region and task gets a number in its data word when it begins; a stack
   per thread tells which task and region all other events must name.  */

#include "../../include/omp-tools.h"

#include <omp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OMPT_TEXT_MAX 60000
#define OMPT_STACK 64

struct ompt_record
{
  char text[OMPT_TEXT_MAX];
  size_t length;
  int number;
  uint64_t thread_id;
  bool ended;
  /* The tasks that this thread runs, innermost last.  */
  struct { uint64_t task, region; } stack[OMPT_STACK];
  int depth;
};

#define OMPT_THREADS 64
static struct ompt_record *ompt_records[OMPT_THREADS];
static int ompt_threads;
static pthread_mutex_t ompt_lock = PTHREAD_MUTEX_INITIALIZER;
static __thread struct ompt_record *ompt_me;
static uint64_t ompt_ids;
static int ompt_failures;
static uint64_t ompt_events = ~(uint64_t) 0;
static int ompt_initialized, ompt_finalized;
static void (*ompt_at_finalize) (void) __attribute__ ((unused));

static ompt_set_callback_t ompt_set_callback;
static ompt_get_callback_t ompt_get_callback;
static ompt_get_thread_data_t ompt_get_thread_data;
static ompt_get_parallel_info_t ompt_get_parallel_info;
static ompt_get_task_info_t ompt_get_task_info;
static ompt_get_state_t ompt_get_state;
static ompt_get_unique_id_t ompt_get_unique_id;
static ompt_finalize_tool_t ompt_finalize_tool;
static ompt_function_lookup_t ompt_lookup;

static void __attribute__ ((format (printf, 1, 2), unused))
ompt_bad (const char *fmt, ...)
{
  va_list list;
  va_start (list, fmt);
  vfprintf (stderr, fmt, list);
  va_end (list);
  fputc ('\n', stderr);
  __atomic_add_fetch (&ompt_failures, 1, __ATOMIC_RELAXED);
}

static struct ompt_record *
ompt_self (void)
{
  if (ompt_me == NULL)
    {
      ompt_me = calloc (1, sizeof (*ompt_me));
      pthread_mutex_lock (&ompt_lock);
      ompt_me->number = ompt_threads;
      if (ompt_threads < OMPT_THREADS)
	ompt_records[ompt_threads] = ompt_me;
      ompt_threads++;
      pthread_mutex_unlock (&ompt_lock);
    }
  return ompt_me;
}

static void __attribute__ ((format (printf, 2, 3)))
ompt_note (int event, const char *fmt, ...)
{
  struct ompt_record *me = ompt_self ();
  va_list list;
  if (!(ompt_events >> event & 1))
    return;
  va_start (list, fmt);
  int n = vsnprintf (me->text + me->length, OMPT_TEXT_MAX - me->length, fmt, list);
  va_end (list);
  me->length += n;
  if (me->length >= OMPT_TEXT_MAX - 1)
    {
      ompt_bad ("text too long");
      me->length = 0;
    }
}

/* The N-th thread's text so far.  */
static const char * __attribute__ ((unused))
ompt_text (int n)
{
  return n < ompt_threads && n < OMPT_THREADS ? ompt_records[n]->text : "";
}

static void __attribute__ ((unused))
ompt_forget (void)
{
  for (int i = 0; i < ompt_threads; i++)
    {
      ompt_records[i]->length = 0;
      ompt_records[i]->text[0] = '\0';
    }
}

static void __attribute__ ((unused))
ompt_expect (int n, const char *what, const char *want)
{
  if (strcmp (ompt_text (n), want) != 0)
    ompt_bad ("%s, thread %d: got\n%swant\n%s", what, n, ompt_text (n), want);
}

/* ---- checks ---- */

static uint64_t
ompt_new_id (void)
{
  return __atomic_add_fetch (&ompt_ids, 1, __ATOMIC_RELAXED);
}

/* TASK and REGION are those of the event WHAT: what the thread runs.  */
static void
ompt_check_in (const char *what, const ompt_data_t *region, const ompt_data_t *task)
{
  struct ompt_record *me = ompt_self ();
  if (me->depth == 0)
    {
      ompt_bad ("%s outside of any task", what);
      return;
    }
  if (task != NULL && task->value != me->stack[me->depth - 1].task)
    ompt_bad ("%s: task %lu instead of %lu", what, (long) task->value,
	      (long) me->stack[me->depth - 1].task);
  if (region != NULL && region->value != me->stack[me->depth - 1].region)
    ompt_bad ("%s: region %lu instead of %lu", what, (long) region->value,
	      (long) me->stack[me->depth - 1].region);
  ompt_data_t *thread = ompt_get_thread_data ();
  if (thread == NULL || thread->value != me->thread_id)
    ompt_bad ("%s: thread data lost", what);
}

static const char *
ompt_endpoint (ompt_scope_endpoint_t endpoint)
{
  return endpoint == ompt_scope_begin ? "begin" : endpoint == ompt_scope_end ? "end" : "both";
}

static const char *
ompt_name (const char *const *names, int n, int i)
{
  return i > 0 && i < n && names[i] != NULL ? names[i] : "?";
}

/* ---- callbacks ---- */

static void
on_thread_begin (ompt_thread_t kind, ompt_data_t *data)
{
  struct ompt_record *me = ompt_self ();
  if (data->value != 0)
    ompt_bad ("thread data not empty");
  me->thread_id = data->value = ompt_new_id ();
  ompt_note (ompt_callback_thread_begin, "thread begin %s\n",
	     kind == ompt_thread_initial ? "initial" : kind == ompt_thread_worker ? "worker" : "?");
}

static void
on_thread_end (ompt_data_t *data)
{
  struct ompt_record *me = ompt_self ();
  if (data->value != me->thread_id)
    ompt_bad ("thread data lost");
  if (me->ended || me->depth != 0)
    ompt_bad ("thread ends twice or in a task");
  me->ended = true;
  ompt_note (ompt_callback_thread_end, "thread end\n");
}

static void
on_parallel_begin (ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
		   unsigned requested, int flags, const void *codeptr)
{
  ompt_check_in ("parallel_begin", NULL, task);
  if (region->value != 0)
    ompt_bad ("region data not empty");
  if (frame->enter_frame.ptr == NULL || codeptr == NULL)
    ompt_bad ("parallel_begin: no frame or no address");
  region->value = ompt_new_id ();
  ompt_note (ompt_callback_parallel_begin, "parallel begin %u%s%s%s%s\n", requested,
	     flags & ompt_parallel_league ? " league" : "",
	     (unsigned) flags & ompt_parallel_team ? " team" : "",
	     flags & ompt_parallel_invoker_program ? " program" : "",
	     flags & ompt_parallel_invoker_runtime ? " runtime" : "");
}

static void
on_parallel_end (ompt_data_t *region, ompt_data_t *task, int flags, const void *codeptr)
{
  ompt_check_in ("parallel_end", NULL, task);
  if (region->value == 0 || codeptr == NULL || flags == 0)
    ompt_bad ("parallel_end: no region, address or flags");
  ompt_note (ompt_callback_parallel_end, "parallel end\n");
}

static void
on_implicit_task (ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
		  unsigned parallelism, unsigned index, int flags)
{
  struct ompt_record *me = ompt_self ();
  if (endpoint == ompt_scope_begin)
    {
      if (task->value != 0 || region == NULL || me->depth == OMPT_STACK)
	{
	  ompt_bad ("implicit task: data not empty, or no region");
	  return;
	}
      if (flags & ompt_task_initial && region->value == 0)
	region->value = ompt_new_id ();
      task->value = ompt_new_id ();
      me->stack[me->depth].task = task->value;
      me->stack[me->depth++].region = region->value;
    }
  else
    {
      ompt_check_in ("implicit task end", NULL, task);
      /* Tools of LLVM find the region of an initial task here, the specification has none.  */
      if (flags & ompt_task_initial
	  ? region == NULL || region->value != me->stack[me->depth - 1].region : region != NULL)
	ompt_bad ("implicit task end with a wrong region");
      me->depth--;
    }
  ompt_note (ompt_callback_implicit_task, "%s task %s %u %u\n",
	     flags & ompt_task_initial ? "initial" : flags & ompt_task_implicit ? "implicit" : "?",
	     ompt_endpoint (endpoint), parallelism, index);
}

static void
on_task_create (ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task, int flags,
		int has_dependences, const void *codeptr)
{
  ompt_check_in ("task_create", NULL, parent);
  if (task->value != 0)
    ompt_bad ("task data not empty");
  if (frame->enter_frame.ptr == NULL || codeptr == NULL)
    ompt_bad ("task_create: no frame or no address");
  task->value = ompt_new_id ();
  ompt_note (ompt_callback_task_create, "create%s%s%s%s%s%s\n",
	     flags & ompt_task_explicit ? " explicit" : " ?",
	     flags & ompt_task_undeferred ? " undeferred" : "",
	     flags & ompt_task_untied ? " untied" : "", flags & ompt_task_final ? " final" : "",
	     flags & ompt_task_mergeable ? " mergeable" : "",
	     has_dependences ? " depend" : "");
}

static const char *const ompt_status_names[] = {
  [ompt_task_complete] = "complete",
  [ompt_task_yield] = "yield",
  [ompt_task_cancel] = "cancel",
  [ompt_task_detach] = "detach",
  [ompt_task_late_fulfill] = "late fulfill",
  [ompt_task_switch] = "switch",
};

static void
on_task_schedule (ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
  struct ompt_record *me = ompt_self ();
  ompt_note (ompt_callback_task_schedule, "schedule %s\n",
	     ompt_name (ompt_status_names, 8, status));
  switch (status)
    {
    case ompt_task_switch:
    case ompt_task_yield:
      ompt_check_in ("task_schedule", NULL, prior);
      if (next == NULL || next->value == 0 || me->depth == OMPT_STACK)
	{
	  ompt_bad ("switch to nothing");
	  return;
	}
      me->stack[me->depth].task = next->value;
      me->stack[me->depth].region = me->stack[me->depth - 1].region;
      me->depth++;
      break;
    case ompt_task_complete:
    case ompt_task_detach:
      ompt_check_in ("task_schedule", NULL, prior);
      me->depth--;
      ompt_check_in ("task_schedule", NULL, next);
      break;
    case ompt_task_cancel:
      ompt_check_in ("task_schedule", NULL, next);
      break;
    case ompt_task_late_fulfill:
      if (next != NULL || prior->value == 0)
	ompt_bad ("fulfilled: wrong tasks");
      break;
    default:
      ompt_bad ("schedule status %d", status);
    }
}

static void
on_dependences (ompt_data_t *task, const ompt_dependence_t *deps, int n)
{
  static const char *const names[] = {
    [ompt_dependence_type_in] = "in",
    [ompt_dependence_type_out] = "out",
    [ompt_dependence_type_inout] = "inout",
    [ompt_dependence_type_mutexinoutset] = "mutexinoutset",
    [ompt_dependence_type_inoutset] = "inoutset",
    [ompt_dependence_type_inout_all_memory] = "all memory",
  };
  if (task->value == 0)
    ompt_bad ("dependences of nothing");
  for (int i = 0; i < n; i++)
    ompt_note (ompt_callback_dependences, "%s %p\n",
	       ompt_name (names, 36, deps[i].dependence_type), deps[i].variable.ptr);
}

/* Tasks are told by the order in which they were created: their ids.  */
static void
on_task_dependence (ompt_data_t *source, ompt_data_t *sink)
{
  if (source->value == 0 || sink->value <= source->value)
    ompt_bad ("task_dependence: %lu, %lu", (long) source->value, (long) sink->value);
  ompt_note (ompt_callback_task_dependence, "waits for %lu before\n",
	     (long) (sink->value - source->value));
}

static void
on_cancel (ompt_data_t *task, int flags, const void *codeptr)
{
  if (flags & ompt_cancel_discarded_task ? task->value == 0 || codeptr != NULL : codeptr == NULL)
    ompt_bad ("cancel: no task, or wrong address");
  if (!(flags & ompt_cancel_discarded_task))
    ompt_check_in ("cancel", NULL, task);
  ompt_note (ompt_callback_cancel, "cancel%s%s%s%s%s%s%s\n",
	     flags & ompt_cancel_parallel ? " parallel" : "",
	     flags & ompt_cancel_sections ? " sections" : "",
	     flags & ompt_cancel_loop ? " loop" : "",
	     flags & ompt_cancel_taskgroup ? " taskgroup" : "",
	     flags & ompt_cancel_activated ? " activated" : "",
	     flags & ompt_cancel_detected ? " detected" : "",
	     flags & ompt_cancel_discarded_task ? " discarded" : "");
}

static const char *const ompt_sync_names[] = {
  [ompt_sync_region_barrier_explicit] = "explicit barrier",
  [ompt_sync_region_taskwait] = "taskwait",
  [ompt_sync_region_taskgroup] = "taskgroup",
  [ompt_sync_region_barrier_implicit_workshare] = "workshare barrier",
  [ompt_sync_region_barrier_implicit_parallel] = "parallel barrier",
};

static void
on_sync (int event, const char *what, ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	 ompt_data_t *region, ompt_data_t *task)
{
  if (region == NULL && (kind != ompt_sync_region_barrier_implicit_parallel
			 || endpoint != ompt_scope_end))
    ompt_bad ("sync_region without a region");
  ompt_check_in ("sync_region", region, task);
  ompt_note (event, "%s %s %s\n", what, ompt_name (ompt_sync_names, 10, kind),
	     ompt_endpoint (endpoint));
}

static void
on_sync_region (ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
		ompt_data_t *task, const void *codeptr)
{
  (void) codeptr;
  on_sync (ompt_callback_sync_region, "sync", kind, endpoint, region, task);
}

static void
on_sync_region_wait (ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
		     ompt_data_t *region, ompt_data_t *task, const void *codeptr)
{
  (void) codeptr;
  on_sync (ompt_callback_sync_region_wait, "wait", kind, endpoint, region, task);
}

static const char *const ompt_work_names[] = {
  [ompt_work_loop] = "loop",
  [ompt_work_sections] = "sections",
  [ompt_work_single_executor] = "single executor",
  [ompt_work_single_other] = "single other",
  [ompt_work_taskloop] = "taskloop",
  [ompt_work_scope] = "scope",
  [ompt_work_loop_static] = "static loop",
  [ompt_work_loop_dynamic] = "dynamic loop",
  [ompt_work_loop_guided] = "guided loop",
  [ompt_work_loop_other] = "other loop",
};

static void
on_work (ompt_work_t work, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
	 ompt_data_t *task, uint64_t count, const void *codeptr)
{
  ompt_check_in ("work", region, task);
  if (codeptr == NULL)
    ompt_bad ("work without address");
  ompt_note (ompt_callback_work, "work %s %s %lu\n", ompt_name (ompt_work_names, 14, work),
	     ompt_endpoint (endpoint), (long) count);
}

static void
on_dispatch (ompt_data_t *region, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance)
{
  ompt_check_in ("dispatch", region, task);
  const ompt_dispatch_chunk_t *chunk = instance.ptr;
  if (kind == ompt_dispatch_section)
    ompt_note (ompt_callback_dispatch, "section\n");
  else
    ompt_note (ompt_callback_dispatch, "%schunk %lu %lu\n",
	       kind == ompt_dispatch_ws_loop_chunk ? "" : "? ", (long) chunk->start,
	       (long) chunk->iterations);
}

static const char *const ompt_mutex_names[] = {
  [ompt_mutex_lock] = "lock",
  [ompt_mutex_test_lock] = "test lock",
  [ompt_mutex_nest_lock] = "nest lock",
  [ompt_mutex_test_nest_lock] = "test nest lock",
  [ompt_mutex_critical] = "critical",
  [ompt_mutex_atomic] = "atomic",
  [ompt_mutex_ordered] = "ordered",
};

static void
on_mutex_acquire (int event, const char *what, ompt_mutex_t kind, unsigned impl,
		  ompt_wait_id_t id, const void *codeptr)
{
  if (id == 0 || codeptr == NULL || impl == 0)
    ompt_bad ("mutex without id, address or implementation");
  ompt_note (event, "%s %s\n", what, ompt_name (ompt_mutex_names, 8, kind));
}

static void
on_acquire (ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id,
	    const void *codeptr)
{
  (void) hint;
  on_mutex_acquire (ompt_callback_mutex_acquire, "acquire", kind, impl, id, codeptr);
}

static void
on_lock_init (ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id,
	      const void *codeptr)
{
  (void) hint;
  on_mutex_acquire (ompt_callback_lock_init, "init", kind, impl, id, codeptr);
}

static void
on_acquired (ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr)
{
  on_mutex_acquire (ompt_callback_mutex_acquired, "acquired", kind, 1, id, codeptr);
}

static void
on_released (ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr)
{
  on_mutex_acquire (ompt_callback_mutex_released, "released", kind, 1, id, codeptr);
}

static void
on_lock_destroy (ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr)
{
  on_mutex_acquire (ompt_callback_lock_destroy, "destroy", kind, 1, id, codeptr);
}

static void
on_nest_lock (ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void *codeptr)
{
  if (id == 0 || codeptr == NULL)
    ompt_bad ("nest lock without id or address");
  ompt_note (ompt_callback_nest_lock, "nested %s\n", ompt_endpoint (endpoint));
}

static void
on_error (ompt_severity_t severity, const char *message, size_t length, const void *codeptr)
{
  if (codeptr == NULL)
    ompt_bad ("error without address");
  ompt_note (ompt_callback_error, "error %s %.*s\n",
	     severity == ompt_warning ? "warning" : "fatal", (int) length,
	     message != NULL ? message : "");
}

/* ---- start and end ---- */

static const struct
{
  ompt_callbacks_t event;
  ompt_callback_t function;
} ompt_table[] = {
  { ompt_callback_thread_begin, (ompt_callback_t) on_thread_begin },
  { ompt_callback_thread_end, (ompt_callback_t) on_thread_end },
  { ompt_callback_parallel_begin, (ompt_callback_t) on_parallel_begin },
  { ompt_callback_parallel_end, (ompt_callback_t) on_parallel_end },
  { ompt_callback_implicit_task, (ompt_callback_t) on_implicit_task },
  { ompt_callback_task_create, (ompt_callback_t) on_task_create },
  { ompt_callback_task_schedule, (ompt_callback_t) on_task_schedule },
  { ompt_callback_dependences, (ompt_callback_t) on_dependences },
  { ompt_callback_task_dependence, (ompt_callback_t) on_task_dependence },
  { ompt_callback_sync_region, (ompt_callback_t) on_sync_region },
  { ompt_callback_sync_region_wait, (ompt_callback_t) on_sync_region_wait },
  { ompt_callback_work, (ompt_callback_t) on_work },
  { ompt_callback_dispatch, (ompt_callback_t) on_dispatch },
  { ompt_callback_mutex_acquire, (ompt_callback_t) on_acquire },
  { ompt_callback_mutex_acquired, (ompt_callback_t) on_acquired },
  { ompt_callback_mutex_released, (ompt_callback_t) on_released },
  { ompt_callback_lock_init, (ompt_callback_t) on_lock_init },
  { ompt_callback_lock_destroy, (ompt_callback_t) on_lock_destroy },
  { ompt_callback_nest_lock, (ompt_callback_t) on_nest_lock },
  { ompt_callback_cancel, (ompt_callback_t) on_cancel },
  { ompt_callback_error, (ompt_callback_t) on_error },
};

static int
on_initialize (ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
  ompt_initialized++;
  ompt_lookup = lookup;
  ompt_set_callback = (ompt_set_callback_t) lookup ("ompt_set_callback");
  ompt_get_callback = (ompt_get_callback_t) lookup ("ompt_get_callback");
  ompt_get_thread_data = (ompt_get_thread_data_t) lookup ("ompt_get_thread_data");
  ompt_get_parallel_info = (ompt_get_parallel_info_t) lookup ("ompt_get_parallel_info");
  ompt_get_task_info = (ompt_get_task_info_t) lookup ("ompt_get_task_info");
  ompt_get_state = (ompt_get_state_t) lookup ("ompt_get_state");
  ompt_get_unique_id = (ompt_get_unique_id_t) lookup ("ompt_get_unique_id");
  ompt_finalize_tool = (ompt_finalize_tool_t) lookup ("ompt_finalize_tool");
  if (data->value != 4711 || device != omp_get_initial_device ())
    ompt_bad ("initialize: wrong data or device");
  for (size_t i = 0; i < sizeof (ompt_table) / sizeof (ompt_table[0]); i++)
    if (ompt_set_callback (ompt_table[i].event, ompt_table[i].function) < ompt_set_sometimes)
      ompt_bad ("callback %d cannot be set", ompt_table[i].event);
  return 1;
}

static void
on_finalize (ompt_data_t *data)
{
  ompt_finalized++;
  if (data->value != 4711)
    ompt_bad ("finalize: wrong data");
  if (ompt_at_finalize != NULL)
    ompt_at_finalize ();
  if (ompt_failures > 0)
    _Exit (1);
}

ompt_start_tool_result_t *
ompt_start_tool (unsigned omp_version, const char *runtime_version)
{
  static ompt_start_tool_result_t result = { on_initialize, on_finalize, { 4711 } };
  if (omp_version < 202011 || strstr (runtime_version, "gompx") == NULL)
    ompt_bad ("ompt_start_tool: %u %s", omp_version, runtime_version);
  return &result;
}
