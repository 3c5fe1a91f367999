/* What a tool sees of explicit tasks, in a team of one, where their order is known.
   TEST-OPTIONS: -rdynamic  */

#include "aux-ompt.h"

#define WAIT(what)							\
  "sync " what " begin\n" "wait " what " begin\n" "wait " what " end\n" "sync " what " end\n"

static int n;

static void
where (int level, int flags)
{
  int got = 0, num = -1;
  ompt_data_t *task = NULL, *region = NULL;
  ompt_frame_t *frame = NULL;
  struct ompt_record *me = ompt_self ();
  if (ompt_get_task_info (level, &got, &task, &frame, &region, &num) != 2 || (got & flags) != flags
      || num != 0 || task->value != me->stack[me->depth - 1 - level].task
      || region->value != me->stack[me->depth - 1 - level].region)
    ompt_bad ("get_task_info (%d)", level);
  else if (flags & ompt_task_explicit && frame->exit_frame.ptr == NULL)
    ompt_bad ("no exit frame of a task");
}

static void
kinds (void)
{
  #pragma omp task
  n++;
  ompt_expect (0, "task", "create explicit\n" "schedule switch\n" "schedule complete\n");
  ompt_forget ();
  #pragma omp task untied mergeable
  n++;
  ompt_expect (0, "untied task",
	       "create explicit untied mergeable\n" "schedule switch\n" "schedule complete\n");
  ompt_forget ();
  #pragma omp task if (0)
  n++;
  ompt_expect (0, "undeferred task",
	       "create explicit undeferred\n" "schedule switch\n" "schedule complete\n");
  ompt_forget ();
  #pragma omp task final (1)
  {
    #pragma omp task
    n++;
  }
  ompt_expect (0, "final task",
	       "create explicit final\n" "schedule switch\n"
	       "create explicit undeferred final\n" "schedule switch\n" "schedule complete\n"
	       "schedule complete\n");
  ompt_forget ();
}

static void
waits (void)
{
  #pragma omp taskwait
  ompt_expect (0, "taskwait", WAIT ("taskwait"));
  ompt_forget ();
  #pragma omp taskgroup
  {
    #pragma omp task
    {
      where (0, ompt_task_explicit);
      where (1, ompt_task_initial);
      if (ompt_get_state (NULL) != ompt_state_work_serial)
	ompt_bad ("state in a task");
      n++;
    }
  }
  ompt_expect (0, "taskgroup",
	       "sync taskgroup begin\n"
	       "create explicit\n" "schedule switch\n" "schedule complete\n"
	       "wait taskgroup begin\n" "wait taskgroup end\n" "sync taskgroup end\n");
  ompt_forget ();
  #pragma omp taskyield
  ompt_expect (0, "taskyield", "");
}

static void
taskloops (void)
{
  #pragma omp taskloop num_tasks (2)
  for (int i = 0; i < 10; i++)
    n++;
  ompt_expect (0, "taskloop",
	       "work taskloop begin 10\n" "sync taskgroup begin\n"
	       "create explicit undeferred\n" "schedule switch\n" "schedule complete\n"
	       "create explicit undeferred\n" "schedule switch\n" "schedule complete\n"
	       "wait taskgroup begin\n" "wait taskgroup end\n" "sync taskgroup end\n"
	       "work taskloop end 10\n");
  ompt_forget ();
  #pragma omp taskloop grainsize (10) nogroup untied
  for (int i = 0; i < 10; i++)
    n++;
  ompt_expect (0, "taskloop nogroup",
	       "work taskloop begin 10\n"
	       "create explicit undeferred untied\n" "schedule switch\n" "schedule complete\n"
	       "work taskloop end 10\n");
  ompt_forget ();
  #pragma omp scope reduction (task, +: n)
  n++;
  ompt_expect (0, "scope",
	       "work scope begin 1\n" "work scope end 1\n" WAIT ("workshare barrier"));
  ompt_forget ();
}

static void
events (void)
{
  omp_event_handle_t event;
  #pragma omp task detach (event)
  n++;
  ompt_expect (0, "detached task",
	       "create explicit\n" "schedule switch\n" "schedule detach\n");
  omp_fulfill_event (event);
  #pragma omp taskwait
  ompt_expect (0, "fulfilled",
	       "create explicit\n" "schedule switch\n" "schedule detach\n"
	       "schedule late fulfill\n" WAIT ("taskwait"));
  ompt_forget ();
  #pragma omp task detach (event)
  omp_fulfill_event (event);
  ompt_expect (0, "fulfilled early",
	       "create explicit\n" "schedule switch\n" "schedule complete\n");
  ompt_forget ();
}

int
main (void)
{
  ompt_events &= ~(UINT64_C (1) << ompt_callback_thread_begin
		   | UINT64_C (1) << ompt_callback_implicit_task);
  kinds ();
  waits ();
  taskloops ();
  events ();

  /* In a region of several threads: the tasks are all done before it ends.  */
  ompt_events = UINT64_C (1) << ompt_callback_task_create
		| UINT64_C (1) << ompt_callback_task_schedule
		| UINT64_C (1) << ompt_callback_parallel_end;
  #pragma omp parallel num_threads (3)
  {
    #pragma omp single nowait
    for (int i = 0; i < 50; i++)
      {
	#pragma omp task
	{
	  #pragma omp task
	  __atomic_add_fetch (&n, 1, __ATOMIC_RELAXED);
	}
      }
    #pragma omp single
    {
      #pragma omp taskloop grainsize (1) nogroup
      for (int i = 0; i < 25; i++)
	__atomic_add_fetch (&n, 1, __ATOMIC_RELAXED);
      #pragma omp taskloop grainsize (1)
      for (int i = 0; i < 25; i++)
	__atomic_add_fetch (&n, 1, __ATOMIC_RELAXED);
    }
  }
  int created = 0, switched = 0, complete = 0;
  for (int t = 0; t < ompt_threads; t++)
    for (const char *p = ompt_text (t); *p != '\0'; p = strchr (p, '\n') + 1)
      {
	created += strncmp (p, "create", 6) == 0;
	switched += strncmp (p, "schedule switch", 15) == 0;
	complete += strncmp (p, "schedule complete", 17) == 0;
      }
  if (created != 150 || switched != 150 || complete != 150)
    ompt_bad ("%d created, %d switched to, %d complete", created, switched, complete);
  if (strstr (ompt_text (0), "parallel end\n") == NULL
      || strstr (ompt_text (0), "parallel end\n")[13] != '\0')
    ompt_bad ("something after the end of the region");
  if (n != 4 + 1 + 20 + 1 + 1 + 100)
    ompt_bad ("the program is wrong: %d", n);
  return ompt_failures != 0;
}
