/* The function that copies the arguments of a task generates tasks.  They are children of the new
   task, whose body may run elsewhere meanwhile: all must be finished at the end of the taskgroup, and
   the body's own taskwait waits for them as well.  (A priority, so that bodies are taken first.)
   TEST-ENV: OMP_MAX_TASK_PRIORITY=1  */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include "aux-gomp.h"

#define ROUNDS 30
#define TASKS 32

extern void GOMP_task (FN, void *, void (*) (void *, void *), long, long, bool, unsigned, void **,
		       int, void *);

static _Atomic (int) children, bodies, late;

static void
child (void *data)
{
  (void) data;
  children++;
}

static void
body (void *data)
{
  int *mine = *(int **) data;
  if (mine[0] % 2 == 0)
    {
      #pragma omp taskwait
      if (atomic_load ((_Atomic (int) *) &mine[1]) != 2)
	late++;
    }
  bodies++;
}

static void
counted_child (void *data)
{
  int *mine = *(int **) data;
  children++;
  atomic_fetch_add ((_Atomic (int) *) &mine[1], 1);
}

static void
copy (void *to, void *from)
{
  int *mine = *(int **) from;
  *(int **) to = mine;
  GOMP_task (counted_child, &mine, NULL, sizeof (mine), _Alignof (int *), true, 0, NULL, 0, NULL);
  GOMP_task (child, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
  GOMP_task (counted_child, &mine, NULL, sizeof (mine), _Alignof (int *), true, 0, NULL, 0, NULL);
}

int
main (void)
{
  static int all[ROUNDS][TASKS][2];

  #pragma omp parallel num_threads(4)
  #pragma omp single
  for (int i = 0; i < ROUNDS && late == 0; i++)
    {
      #pragma omp taskgroup
      for (int k = 0; k < TASKS; k++)
	{
	  int *mine = all[i][k];
	  mine[0] = k;
	  GOMP_task (body, &mine, copy, sizeof (mine), _Alignof (int *), k % 8 != 1, 0x10, NULL, 1,
		     NULL);
	}
      if (children != 3 * TASKS * (i + 1) || bodies != TASKS * (i + 1))
	{
	  printf ("%d children and %d bodies after %d tasks\n", children, bodies, TASKS * (i + 1));
	  late++;
	}
    }
  if (late != 0)
    printf ("%d waits were too short\n", late);
  return late != 0;
}
