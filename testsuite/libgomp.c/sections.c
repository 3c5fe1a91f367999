/* Each section runs exactly once, with fewer and with more threads than sections.  */
#include <omp.h>
#include <stdio.h>
#include "aux-gomp.h"

static int ran[6], bad, counts[101];

static void
check (const char *what, int times)
{
  for (int i = 0; i < 6; i++)
    {
      if (ran[i] != times)
	printf ("%s: section %d ran %d times, not %d\n", what, i, ran[i], times), bad++;
      ran[i] = 0;
    }
}

static void
hit (int i)
{
  __atomic_fetch_add (&ran[i], 1, __ATOMIC_RELAXED);
}

static void
many (void *unused)
{
  (void) unused;
  for (unsigned s = GOMP_sections_start (100); s != 0; s = GOMP_sections_next ())
    if (s > 100)
      __atomic_fetch_add (&bad, 1, __ATOMIC_RELAXED);
    else
      __atomic_fetch_add (&counts[s], 1, __ATOMIC_RELAXED);
  GOMP_sections_end ();
}

int
main (void)
{
  for (int threads = 1; threads <= 9; threads += 2)
    {
#pragma omp parallel num_threads (threads)
      for (int round = 0; round < 50; round++)
	{
#pragma omp sections nowait
	  {
	    hit (0);
#pragma omp section
	    hit (1);
#pragma omp section
	    hit (2);
#pragma omp section
	    hit (3);
#pragma omp section
	    hit (4);
#pragma omp section
	    hit (5);
	  }
	}
      check ("sections nowait", 50);
      int last = 0;
#pragma omp parallel sections num_threads (threads) lastprivate (last)
      {
#pragma omp section
	{ hit (0); last = 1; }
#pragma omp section
	{ hit (1); last = 2; }
#pragma omp section
	{ hit (2); hit (3); hit (4); hit (5); last = 3; }
      }
      check ("parallel sections", 1);
      if (last != 3)
	printf ("lastprivate %d\n", last), bad++;
      GOMP_parallel (many, NULL, threads, 0);
      for (int s = 1; s <= 100; s++)
	{
	  if (counts[s] != 1)
	    printf ("section %d of 100 ran %d times\n", s, counts[s]), bad++;
	  counts[s] = 0;
	}
    }
  return bad != 0;
}
