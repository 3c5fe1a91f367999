/* Each child of a chain of processes runs regions, tasks and a loop, and makes the next one: the
   20th works, too, and its result reaches the first.
   TEST-SKIP-SANITIZER: thread does not support threads in a child of a process with threads  */

#include <omp.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GENERATIONS = 20 };

static int
works (void)
{
  int n = 0, tasks = 0;
  long sum = 0;
#pragma omp parallel num_threads(3) reduction(+: n)
  {
    n++;
#pragma omp for schedule(dynamic, 7) reduction(+: sum)
    for (int i = 0; i < 1000; i++)
      sum += i;
#pragma omp single
    for (int i = 0; i < 20; i++)
      {
#pragma omp task shared(tasks)
#pragma omp atomic
	tasks++;
      }
  }
  return n == 3 && tasks == 20 && sum == 499500;
}

int
main (void)
{
  alarm (100);
  for (int i = 1; i <= GENERATIONS; i++)
    {
      int status = -1;
      if (!works ())
	{
	  printf ("generation %d computes something else\n", i);
	  return 1;
	}
      fflush (stdout);
      if (i == GENERATIONS)
	return i;
      pid_t pid = fork ();
      if (pid == 0)
	continue;
      if (pid < 0)
	return 77;
      if (waitpid (pid, &status, 0) != pid || !WIFEXITED (status))
	{
	  printf ("generation %d: status %#x\n", i + 1, status);
	  return 1;
	}
      if (i > 1 || WEXITSTATUS (status) != GENERATIONS)
	return WEXITSTATUS (status);
      return 0;
    }
  return 1;
}
