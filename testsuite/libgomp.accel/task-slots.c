/* Tasks for which there is no slot run at once: the number of tasks that wait is bounded,
   whatever creates them, and so is the stack.  */
#include <omp.h>
#include <stdio.h>

enum { TASKS = 20000, BOUND = 32 };

static int made, started, most;

static void
body (void)
{
#pragma omp atomic
  started++;
}

/* Each task creates the next one, and is over.  */
static void
chain (int n)
{
  body ();
  if (n > 0)
#pragma omp task firstprivate (n)
    chain (n - 1);
}

/* All of a tree's inner nodes create tasks before they wait.  */
static int
tree (int n)
{
  int sum = 0;
  if (n == 0)
    return 1;
  for (int i = 0; i < 6; i++)
#pragma omp task shared (sum) firstprivate (n)
    {
      int below = tree (n - 1);
#pragma omp atomic
      sum += below;
    }
#pragma omp taskwait
  return sum;
}

int
main (void)
{
  for (int threads = 1; threads <= 8; threads += 7)
    {
      made = started = most = 0;
#pragma omp parallel num_threads (threads)
#pragma omp single
      for (int i = 0; i < TASKS; i++)
	{
#pragma omp task
	  body ();
	  int now;
#pragma omp atomic read
	  now = started;
	  made++;
	  if (made - now > most)
	    most = made - now;
	}
      if (started != TASKS || most > BOUND)
	return printf ("%d threads: %d tasks, %d waited\n", threads, started, most), 1;

      started = 0;
#pragma omp parallel num_threads (threads)
#pragma omp single
      chain (10 * TASKS);
      if (started != 10 * TASKS + 1)
	return printf ("%d threads: chain of %d\n", threads, started), 1;

      int sum = 0;
#pragma omp parallel num_threads (threads)
#pragma omp single
      sum = tree (5);
      if (sum != 7776)
	return printf ("%d threads: tree of %d\n", threads, sum), 1;
    }
  return 0;
}
