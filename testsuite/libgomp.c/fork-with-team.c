/* A child of fork can run regions although the helpers of its parent's team are not there.
   TEST-SKIP-SANITIZER: thread does not support threads in a child of a process with threads  */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int
team (int want)
{
  int n = 0;
#pragma omp parallel num_threads (want) reduction (+: n)
  {
#pragma omp for schedule (dynamic)
    for (int i = 0; i < 10; i++)
      n += 0;
    n++;
  }
  return n;
}

static int
in_child (int want, int grandchild)
{
  fflush (stdout);
  pid_t pid = fork ();
  if (pid == 0)
    {
      alarm (50);
      if (grandchild)
	{
	  if (team (2) != 2 || in_child (want, 0) != want)
	    _exit (100);
	}
      _exit (team (want) == want && team (want + 1) == want + 1 ? want : 101);
    }
  int status;
  waitpid (pid, &status, 0);
  return WIFEXITED (status) ? WEXITSTATUS (status) : -WTERMSIG (status);
}

static void *
foreign (void *result)
{
  team (3);
  *(int *) result = in_child (4, 0);
  return NULL;
}

int
main (void)
{
  int bad = 0, r;
  omp_set_max_active_levels (2);
  if ((r = in_child (3, 0)) != 3)
    printf ("before any team: %d\n", r), bad++;
  team (4);
  if ((r = in_child (4, 0)) != 4)
    printf ("same size: %d\n", r), bad++;
  if ((r = in_child (2, 1)) != 2)
    printf ("grandchild: %d\n", r), bad++;
#pragma omp parallel num_threads (2)
  team (2);
  if ((r = in_child (6, 1)) != 6)
    printf ("after nested regions: %d\n", r), bad++;
  if (team (4) != 4)
    puts ("parent after fork"), bad++;
  pthread_t t;
  pthread_create (&t, NULL, foreign, &r);
  pthread_join (t, NULL);
  if (r != 4)
    printf ("from a foreign thread: %d\n", r), bad++;

  /* In a region: the child goes on alone and leaves it.  The second time inside a target
     region, which is an initial task of its own.  */
  for (int target = 0; target < 2; target++)
    {
      pid_t pid = 0;
      int in_parent = 1;
#pragma omp parallel num_threads (2)
      if (omp_get_thread_num () == 0)
	{
	  if (target)
#pragma omp target if (0) map (tofrom: pid)
	    pid = fork ();
	  else
	    pid = fork ();
	  in_parent = pid != 0;
	  if (!in_parent)
	    alarm (50);
	}
      if (!in_parent)
	_exit (team (3) == 3 ? 7 : 8);
      int status;
      waitpid (pid, &status, 0);
      if (!WIFEXITED (status) || WEXITSTATUS (status) != 7)
	printf ("fork in a %s: status %x\n", target ? "target region" : "region", status), bad++;
    }
  return bad != 0;
}
