/* Tasks that generate tasks with dependences on the same address do not order each other's
   children; each has its own table, also when it ends before its children.  */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { GENERATORS = 20, CHAIN = 30 };

static int total[GENERATORS];
static int shared_address;

static void
generator (int g)
{
  int *value = calloc (1, sizeof (*value));
  for (int i = 0; i < CHAIN; i++)
#pragma omp task depend(inout: shared_address) depend(in: total[i % GENERATORS])
    {
      if (*value != i)
	{
	  printf ("generator %d: %d instead of %d\n", g, *value, i);
	  exit (1);
	}
      (*value)++;
    }
#pragma omp task depend(inout: shared_address)
  {
    total[g] += *value;
    free (value);
  }
  /* Half of them do not wait for their children.  */
  if (g % 2 == 0)
    {
#pragma omp taskwait depend(in: shared_address)
      if (total[g] == 0)
	{
	  printf ("generator %d did not wait\n", g);
	  exit (1);
	}
    }
}

static void
tree (int depth)
{
  int x = 0, y = 0;
  if (depth == 0)
    return;
#pragma omp task depend(out: x) shared(x)
  {
    tree (depth - 1);
    x = 1;
  }
#pragma omp task depend(in: x) depend(out: y) shared(x, y)
  {
    tree (depth - 1);
    y = x + 1;
  }
#pragma omp taskwait depend(in: y)
  if (y != 2)
    {
      printf ("tree: %d\n", y);
      exit (1);
    }
#pragma omp taskwait
}

int
main (void)
{
  for (int threads = 1; threads <= 4; threads++)
    {
      for (int g = 0; g < GENERATORS; g++)
	total[g] = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
      {
	for (int g = 0; g < GENERATORS; g++)
#pragma omp task firstprivate(g)
	  generator (g);
	tree (7);
      }
      for (int g = 0; g < GENERATORS; g++)
	if (total[g] != CHAIN)
	  {
	    printf ("%d threads, generator %d: %d\n", threads, g, total[g]);
	    return 1;
	  }
    }
  return 0;
}
