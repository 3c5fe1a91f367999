/* The routines that tell where a thread is, outside and inside; taskwait and taskyield do no
   harm anywhere.  */
#include <omp.h>
#include <stdio.h>

int
main (void)
{
  int bad = 0;
#define CHECK(e) do if (!(e)) { printf ("wrong: %s\n", #e); bad++; } while (0)
  CHECK (omp_get_thread_num () == 0);
  CHECK (omp_get_num_threads () == 1);
  CHECK (omp_get_level () == 0);
  CHECK (omp_get_active_level () == 0);
  CHECK (!omp_in_parallel ());
  CHECK (!omp_in_final ());
  CHECK (omp_get_team_num () == 0);
  CHECK (omp_get_num_teams () == 1);
  CHECK (omp_get_ancestor_thread_num (0) == 0);
  CHECK (omp_get_ancestor_thread_num (1) == -1);
  CHECK (omp_get_team_size (0) == 1);
  CHECK (omp_get_team_size (1) == -1);
  CHECK (omp_get_team_size (-1) == -1);
#pragma omp taskwait
#pragma omp taskyield
#pragma omp barrier
#pragma omp parallel num_threads (3) reduction (+: bad)
  {
#pragma omp taskwait
#pragma omp taskyield
    CHECK (omp_in_parallel ());
    CHECK (!omp_in_final ());
    CHECK (omp_get_ancestor_thread_num (1) == omp_get_thread_num ());
    CHECK (omp_get_team_size (1) == 3);
    int x = 0;
    (void) x;
#pragma omp taskwait depend (in: x)
#pragma omp masked
    CHECK (omp_get_thread_num () == 0);
#pragma omp masked filter (2)
    CHECK (omp_get_thread_num () == 2);
  }
#pragma omp parallel num_threads (1) reduction (+: bad)
  CHECK (!omp_in_parallel () && omp_get_level () == 1 && omp_get_active_level () == 0);
  return bad != 0;
}
