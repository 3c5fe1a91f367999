/* Barriers and ends of regions wait for all tasks of the team, also for those that finished tasks
   have left behind; taskwait waits for children only, taskgroup for descendants.  */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int count;

static void
tree (int depth)
{
#pragma omp atomic
  count++;
  for (int i = 0; depth > 0 && i < 3; i++)
#pragma omp task
    tree (depth - 1);
}

/* By all threads: nobody goes on before all have looked.  */
#define EXPECT(n)							\
  do									\
    {									\
      int seen;								\
      _Pragma ("omp atomic read")					\
      seen = count;							\
      if (seen != (n))							\
	{								\
	  printf ("line %d, %d threads: %d, not %d\n", __LINE__, threads, seen, (n)); \
	  exit (1);							\
	}								\
    }									\
  while (0)

int
main (void)
{
  for (int threads = 1; threads <= 8; threads = threads * 2 + threads % 2)
    for (int round = 0; round < 20; round++)
      {
	count = 0;
#pragma omp parallel num_threads (threads) shared (count)
	{
	  /* One thread makes all tasks, not always the same.  */
	  if (omp_get_thread_num () == round % threads)
	    tree (4);
#pragma omp barrier
	  EXPECT (121);
#pragma omp barrier
	  tree (2);
#pragma omp barrier
	  EXPECT (121 + 13 * threads);
#pragma omp barrier
#pragma omp for
	  for (int i = 0; i < 10; i++)
#pragma omp task
	    tree (1);
	  EXPECT (121 + 13 * threads + 40);
#pragma omp barrier
#pragma omp single
#pragma omp task
	  tree (2);
	  EXPECT (121 + 13 * threads + 53);
#pragma omp barrier
#pragma omp master
	  {
#pragma omp taskgroup
	    {
#pragma omp task
	      tree (3);
#pragma omp taskgroup
#pragma omp task
	      tree (2);
	    }
	    EXPECT (121 + 13 * threads + 106);
	  }
#pragma omp barrier
#pragma omp master
	  {
	    int child = 0, seen;
#pragma omp taskgroup
	    for (int i = 0; i < 5; i++)
#pragma omp task shared (child)
	      {
#pragma omp task
		tree (1);
#pragma omp atomic
		child++;
	      }
	    EXPECT (121 + 13 * threads + 126);
#pragma omp task shared (child)
#pragma omp atomic
	    child++;
#pragma omp taskgroup
	    {
#pragma omp task shared (child)
#pragma omp atomic
	      child++;
	      /* Also those outside of the group.  */
#pragma omp taskwait
#pragma omp atomic read
	      seen = child;
	      if (seen != 7)
		{
		  printf ("taskwait in taskgroup: %d\n", seen);
		  exit (1);
		}
	    }
	  }
#pragma omp barrier
	  tree (3);
	}
	EXPECT (121 + 13 * threads + 126 + 40 * threads);
      }
  return 0;
}
