/* A thread that waits in a tied task starts only descendants of that task.  */
#include <omp.h>
#include <stdio.h>

#define STACK 64
/* The tasks that the thread is in, the innermost last.  */
static __thread int in[STACK], depth;
static int bad, count;

/* Tasks are numbered as in a heap: ID's children are 3 ID + 1 .. 3 ID + 3.  */
static void
task (int id, int level)
{
  if (depth > 0)
    {
      int ancestor = id;
      while (ancestor > in[depth - 1])
	ancestor = (ancestor - 1) / 3;
      if (ancestor != in[depth - 1])
	{
#pragma omp atomic write
	  bad = 1;
	}
    }
  if (depth < STACK)
    in[depth] = id;
  depth++;
  if (level > 0)
    {
      for (int i = 1; i <= 3; i++)
#pragma omp task
	task (3 * id + i, level - 1);
      if (id % 2)
	{
#pragma omp taskwait
	}
      else
	{
#pragma omp taskgroup
	  {
#pragma omp task
	    {
#pragma omp atomic
	      count++;
	    }
#pragma omp taskyield
	  }
#pragma omp taskwait
	}
    }
#pragma omp atomic
  count++;
  depth--;
}

int
main (void)
{
  for (int threads = 2; threads <= 6; threads += 2)
    {
      count = 0;
#pragma omp parallel num_threads (threads)
#pragma omp single nowait
#pragma omp task
      task (0, 7);
      /* 3280 nodes; the even ones of the 1093 inner ones have a child more.  */
      int wanted = 0;
      for (int i = 0; i < 1093; i++)
	wanted += i % 2 == 0;
      wanted += 3280;
      if (count != wanted || bad)
	{
	  printf ("%d threads: %d tasks, not %d; %s\n", threads, count, wanted,
		  bad ? "a task ran in one that is none of its ancestors" : "");
	  return 1;
	}
    }
  return 0;
}
