/* Random trees of tasks of all kinds, in teams of up to 64 threads, with everything that waits
   for tasks; the number of nodes and the order of waits are checked.
   TEST-TIMEOUT: 120 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int bad, nodes;

static unsigned
next (unsigned *state)
{
  *state = *state * 1664525 + 1013904223;
  return *state >> 16;
}

/* A node of the tree that SEED stands for.  */
static void
node (unsigned seed, int level)
{
  unsigned state = seed;
  int children = level > 0 ? next (&state) % 5 : 0, direct = 0;

#pragma omp atomic
  nodes++;
  if (next (&state) % 4 == 0)
    {
      int before, after, inside = 0;
#pragma omp taskgroup
      {
	for (int i = 0; i < children; i++)
#pragma omp task shared (inside) firstprivate (i)
	  {
	    node (seed * 5 + i, level - 1);
#pragma omp task shared (inside)
#pragma omp atomic
	    inside++;
	  }
      }
#pragma omp atomic read
      before = inside;
      after = children;
      if (before != after)
	{
#pragma omp atomic write
	  bad = __LINE__;
	}
      return;
    }
  for (int i = 0; i < children; i++)
    {
      unsigned kind = next (&state) % 8;
#pragma omp task if (kind != 0) final (kind == 1 && level < 4) untied shared (direct) \
	priority (kind) firstprivate (i)
      {
	node (seed * 5 + i, level - 1);
#pragma omp atomic
	direct++;
      }
      if (kind == 2)
	{
#pragma omp taskyield
	}
      if (kind == 3 && level == 3)
#pragma omp parallel num_threads (2)
#pragma omp single nowait
#pragma omp task
	node (seed * 7 + i, 1);
    }
#pragma omp taskwait
  int seen;
#pragma omp atomic read
  seen = direct;
  if (seen != children)
    {
#pragma omp atomic write
      bad = __LINE__;
    }
}

int
main (void)
{
  static const int threads[] = { 1, 2, 3, 8, 64 };
  omp_set_max_active_levels (2);
  for (unsigned seed = 1; seed <= 12; seed++)
    {
      int wanted = 0;
      for (int i = 0; i < 5; i++)
	{
	  nodes = 0;
#pragma omp parallel num_threads (threads[i])
	  {
	    if (seed % 3 != 0)
	      {
#pragma omp single nowait
		node (seed, 7);
	      }
	    else if (omp_get_thread_num () == omp_get_num_threads () - 1)
	      node (seed, 7);
	    if (seed % 2 == 0)
	      {
#pragma omp barrier
	      }
	  }
	  if (i == 0)
	    wanted = nodes;
	  if (nodes != wanted || bad)
	    {
	      printf ("seed %u, %d threads: %d nodes, not %d; line %d\n", seed, threads[i], nodes,
		      wanted, bad);
	      return 1;
	    }
	}
    }
  return 0;
}
