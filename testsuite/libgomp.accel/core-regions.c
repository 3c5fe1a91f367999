/* Parallel regions of all sizes in a block of 8 threads: how many threads there are, who they are, regions inside of
   regions, and that a thread is where it was when an inner region is over.  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(what)								\
  do										\
    if (!(what))								\
      {										\
	printf ("line %d: %s\n", __LINE__, #what);				\
	abort ();								\
      }										\
  while (0)

static void
inner (int outer_threads)
{
  int me = omp_get_thread_num (), level = omp_get_level ();
#pragma omp parallel num_threads (5)
  {
    CHECK (omp_get_num_threads () == (outer_threads > 1 ? 1 : 5));
    CHECK (omp_get_level () == level + 1);
    CHECK (omp_get_ancestor_thread_num (level) == me);
    CHECK (omp_get_team_size (level) == outer_threads);
#pragma omp parallel
    CHECK (omp_get_num_threads () == 1 && omp_get_level () == level + 2);
    if (outer_threads > 1)
      omp_set_num_threads (3);
#pragma omp barrier
  }
  CHECK (omp_get_thread_num () == me && omp_get_level () == level);
  CHECK (omp_get_num_threads () == outer_threads);
}

int
main (void)
{
  int before = omp_get_max_threads ();
  CHECK (before == 8);
  for (int n = 1; n <= 12; n++)
    for (int round = 0; round < 20; round++)
      {
	int want = n < 8 ? n : 8, here = 0, iterations = 0;
	unsigned seen = 0;
#pragma omp parallel num_threads (n)
	{
	  CHECK (omp_get_num_threads () == want);
	  CHECK (omp_in_parallel () == (want > 1));
#pragma omp atomic
	  seen |= 1u << omp_get_thread_num ();
#pragma omp for schedule (dynamic, 2) reduction (+: iterations)
	  for (int i = 0; i < 40; i++)
	    {
	      /* A region in the middle of a loop.  */
	      inner (want);
	      int more = 0;
#pragma omp parallel for schedule (dynamic) reduction (+: more) if (want > 1)
	      for (int k = 0; k < 3; k++)
		more++;
	      CHECK (more == 3);
	      iterations++;
	    }
#pragma omp atomic
	  here++;
	}
	CHECK (seen == (1u << want) - 1 && here == want && iterations == 40);
	CHECK (omp_get_level () == 0 && omp_get_num_threads () == 1);
	CHECK (omp_get_max_threads () == before);
      }

  omp_set_num_threads (3);
  int n = 0;
#pragma omp parallel reduction (+: n)
  n++;
  CHECK (n == 3);
  return 0;
}
