/* A child of fork does not use helpers that wait in its parent, and the parent still does.
   TEST-SKIP-SANITIZER: thread does not support threads in a child of a process with threads  */

#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *
root (void *arg)
{
  int *sum = arg;
  *sum = 0;
#pragma omp parallel num_threads (3) reduction (+: sum[0])
  sum[0] += omp_get_thread_num () + 1;
  return NULL;
}

static int
run_root (void)
{
  pthread_t thread;
  int sum = 0;
  if (pthread_create (&thread, NULL, root, &sum) != 0)
    abort ();
  pthread_join (thread, NULL);
  return sum;
}

int
main (void)
{
  for (int turn = 0; turn < 5; turn++)
    {
      if (run_root () != 6)
	return 1;
      pid_t child = fork ();
      if (child == 0)
	{
	  int sum;
	  root (&sum);
	  _exit (sum == 6 && run_root () == 6 && run_root () == 6 ? 0 : 1);
	}
      int status = 1;
      if (child < 0 || waitpid (child, &status, 0) != child || status != 0)
	{
	  printf ("turn %d: the child has status %d\n", turn, status);
	  return 1;
	}
    }
  return 0;
}
