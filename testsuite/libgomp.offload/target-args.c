/* num_teams and thread_limit of the host's regions; teams constructs that the host runs.
   TEST-MODES: host */
#include "aux-direct.h"

extern _Bool GOMP_teams4 (unsigned, unsigned, unsigned, _Bool);
static int limit, teams[8], numbers, threads;

static void
region (void *unused)
{
  (void) unused;
  limit = omp_get_thread_limit ();
  threads = omp_get_max_threads ();
  numbers = 0;
  for (_Bool first = 1; GOMP_teams4 (3, 5, 0, first); first = 0)
    {
      CHECK_EQUAL (omp_get_num_teams (), 3);
      teams[numbers++] = omp_get_team_num ();
    }
}

static void
run (void **args)
{
  GOMP_target_ext (-2, region, 0, NULL, NULL, NULL, 0, NULL, args);
}

int
main (void)
{
  int unlimited = omp_get_thread_limit ();

  run ((void *[]) { (void *) 0x100, (void *) 0x50200, NULL });
  CHECK_EQUAL (limit, 5);
  CHECK_EQUAL (numbers, 3);
  CHECK_EQUAL (teams[2], 2);
  run ((void *[]) { (void *) 0x180, (void *) 40000, (void *) 0x280, (void *) 40001, NULL });
  CHECK_EQUAL (limit, 40001);
  /* For some other device; unknown, with and without a value; clamped.  */
  run ((void *[]) { (void *) 0x50205, (void *) 0x285, (void *) 7, (void *) 0x50900,
		    (void *) 0x980, (void *) 9, NULL });
  CHECK_EQUAL (limit, unlimited);
  run ((void *[]) { (void *) 0x280, (void *) 0x123456789a, NULL });
  CHECK_EQUAL (limit, 0x7fffffff);
  run ((void *[]) { (void *) -130816L, (void *) 0x200, NULL });
  CHECK_EQUAL (limit, unlimited);

  /* Regions start with initial values of the ICVs.  */
  int initial = omp_get_max_threads ();
  omp_set_num_threads (initial + 3);
  run ((void *[]) { NULL });
  CHECK_EQUAL (threads, initial);
  CHECK_EQUAL (omp_get_max_threads (), initial + 3);
  CHECK_EQUAL (omp_get_num_teams (), 1);
  CHECK_EQUAL (omp_get_team_num (), 0);
  return result ();
}
