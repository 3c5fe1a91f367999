/* ompt-entry.c -- the runtime's entry points for tools, which these find by their names.

   Those that tell about the calling thread only read what belongs to it, so that a tool may
   call them in a signal handler: ompt_get_thread_data, ompt_get_state, ompt_get_parallel_info,
   ompt_get_task_info.  They start nothing: a thread that had no event yet is not known.  */

#include "host/abi.h"
#include "host/ompt.h"
#include "host/team.h"
#include "target-abi.h"

#include <sched.h>

/* The answers of the ompt_get_..._info functions.  */
enum { NOTHING, NOT_NOW, KNOWN };

/* ---- what there is to know about the runtime ---- */

struct named
{
  int number;
  char name[44];		/* no pointer, which would have to be relocated before main */
};

/* The states that threads can be in, in the order in which they are told.  */
static const struct named states[] = {
#define STATE(name) { ompt_state_##name, "ompt_state_" #name }
  STATE (work_serial),
  STATE (work_parallel),
  STATE (wait_barrier_implicit_parallel),
  STATE (wait_barrier_implicit_workshare),
  STATE (wait_barrier_explicit),
  STATE (wait_taskwait),
  STATE (wait_taskgroup),
  STATE (wait_lock),
  STATE (wait_critical),
  STATE (wait_atomic),
  STATE (wait_ordered),
  STATE (idle),
  STATE (overhead),
  STATE (undefined),
#undef STATE
};

/* 0 means "none" and is where a tool begins to ask.  */
static const struct named mutex_impls[] = {
  { GOMP_OMPT_MUTEX_IMPL, "futex" },
};

/* The one after CURRENT, or the first when CURRENT is START.  */
static int
next_of (const struct named *list, size_t n, int start, int current, int *next,
	 const char **name)
{
  size_t i = 0;
  if (current != start)
    {
      while (i < n && list[i].number != current)
	i++;
      i++;
    }
  if (i >= n || list[i].number == start)
    return 0;
  *next = list[i].number;
  *name = list[i].name;
  return 1;
}

static int
enumerate_states (int current, int *next, const char **name)
{
  return next_of (states, GOMP_ARRAY_SIZE (states), ompt_state_undefined, current, next, name);
}

static int
enumerate_mutex_impls (int current, int *next, const char **name)
{
  return next_of (mutex_impls, GOMP_ARRAY_SIZE (mutex_impls), 0, current, next, name);
}

static int
get_callback (ompt_callbacks_t event, ompt_callback_t *callback)
{
  if (gomp_ompt_support (event) == ompt_set_error)
    return 0;
  *callback = gomp_ompt_callback (event);
  return *callback != NULL;
}

/* ---- places and processors ---- */

/* Not the functions that programs call: their addresses would be looked up before main.  */
#define COUNT(name)							\
static int								\
get_##name (void)							\
{									\
  return omp_get_##name ();						\
}
COUNT (num_procs)
COUNT (num_places)
COUNT (place_num)
COUNT (num_devices)
#undef COUNT

static int
get_place_proc_ids (int place, int size, int *ids)
{
  int n = omp_get_place_num_procs (place);
  if (n > 0 && n <= size)
    omp_get_place_proc_ids (place, ids);
  return n;
}

static int
get_partition_place_nums (int size, int *nums)
{
  int n = omp_get_partition_num_places ();
  if (n > 0 && n <= size)
    omp_get_partition_place_nums (nums);
  return n;
}

static int
get_proc_id (void)
{
  return sched_getcpu ();
}

/* ---- the calling thread ---- */

static ompt_data_t *
get_thread_data (void)
{
  struct gomp_ompt_thread *me = gomp_own_now ()->ompt;
  return me != NULL ? &me->data : NULL;
}

static int
get_state (ompt_wait_id_t *wait_id)
{
  const struct gomp_ompt_thread *me = gomp_own_now ()->ompt;
  if (me == NULL)
    return ompt_state_undefined;
  if (wait_id != NULL)
    *wait_id = me->wait_id;
  return me->state;
}

static int
get_parallel_info (int level, ompt_data_t **data, int *size)
{
  struct gomp_team *team = gomp_tls.team;
  if (gomp_own_now ()->ompt == NULL || level < 0)
    return NOTHING;
  while (level-- > 0 && team != NULL)
    team = team->parent;
  if (team == NULL)
    return NOTHING;
  if (team->ompt == NULL)
    return NOT_NOW;
  if (data != NULL)
    *data = &team->ompt->data;
  if (size != NULL)
    *size = team->nthreads;
  return KNOWN;
}

static int
get_task_info (int level, int *flags, ompt_data_t **data, ompt_frame_t **frame,
	       ompt_data_t **parallel_data, int *thread_num)
{
  struct gomp_task *task = gomp_tls.task;
  struct gomp_team *team = gomp_tls.team;
  if (gomp_own_now ()->ompt == NULL || level < 0)
    return NOTHING;
  for (; level > 0 && task != NULL; level--)
    {
      if (task->ompt == NULL)
	return NOT_NOW;
      if ((task->ompt->flags & ompt_task_explicit) == 0)
	team = team->parent;
      task = task->parent;
    }
  if (task == NULL)
    return NOTHING;
  if (task->ompt == NULL || team->ompt == NULL)
    return NOT_NOW;
  if (flags != NULL)
    *flags = task->ompt->flags;
  if (data != NULL)
    *data = &task->ompt->data;
  if (frame != NULL)
    *frame = &task->ompt->frame;
  if (parallel_data != NULL)
    *parallel_data = &team->ompt->data;
  if (thread_num != NULL)
    *thread_num = task->ompt->thread_num;
  return KNOWN;
}

/* No memory of tasks is told about.  */
static int
get_task_memory (void **addr, size_t *size, int block)
{
  (void) block;
  *addr = NULL;
  *size = 0;
  return 0;
}

static int
get_target_info (uint64_t *device_num, ompt_id_t *target_id, ompt_id_t *host_op_id)
{
  const struct gomp_ompt_thread *me = gomp_own_now ()->ompt;
  if (me == NULL || me->target == NULL)
    return 0;
  gomp_ompt_target_info (me->target, device_num, target_id);
  *host_op_id = me->target_op;
  return 1;
}

uint64_t
gomp_ompt_unique_id (void)
{
  static _Atomic (uint64_t) xlast;
  /* Relaxed: only the number counts.  */
  return gomp_add_relaxed (&xlast, 1) + 1;
}

/* ---- names ---- */

ompt_interface_fn_t
gomp_ompt_lookup (const char *name)
{
  /* The variable lets the compiler compare the types.  */
#define ENTRY(entry, function)						\
  if (strcmp (name, "ompt_" #entry) == 0)				\
    {									\
      ompt_##entry##_t entry_function = function;			\
      return (ompt_interface_fn_t) entry_function;			\
    }
  ENTRY (enumerate_states, enumerate_states)
  ENTRY (enumerate_mutex_impls, enumerate_mutex_impls)
  ENTRY (set_callback, gomp_ompt_set_callback)
  ENTRY (get_callback, get_callback)
  ENTRY (get_thread_data, get_thread_data)
  ENTRY (get_num_procs, get_num_procs)
  ENTRY (get_num_places, get_num_places)
  ENTRY (get_place_proc_ids, get_place_proc_ids)
  ENTRY (get_place_num, get_place_num)
  ENTRY (get_partition_place_nums, get_partition_place_nums)
  ENTRY (get_proc_id, get_proc_id)
  ENTRY (get_state, get_state)
  ENTRY (get_parallel_info, get_parallel_info)
  ENTRY (get_task_info, get_task_info)
  ENTRY (get_task_memory, get_task_memory)
  ENTRY (get_num_devices, get_num_devices)
  ENTRY (get_target_info, get_target_info)
  ENTRY (get_unique_id, gomp_ompt_unique_id)
  ENTRY (finalize_tool, gomp_ompt_finalize)
#undef ENTRY
  return NULL;
}
