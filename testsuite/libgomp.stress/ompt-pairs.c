/* Many threads, regions and constructs under a tool: what begins ends, in the thread where it
   began, and names the right task and region.
   TEST-OPTIONS: -rdynamic -pthread -I@srcdir@/libgomp.c
   TEST-ENV: OMP_MAX_ACTIVE_LEVELS=3  */

#include "aux-ompt.h"

static omp_lock_t lock;
static omp_nest_lock_t nest;
static int in_critical, in_lock;

static void
work (void)
{
  #pragma omp for schedule (dynamic, 3) nowait
  for (int i = 0; i < 20; i++)
    ;
  #pragma omp for schedule (guided)
  for (int i = 0; i < 20; i++)
    ;
  #pragma omp single
  ;
  #pragma omp critical
  in_critical++;
  omp_set_lock (&lock);
  in_lock++;
  omp_unset_lock (&lock);
  omp_set_nest_lock (&nest);
  omp_set_nest_lock (&nest);
  omp_unset_nest_lock (&nest);
  omp_unset_nest_lock (&nest);
  #pragma omp sections
  {
    #pragma omp section
    ;
    #pragma omp section
    ;
  }
  #pragma omp single nowait
  {
    #pragma omp taskgroup
    for (int i = 0; i < 20; i++)
      {
	#pragma omp task
	{
	  #pragma omp task if (i % 2)
	  {
	    #pragma omp taskyield
	  }
	  #pragma omp taskwait
	}
      }
    for (int i = 0; i < 20; i++)
      {
	#pragma omp task
	{
	  #pragma omp task
	  omp_set_lock (&lock), omp_unset_lock (&lock);
	}
      }
  }
  #pragma omp barrier
}

static void *
thread (void *arg)
{
  for (int i = 0; i < 6; i++)
    {
      #pragma omp parallel num_threads (1 + i)
      {
	work ();
	#pragma omp parallel num_threads (2)
	{
	  /* Tasks that run in the barrier at the end.  */
	  #pragma omp task
	  {
	    #pragma omp task
	    ;
	  }
	  #pragma omp barrier
	}
      }
      ompt_self ()->length = 0;
    }
  return arg;
}

int
main (void)
{
  pthread_t threads[3];
  int started = 0;
  /* Only the checks of the tool; the texts would grow too long.  */
  ompt_events = 0;
  omp_init_lock (&lock);
  omp_init_nest_lock (&nest);
  while (started < 3 && pthread_create (&threads[started], NULL, thread, NULL) == 0)
    started++;
  thread (NULL);
  for (int i = 0; i < started; i++)
    pthread_join (threads[i], NULL);
  if (ompt_self ()->depth != 1)
    ompt_bad ("tasks are left: %d", ompt_self ()->depth);
  for (int i = 0; i < ompt_threads && i < OMPT_THREADS; i++)
    if (ompt_records[i] != ompt_self () && ompt_records[i]->depth != 0)
      ompt_bad ("thread %d is still in %d tasks", i, ompt_records[i]->depth);
  return ompt_failures != 0;
}
