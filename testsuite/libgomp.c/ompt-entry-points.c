/* The runtime's entry points for tools.
   TEST-OPTIONS: -rdynamic
   TEST-ENV: OMP_MAX_ACTIVE_LEVELS=2  */

#include "aux-ompt.h"

static const char *const names[] = {
  "enumerate_states", "enumerate_mutex_impls", "set_callback", "get_callback",
  "get_thread_data", "get_num_procs", "get_num_places", "get_place_proc_ids", "get_place_num",
  "get_partition_place_nums", "get_proc_id", "get_state", "get_parallel_info",
  "get_task_info", "get_task_memory", "get_num_devices", "get_target_info", "get_unique_id",
  "finalize_tool"
};

static void
check (bool ok, const char *what)
{
  if (!ok)
    ompt_bad ("%s", what);
}

static void
general (void)
{
  for (size_t i = 0; i < sizeof (names) / sizeof (names[0]); i++)
    {
      char name[64];
      snprintf (name, sizeof (name), "ompt_%s", names[i]);
      if (ompt_lookup (name) == NULL)
	ompt_bad ("there is no %s", name);
    }
  check (ompt_lookup ("ompt_get_everything") == NULL, "a function that does not exist");

  ompt_enumerate_states_t states = (ompt_enumerate_states_t) ompt_lookup ("ompt_enumerate_states");
  int state = ompt_state_undefined, n = 0;
  bool parallel = false;
  const char *name = NULL;
  while (n++ < 100 && states (state, &state, &name))
    if (state == ompt_state_work_parallel)
      parallel = strcmp (name, "ompt_state_work_parallel") == 0;
  check (parallel && n > 8 && n < 100, "enumerate_states");

  ompt_enumerate_mutex_impls_t impls
    = (ompt_enumerate_mutex_impls_t) ompt_lookup ("ompt_enumerate_mutex_impls");
  int impl = 0;
  check (impls (impl, &impl, &name) == 1 && impl == 1 && strcmp (name, "futex") == 0
	 && impls (impl, &impl, &name) == 0, "enumerate_mutex_impls");

  check (((ompt_get_num_procs_t) ompt_lookup ("ompt_get_num_procs")) () == omp_get_num_procs (),
	 "get_num_procs");
  check (((ompt_get_num_places_t) ompt_lookup ("ompt_get_num_places")) ()
	 == omp_get_num_places (), "get_num_places");
  check (((ompt_get_num_devices_t) ompt_lookup ("ompt_get_num_devices")) ()
	 == omp_get_num_devices (), "get_num_devices");
  check (((ompt_get_proc_id_t) ompt_lookup ("ompt_get_proc_id")) () >= 0, "get_proc_id");
  uint64_t number;
  ompt_id_t id;
  check (((ompt_get_target_info_t) ompt_lookup ("ompt_get_target_info")) (&number, &id, &id) == 0,
	 "get_target_info");
  void *address = &address;
  size_t size = 1;
  check (((ompt_get_task_memory_t) ompt_lookup ("ompt_get_task_memory")) (&address, &size, 0) == 0
	 && size == 0, "get_task_memory");
  uint64_t one = ompt_get_unique_id ();
  check (ompt_get_unique_id () != one, "get_unique_id");
}

static void
places (void)
{
  int num = omp_get_num_places (), ids[1024];
  ompt_get_place_proc_ids_t proc_ids
    = (ompt_get_place_proc_ids_t) ompt_lookup ("ompt_get_place_proc_ids");
  ompt_get_partition_place_nums_t nums
    = (ompt_get_partition_place_nums_t) ompt_lookup ("ompt_get_partition_place_nums");
  for (int p = 0; p < num; p++)
    {
      int n = proc_ids (p, 1024, ids);
      check (n == omp_get_place_num_procs (p) && n > 0 && ids[0] >= 0, "get_place_proc_ids");
      ids[0] = -7;
      check (proc_ids (p, 0, ids) == n && ids[0] == -7, "get_place_proc_ids without room");
    }
  check (proc_ids (-1, 1024, ids) == 0 && proc_ids (num, 1024, ids) == 0, "no place");
  check (nums (1024, ids) == omp_get_partition_num_places (), "get_partition_place_nums");
}

static void
callbacks (void)
{
  ompt_callback_t f = NULL;
  check (ompt_get_callback (ompt_callback_work, &f) == 1 && f == (ompt_callback_t) on_work,
	 "get_callback");
  check (ompt_set_callback (ompt_callback_work, NULL) == ompt_set_sometimes_paired
	 && ompt_get_callback (ompt_callback_work, &f) == 0, "no callback");
  check (ompt_set_callback (ompt_callback_parallel_begin, (ompt_callback_t) on_parallel_begin)
	 == ompt_set_always, "set_callback: always");
  check (ompt_set_callback (ompt_callback_masked, (ompt_callback_t) on_work) == ompt_set_never
	 && ompt_get_callback (ompt_callback_masked, &f) == 0, "set_callback: masked");
  check (ompt_set_callback (ompt_callback_flush, NULL) == ompt_set_never, "set_callback: flush");
  check (ompt_set_callback (ompt_callback_flush, NULL) == ompt_set_never,
	 "set_callback: flush");
  check (ompt_set_callback (0, NULL) == ompt_set_error
	 && ompt_set_callback (ompt_callback_error + 1, NULL) == ompt_set_error
	 && ompt_set_callback (-1, NULL) == ompt_set_error
	 && ompt_get_callback (1000, &f) == 0, "set_callback: no event");
  /* Set after the start, it is used from now on.  */
  ompt_events = UINT64_C (1) << ompt_callback_work;
  #pragma omp single
  ;
  ompt_expect (0, "callback unset", "");
  ompt_set_callback (ompt_callback_work, (ompt_callback_t) on_work);
  #pragma omp single
  ;
  ompt_expect (0, "callback set", "work single executor begin 1\nwork single executor end 1\n");
}

/* Where the thread is at nesting LEVEL regions above the innermost.  */
static void
where (int level, int size, int num, int flag)
{
  ompt_data_t *region = NULL, *task = NULL, *of_task = NULL;
  ompt_frame_t *frame = NULL;
  int got_size = -1, flags = 0, got_num = -1;
  struct ompt_record *me = ompt_self ();

  check (ompt_get_parallel_info (level, &region, &got_size) == 2 && got_size == size,
	 "get_parallel_info");
  check (ompt_get_task_info (level, &flags, &task, &frame, &of_task, &got_num) == 2
	 && (flags & flag) && got_num == num && of_task == region, "get_task_info");
  check (ompt_get_task_info (level, NULL, NULL, NULL, NULL, NULL) == 2, "get_task_info: NULL");
  check (ompt_get_parallel_info (level, NULL, NULL) == 2, "get_parallel_info: NULL");
  if (region != NULL && task != NULL && (level == 0 || num == 0))
    {
      /* The thread that runs the outer task, too, has its stack; helpers have not.  */
      if (level < me->depth)
	check (task->value == me->stack[me->depth - 1 - level].task
	       && region->value == me->stack[me->depth - 1 - level].region, "data of tasks");
    }
  if (frame != NULL)
    {
      check ((flag == ompt_task_initial) == (frame->exit_frame.ptr == NULL), "exit frame");
      check ((level == 0) == (frame->enter_frame.ptr == NULL), "enter frame");
      if (level == 0 && frame->exit_frame.ptr != NULL)
	check ((char *) frame->exit_frame.ptr > (char *) &region, "exit frame below its callee");
      if (level > 0)
	check (frame->enter_frame_flags == (ompt_frame_runtime | ompt_frame_cfa), "frame flags");
    }
}

static void
regions (void)
{
  ompt_wait_id_t id = 1;
  check (ompt_get_state (&id) == ompt_state_work_serial && id == 0, "state outside");
  where (0, 1, 0, ompt_task_initial);
  check (ompt_get_parallel_info (1, NULL, NULL) == 0 && ompt_get_parallel_info (-1, NULL, NULL) == 0
	 && ompt_get_task_info (1, NULL, NULL, NULL, NULL, NULL) == 0
	 && ompt_get_task_info (-1, NULL, NULL, NULL, NULL, NULL) == 0, "outside of everything");
  #pragma omp parallel num_threads (2)
  {
    int outer = omp_get_thread_num ();
    check (ompt_get_state (NULL) == ompt_state_work_parallel, "state inside");
    where (0, 2, outer, ompt_task_implicit);
    where (1, 1, 0, ompt_task_initial);
    #pragma omp parallel num_threads (3)
    {
      where (0, 3, omp_get_thread_num (), ompt_task_implicit);
      where (1, 2, outer, ompt_task_implicit);
      where (2, 1, 0, ompt_task_initial);
      check (ompt_get_task_info (3, NULL, NULL, NULL, NULL, NULL) == 0, "outside");
    }
    where (0, 2, outer, ompt_task_implicit);
  }
  where (0, 1, 0, ompt_task_initial);
}

static void *
unknown_thread (void *arg)
{
  check (ompt_get_thread_data () == NULL && ompt_get_state (NULL) == ompt_state_undefined
	 && ompt_get_parallel_info (0, NULL, NULL) == 0
	 && ompt_get_task_info (0, NULL, NULL, NULL, NULL, NULL) == 0, "a thread without events");
  return arg;
}

int
main (void)
{
  ompt_events = 0;
  #pragma omp critical
  ;
  general ();
  places ();
  callbacks ();
  regions ();
  pthread_t thread;
  pthread_create (&thread, NULL, unknown_thread, NULL);
  pthread_join (thread, NULL);
  return ompt_failures != 0;
}
