/* Nested regions: sizes, levels and ancestors at every depth; ICVs of a region's threads are
   their own; the outer team is undisturbed.  */
#include <omp.h>
#include <stdio.h>

static int bad;

static void
check (int ok, const char *what)
{
  if (!ok)
    {
#pragma omp atomic
      bad++;
      printf ("wrong: %s (level %d, thread %d)\n", what, omp_get_level (), omp_get_thread_num ());
    }
}

int
main (void)
{
  omp_set_max_active_levels (3);
  int leaves = 0;
  for (int round = 0; round < 20; round++)
    {
#pragma omp parallel num_threads (2)
      {
	int a = omp_get_thread_num ();
	omp_set_num_threads (3 + a);
#pragma omp parallel num_threads (3)
	{
	  int b = omp_get_thread_num ();
	  check (omp_get_max_threads () == 3 + a, "inherited nthreads");
#pragma omp parallel num_threads (1)
	  {
#pragma omp parallel num_threads (2)
	    {
	      check (omp_get_level () == 4, "level");
	      check (omp_get_active_level () == 3, "active level");
	      check (omp_get_ancestor_thread_num (0) == 0, "ancestor 0");
	      check (omp_get_ancestor_thread_num (1) == a, "ancestor 1");
	      check (omp_get_ancestor_thread_num (2) == b, "ancestor 2");
	      check (omp_get_ancestor_thread_num (3) == 0, "ancestor 3");
	      check (omp_get_ancestor_thread_num (4) == omp_get_thread_num (), "ancestor 4");
	      check (omp_get_ancestor_thread_num (5) == -1, "ancestor 5");
	      check (omp_get_ancestor_thread_num (-1) == -1, "ancestor -1");
	      check (omp_get_team_size (0) == 1, "team size 0");
	      check (omp_get_team_size (1) == 2, "team size 1");
	      check (omp_get_team_size (2) == 3, "team size 2");
	      check (omp_get_team_size (3) == 1, "team size 3");
	      check (omp_get_team_size (4) == 2, "team size 4");
	      check (omp_get_team_size (5) == -1, "team size 5");
	      /* One active level more than allowed.  */
#pragma omp parallel num_threads (2)
	      check (omp_get_num_threads () == 1 && omp_get_level () == 5, "fourth active level");
#pragma omp atomic
	      leaves++;
	    }
	  }
	  check (omp_get_thread_num () == b && omp_get_num_threads () == 3, "back in level 2");
	}
	check (omp_get_thread_num () == a && omp_get_num_threads () == 2, "back in level 1");
#pragma omp barrier
      }
    }
  check (leaves == 20 * 12, "number of leaves");
  check (omp_get_level () == 0, "back outside");
  return bad != 0;
}
