/* Threads of the program are initial threads of their own for a tool.
   TEST-OPTIONS: -rdynamic -pthread  */

#include "aux-ompt.h"

#define IMPLICIT							\
  "implicit task begin 2 0\n"						\
  "sync parallel barrier begin\n" "wait parallel barrier begin\n"	\
  "wait parallel barrier end\n" "sync parallel barrier end\n"		\
  "implicit task end 0 0\n"

static int executed;

static void *
thread (void *arg)
{
  #pragma omp parallel num_threads (2)
  __atomic_add_fetch (&executed, 1, __ATOMIC_RELAXED);
  #pragma omp parallel num_threads (2)
  __atomic_add_fetch (&executed, 1, __ATOMIC_RELAXED);
  return arg;
}

int
main (void)
{
  pthread_t threads[4];
  int n = 4, ended = 0, workers = 0;

  /* The first thread with an event is not the first one of the program.  */
  for (int i = 0; i < n; i++)
    if (pthread_create (&threads[i], NULL, thread, NULL) != 0)
      n = i;
  for (int i = 0; i < n; i++)
    pthread_join (threads[i], NULL);

  for (int i = 0; i < ompt_threads; i++)
    if (strncmp (ompt_text (i), "thread begin initial\n", 21) == 0)
      {
	ended++;
	ompt_expect (i, "foreign thread",
		     "thread begin initial\n" "initial task begin 1 1\n"
		     "parallel begin 2 team runtime\n" IMPLICIT "parallel end\n"
		     "parallel begin 2 team runtime\n" IMPLICIT "parallel end\n"
		     "initial task end 0 1\n" "thread end\n");
      }
    else
      workers++;
  /* Helpers may have been passed on from thread to thread.  */
  if (executed != 4 * n || ended != n || workers < 1 || workers > n || ompt_initialized != 1)
    ompt_bad ("%d threads have ended, %d workers, %d times initialized", ended, workers,
	      ompt_initialized);
  return ompt_failures != 0;
}
