/* Worksharing constructs outside of any region and in a team of one; regions inside the
   body of a loop, of sections and of single leave the place in the construct as it was.  */
#include <omp.h>
#include <stdio.h>

static int bad;

static int
inner (int threads)
{
  int n = 0;
#pragma omp parallel num_threads (threads) reduction (+: n)
  {
#pragma omp for schedule (dynamic) nowait
    for (int i = 0; i < 10; i++)
      n++;
#pragma omp for schedule (guided)
    for (int i = 0; i < 10; i++)
      n++;
#pragma omp single
    n++;
  }
  return n != 21;
}

static void
constructs (int copies)
{
  int n = 0, sections = 0, singles = 0, copied = 5;
#pragma omp for schedule (dynamic, 2)
  for (int i = 0; i < 9; i++)
    {
#pragma omp atomic
      n += 1 + 1000 * inner (1 + i % 3);
    }
#pragma omp for ordered schedule (dynamic)
  for (int i = 0; i < 4; i++)
    {
      int wrong = inner (2);
#pragma omp ordered
      n += 1 + 1000 * wrong;
    }
#pragma omp sections
  {
#pragma omp section
    {
#pragma omp atomic
      sections += 1 + 1000 * inner (2);
    }
#pragma omp section
    {
#pragma omp atomic
      sections += 10 + 1000 * inner (1);
    }
#pragma omp section
    {
#pragma omp atomic
      sections += 100 + 1000 * inner (3);
    }
  }
#pragma omp single
  {
    singles += 1 + 1000 * inner (2);
  }
#pragma omp single copyprivate (copied)
  copied = 6 + 1000 * inner (2);
  /* Orphaned in a team of several, n, sections and singles are private to the threads.  */
  static int total;
#pragma omp atomic
  total += n + sections + singles;
#pragma omp barrier
#pragma omp single
  {
    if (total != 13 + 111 + 1 || copied != 6)
      printf ("%d threads: %d, copied %d\n", copies, total, copied), bad++;
    total = 0;
  }
}

int
main (void)
{
  omp_set_max_active_levels (2);
  constructs (0);
#pragma omp parallel num_threads (1)
  constructs (1);
#pragma omp parallel num_threads (3)
  constructs (3);
#pragma omp parallel if (0)
  {
#pragma omp barrier
    constructs (1);
  }
  return bad != 0;
}
