/* A child of fork goes on in a region with tasks, alone, and can start new ones.
   TEST-SKIP-SANITIZER: address the child may wait for its allocator, which another thread has locked
   TEST-SKIP-SANITIZER: thread does not support threads in a child of a process with threads  */
#include <omp.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "aux-fib.h"

static int
region (void)
{
  int r = 0;
#pragma omp parallel num_threads (4)
#pragma omp single
  r = fib (12);
  return r;
}

static int
exit_status (pid_t pid)
{
  int status;
  waitpid (pid, &status, 0);
  return WIFEXITED (status) ? WEXITSTATUS (status) : -WTERMSIG (status);
}

int
main (void)
{
  pid_t pid = -1;
  int status = 0;

  if (region () != 144)
    return 1;
#pragma omp parallel num_threads (3)
#pragma omp master
  {
    for (int i = 0; i < 50; i++)
#pragma omp task
      fib (5);
    pid = fork ();
    if (pid == 0)
      {
	alarm (50);
	int r = fib (10);
#pragma omp taskgroup
#pragma omp task shared (r)
	r += fib (8);
	if (r != 76)
	  _exit (100);
      }
    else
      status = exit_status (pid);
  }
  if (pid == 0)
    _exit (region () == 144 ? 7 : 101);
  if (status != 7 || region () != 144)
    printf ("child in a region: %d\n", status);
  return status != 7 || region () != 144;
}
