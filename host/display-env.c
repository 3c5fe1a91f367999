/* display-env.c -- OMP_DISPLAY_ENV and omp_display_env (abi/host section 7.1).

   The lines show what the environment gave, without a suffix for the host, and then, for
   variables that have suffixes, what it gave for everything, for all devices and for each
   device.  Setters of the API do not change them.  OMP_DISPLAY_ENV=verbose names the library, too;
   omp_display_env is as in GCC's library.  The text goes out in one piece.  */

#include "host/abi.h"
#include "host/affinity-fmt.h"
#include "host/env.h"
#include "host/icv.h"
#include "host/places.h"
#include "host/text.h"
#include "target.h"

#include <stdio.h>

/* What GCC's library shows for waiting threads; our own counts (env.c) are an implementation
   detail that nobody asked for by number.  */
#define SHOWN_SPIN_ACTIVE 30000000000
#define SHOWN_SPIN_DEFAULT 300000

typedef void show_fn (struct gomp_text *, const struct gomp_env_values *);

/* ---- the values of variables with suffixes ---- */

static void
show_dynamic (struct gomp_text *t, const struct gomp_env_values *v)
{
  gomp_text_add (t, "%s", v->dynamic ? "TRUE" : "FALSE");
}

static void
show_num_threads (struct gomp_text *t, const struct gomp_env_values *v)
{
  for (unsigned i = 0; i < v->num_threads_len; i++)
    gomp_text_add (t, "%s%u", i ? "," : "", v->num_threads[i]);
}

static void
show_schedule (struct gomp_text *t, const struct gomp_env_values *v)
{
  static const char *const names[] = { "STATIC", "DYNAMIC", "GUIDED", "AUTO" };
  unsigned kind = v->schedule & GOMP_SCHED_KIND_MASK;
  bool monotonic = v->schedule & GOMP_SCHED_MONOTONIC;

  if (kind == GOMP_SCHED_STATIC)
    gomp_text_add (t, "%s", monotonic ? "" : "NONMONOTONIC:");
  else
    gomp_text_add (t, "%s", monotonic ? "MONOTONIC:" : "");
  gomp_text_add (t, "%s", names[kind - GOMP_SCHED_STATIC]);
  if (kind != GOMP_SCHED_AUTO && v->schedule_chunk != (kind == GOMP_SCHED_STATIC ? 0 : 1))
    gomp_text_add (t, ",%d", v->schedule_chunk);
}

static void
show_proc_bind (struct gomp_text *t, const struct gomp_env_values *v)
{
  static const char *const names[] = {
    [GOMP_BIND_FALSE] = "FALSE",
    [GOMP_BIND_TRUE] = "TRUE",
    [GOMP_BIND_PRIMARY] = "MASTER",
    [GOMP_BIND_CLOSE] = "CLOSE",
    [GOMP_BIND_SPREAD] = "SPREAD"
  };
  for (unsigned i = 0; i < v->proc_bind_len; i++)
    gomp_text_add (t, "%s%s", i ? "," : "", names[v->proc_bind[i]]);
}

static void
show_stack_size (struct gomp_text *t, const struct gomp_env_values *v)
{
  gomp_text_add (t, "%zu", v->stack_size);
}

static void
show_wait_policy (struct gomp_text *t, const struct gomp_env_values *v)
{
  gomp_text_add (t, "%s", v->wait_policy == GOMP_WAIT_ACTIVE ? "ACTIVE" : "PASSIVE");
}

static void
show_thread_limit (struct gomp_text *t, const struct gomp_env_values *v)
{
  gomp_text_add (t, "%u", v->thread_limit);
}

static void
show_max_active_levels (struct gomp_text *t, const struct gomp_env_values *v)
{
  gomp_text_add (t, "%u", v->max_active_levels);
}

static void
show_num_teams (struct gomp_text *t, const struct gomp_env_values *v)
{
  gomp_text_add (t, "%u", v->num_teams);
}

static void
show_teams_thread_limit (struct gomp_text *t, const struct gomp_env_values *v)
{
  gomp_text_add (t, "%u", v->teams_thread_limit);
}

static void
show_default_device (struct gomp_text *t, const struct gomp_env_values *v)
{
  if (v->default_device_list != NULL)
    gomp_text_add (t, "%s", v->default_device_list);
  else
    gomp_text_add (t, "%u", v->default_device);
}

/* ---- the host's values of variables that were not given ---- */

static bool starting;		/* main has not begun */

/* Places alone have threads bound to them.  */
static const char *
unset_proc_bind (void)
{
  return gomp_global_icvs.initial.bind == GOMP_BIND_TRUE ? "TRUE" : "FALSE";
}

/* Target constructs must fail when they have to run on a device and there is none.  */
static const char *
unset_default_device (void)
{
  return gomp_global_icvs.target_offload == GOMP_OFFLOAD_MANDATORY
	 && !gomp_env_given (&gomp_env_all, GOMP_ENV_DEFAULT_DEVICE)
	 && (starting ? gomp_expected_devices () : gomp_num_devices ()) == 0 ? "-4" : "0";
}

/* ---- lines ---- */

static void
one_line (struct gomp_text *t, const char *tag, enum gomp_env_id id, show_fn *show,
	  const struct gomp_env_values *values)
{
  gomp_text_add (t, "  [%s] %s = '", tag, gomp_env_table[id].name);
  show (t, values);
  gomp_text_add (t, "'\n");
}

/* The lines of a variable with suffixes; WHEN_UNSET is the host's value when it was not
   given.  */
static void
all_lines (struct gomp_text *t, const char *host_tag, enum gomp_env_id id, show_fn *show,
	   const char *when_unset)
{
  if (gomp_env_given (&gomp_env_host, id))
    one_line (t, host_tag, id, show, &gomp_env_host.values);
  else
    gomp_text_add (t, "  [%s] %s = '%s'\n", host_tag, gomp_env_table[id].name, when_unset);
  if (gomp_env_given (&gomp_env_all, id))
    one_line (t, "all", id, show, &gomp_env_all.values);
  if (gomp_env_given (&gomp_env_dev, id))
    one_line (t, "device", id, show, &gomp_env_dev.values);
  for (const struct gomp_env_scope *s = gomp_env_devices; s != NULL; s = s->next)
    if (gomp_env_given (s, id))
      {
	char tag[24];
	snprintf (tag, sizeof (tag), "%d", s->device);
	one_line (t, tag, id, show, &s->values);
      }
}

static void
line (struct gomp_text *t, const char *tag, enum gomp_env_id id, const char *value)
{
  gomp_text_add (t, "  [%s] %s = '%s'\n", tag, gomp_env_table[id].name, value);
}

static const char *
truth (bool b)
{
  return b ? "TRUE" : "FALSE";
}

static void
verbose_lines (struct gomp_text *t)
{
  const struct gomp_global_icvs *g = &gomp_global_icvs;
  uint64_t spins = g->wait_policy == GOMP_WAIT_ACTIVE ? SHOWN_SPIN_ACTIVE
		   : g->wait_policy == GOMP_WAIT_PASSIVE ? 0 : SHOWN_SPIN_DEFAULT;
  if (gomp_env_given (&gomp_env_host, GOMP_ENV_SPINCOUNT))
    spins = gomp_env_host.values.spin_count;

  /* Places that it gave are shown as OMP_PLACES.  */
  line (t, "host", GOMP_ENV_CPU_AFFINITY, "");
  gomp_text_add (t, "  [host] GOMP_STACKSIZE = '%zu'\n", g->stack_size);
  gomp_text_add (t, "  [host] GOMP_SPINCOUNT = '%lu'\n", (unsigned long) spins);
}

void
gomp_display_env (bool verbose)
{
  static const char *const offload[] = {
    [GOMP_OFFLOAD_DEFAULT] = "DEFAULT",
    [GOMP_OFFLOAD_MANDATORY] = "MANDATORY",
    [GOMP_OFFLOAD_DISABLED] = "DISABLED"
  };
  const struct gomp_global_icvs *g = &gomp_global_icvs;
  char *format = gomp_affinity_format ();
  const char *allocator = gomp_allocator_name (g->initial.allocator);
  char priority[24], stack_size[24];
  struct gomp_text t = { .start = NULL };

  gomp_text_add (&t, "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n");
  gomp_text_add (&t, "  _OPENMP = '202111'\n");
  if (verbose && starting)
    {
      char library[1024];
      gomp_text_add (&t, "  library = '%s'\n", gomp_library_text (library, sizeof (library)));
    }
  all_lines (&t, "host", GOMP_ENV_DYNAMIC, show_dynamic, "FALSE");
  line (&t, "host", GOMP_ENV_NESTED, truth (g->initial.max_active_levels > 1));
  all_lines (&t, "host", GOMP_ENV_NUM_THREADS, show_num_threads, "1");
  all_lines (&t, "host", GOMP_ENV_SCHEDULE, show_schedule, "DYNAMIC");
  all_lines (&t, "host", GOMP_ENV_PROC_BIND, show_proc_bind, unset_proc_bind ());
  gomp_text_add (&t, "  [host] OMP_PLACES = '");
  gomp_places_text (&t);
  gomp_text_add (&t, "'\n");
  /* GOMP_STACKSIZE stands in for it.  */
  snprintf (stack_size, sizeof (stack_size), "%zu", gomp_env_host.values.gomp_stack_size);
  all_lines (&t, "host", GOMP_ENV_STACKSIZE, show_stack_size, stack_size);
  all_lines (&t, "host", GOMP_ENV_WAIT_POLICY, show_wait_policy, "PASSIVE");
  all_lines (&t, "host", GOMP_ENV_THREAD_LIMIT, show_thread_limit, "4294967295");
  all_lines (&t, "host", GOMP_ENV_MAX_ACTIVE_LEVELS, show_max_active_levels, "1");
  all_lines (&t, "host", GOMP_ENV_NUM_TEAMS, show_num_teams, "0");
  all_lines (&t, "host", GOMP_ENV_TEAMS_THREAD_LIMIT, show_teams_thread_limit, "0");
  line (&t, "all", GOMP_ENV_CANCELLATION, truth (g->cancellation));
  /* GCC's library does not know the variable, and so has no line for it.  */
  if (gomp_env_given (&gomp_env_host, GOMP_ENV_AVAILABLE_DEVICES))
    line (&t, "all", GOMP_ENV_AVAILABLE_DEVICES, gomp_env_host.values.available_devices);
  all_lines (&t, "all", GOMP_ENV_DEFAULT_DEVICE, show_default_device, unset_default_device ());
  snprintf (priority, sizeof (priority), "%d", g->max_task_priority);
  line (&t, "all", GOMP_ENV_MAX_TASK_PRIORITY, priority);
  line (&t, "all", GOMP_ENV_DISPLAY_AFFINITY, truth (g->display_affinity));
  /* The one value that follows its setter, as in GCC's library.  */
  line (&t, "host", GOMP_ENV_AFFINITY_FORMAT, format);
  /* An allocator with traits has no name but the text that it was made from.  */
  if (allocator == NULL)
    allocator = gomp_getenv ("OMP_ALLOCATOR", false);
  line (&t, "host", GOMP_ENV_ALLOCATOR, allocator != NULL ? allocator : "");
  line (&t, "all", GOMP_ENV_TARGET_OFFLOAD, offload[g->target_offload]);
  if (verbose)
    verbose_lines (&t);
  gomp_text_add (&t, "OPENMP DISPLAY ENVIRONMENT END\n");

  fflush (stderr);		/* keep the order against the program's own text */
  gomp_write_stderr (t.start, t.len);
  free (t.start);
  free (format);
}

/* OMP_DISPLAY_ENV, at the end of the library's constructor: plugins may be opened.  */
void
gomp_display_env_init (void)
{
  if (gomp_env_host.values.display_env == GOMP_DISPLAY_ENV_NO)
    return;
  starting = true;
  gomp_display_env (gomp_env_host.values.display_env == GOMP_DISPLAY_ENV_VERBOSE);
  starting = false;
}

void
omp_display_env (int verbose)
{
  gomp_display_env (verbose != 0);
}

void
omp_display_env_ (const int32_t *verbose)
{
  gomp_display_env (*verbose != 0);
}

void
omp_display_env_8_ (const int64_t *verbose)
{
  gomp_display_env (*verbose != 0);
}
