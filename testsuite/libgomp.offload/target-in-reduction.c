/* Target constructs that take part in the reduction of a taskgroup, with and without nowait, and of a parallel
   region's tasks: with in_reduction the region works on the private copy of the thread that meets it.
   TEST-MODES: host cpu  */

#include <stdio.h>

static int failures;
#define CHECK(x) do if (!(x)) { printf ("line %d: %s\n", __LINE__, #x); failures++; } while (0)

static int
in_taskgroup (int n)
{
  int sum = 7;
#pragma omp parallel num_threads (3)
#pragma omp single
#pragma omp taskgroup task_reduction (+: sum)
  for (int i = 1; i <= n; i++)
    {
      if (i % 2)
	{
#pragma omp target in_reduction (+: sum)
	  sum += i;
	}
      else
	{
#pragma omp task in_reduction (+: sum) firstprivate (i)
	  sum += i;
	}
    }
  return sum;
}

static int
deferred (int n)
{
  int sum = 1;
#pragma omp taskgroup task_reduction (+: sum)
  for (int i = 1; i <= n; i++)
    {
#pragma omp target nowait in_reduction (+: sum)
      sum += i;
    }
  return sum;
}

static int
of_region (void)
{
  int sum = 0, threads = 0;
#pragma omp parallel num_threads (4) reduction (task, +: sum) reduction (+: threads)
  {
    threads++;
    for (int i = 0; i < 5; i++)
      {
#pragma omp target in_reduction (+: sum)
	sum += 3;
      }
  }
  return sum == 15 * threads;
}

int
main (void)
{
  CHECK (in_taskgroup (10) == 62);
  CHECK (of_region ());
  CHECK (deferred (4) == 11);
  return failures != 0;
}
