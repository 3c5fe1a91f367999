/* What a tool sees of cancellation.
   TEST-OPTIONS: -rdynamic
   TEST-ENV: OMP_CANCELLATION=true  */

#include "aux-ompt.h"

#define END								\
  "sync parallel barrier begin\n" "wait parallel barrier begin\n"	\
  "wait parallel barrier end\n" "sync parallel barrier end\n"		\
  "implicit task end 0 0\n" "parallel end\n"

static int n;

int
main (void)
{
  omp_event_handle_t event;
  int x;

  #pragma omp parallel num_threads (1)
  {
    #pragma omp for schedule (dynamic)
    for (int i = 0; i < 10; i++)
      {
	n++;
	#pragma omp cancel for
	#pragma omp cancellation point for
      }
    #pragma omp cancel parallel if (n > 5)
    #pragma omp cancel parallel
    n += 100;
  }
  ompt_expect (0, "loop and region",
	       "thread begin initial\n" "initial task begin 1 1\n"
	       "parallel begin 1 team runtime\n" "implicit task begin 1 0\n"
	       "work dynamic loop begin 10\n" "chunk 0 1\n" "cancel loop activated\n"
	       "work dynamic loop end 10\n"
	       "sync workshare barrier begin\n" "wait workshare barrier begin\n"
	       "wait workshare barrier end\n" "sync workshare barrier end\n"
	       "cancel parallel activated\n" END);

  ompt_forget ();
  ompt_events = UINT64_C (1) << ompt_callback_cancel | UINT64_C (1) << ompt_callback_task_schedule;
  #pragma omp parallel num_threads (1)
  {
    #pragma omp taskgroup
    {
      #pragma omp task depend (out: x) detach (event)
      n++;
      #pragma omp task depend (in: x)
      n += 100;
      #pragma omp task
      {
	#pragma omp cancel taskgroup
	n += 100;
      }
      omp_fulfill_event (event);
    }
  }
  ompt_expect (0, "taskgroup",
	       "schedule switch\n" "schedule detach\n"
	       "schedule switch\n" "cancel taskgroup activated\n" "schedule complete\n"
	       "schedule late fulfill\n"
	       "cancel taskgroup discarded\n" "schedule cancel\n");

  /* Some threads find it, in barriers and at points; all events are in their tasks.  */
  ompt_events = 0;
  for (int i = 0; i < 50; i++)
    {
      #pragma omp parallel num_threads (4)
      {
	#pragma omp task
	__atomic_add_fetch (&n, 1, __ATOMIC_RELAXED);
	if (omp_get_thread_num () == i % 4)
	  {
	    #pragma omp cancel parallel
	  }
	#pragma omp cancellation point parallel
	#pragma omp barrier
	#pragma omp for schedule (dynamic)
	for (int j = 0; j < 10; j++)
	  ;
      }
    }
  if (n < 2 || n > 2 + 200)
    ompt_bad ("the program is wrong: %d", n);
  return ompt_failures != 0;
}
