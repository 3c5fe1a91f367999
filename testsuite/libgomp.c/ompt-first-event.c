/* A tool is started by the first event, whichever it is and in how many threads it happens at once;
   routines that only ask start nothing.
   TEST-OPTIONS: -rdynamic -pthread  */

#include "aux-ompt.h"

static pthread_barrier_t together;

static void *
thread (void *arg)
{
  omp_lock_t lock;
  pthread_barrier_wait (&together);
  omp_init_lock (&lock);
  if (!ompt_initialized)
    ompt_bad ("an event without tool");
  omp_destroy_lock (&lock);
  return arg;
}

int
main (void)
{
  pthread_t threads[4];
  if (omp_get_thread_num () != 0 || omp_get_max_threads () < 1 || omp_get_wtime () < 0
      || ompt_initialized)
    ompt_bad ("started by a query");
  pthread_barrier_init (&together, NULL, 4);
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, thread, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  for (int i = 0; i < 4; i++)
    ompt_expect (i, "thread",
		 "thread begin initial\n" "initial task begin 1 1\n"
		 "init lock\n" "destroy lock\n" "initial task end 0 1\n" "thread end\n");
  if (ompt_initialized != 1)
    ompt_bad ("initialized %d times", ompt_initialized);
  return ompt_failures != 0;
}
