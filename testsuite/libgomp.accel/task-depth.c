/* Tasks that wait for others, and tasks that run at once, inside of each other: a device has a small
   stack for the functions of one thread, and 24 levels must be no problem there.  */
#include <omp.h>
#include <stdio.h>

enum { DEPTH = 16, CROWDED = 12, MANY = 100 };

static int bodies;

/* Each task waits for the next one.  */
static int
line (int n)
{
  int below = 0;
#pragma omp atomic
  bodies++;
  if (n > 0)
    {
#pragma omp task shared (below) firstprivate (n)
      below = line (n - 1);
#pragma omp taskwait
    }
  return below + 1;
}

/* The same in taskgroups, and with undeferred tasks.  */
static int
groups (int n)
{
  int below = 0;
#pragma omp atomic
  bodies++;
  if (n > 0)
    {
#pragma omp taskgroup
#pragma omp task shared (below) firstprivate (n) if (n % 3)
      below = groups (n - 1);
    }
  return below + 1;
}

/* There are so many others that no task of the line may find memory for a record; then it runs at once.  */
static int
crowded (int n)
{
  int below = 0;
  for (int i = 0; i < MANY; i++)
#pragma omp task
    {
#pragma omp atomic
      bodies++;
    }
  if (n > 0)
    {
#pragma omp task shared (below) firstprivate (n)
      below = crowded (n - 1);
#pragma omp taskwait
    }
  return below + 1;
}

int
main (void)
{
  int bad = 0;
  for (int threads = 1; threads <= 32; threads *= 2)
    {
      int a = 0, b = 0, c = 0;
      bodies = 0;
#pragma omp parallel num_threads (threads)
#pragma omp single
      {
	a = line (DEPTH);
	b = groups (DEPTH);
	c = crowded (CROWDED);
      }
      if (a != DEPTH + 1 || b != DEPTH + 1 || c != CROWDED + 1
	  || bodies != 2 * (DEPTH + 1) + MANY * (CROWDED + 1))
	{
	  printf ("%d threads: %d %d %d, %d bodies\n", threads, a, b, c, bodies);
	  bad = 1;
	}
    }
  return bad;
}
