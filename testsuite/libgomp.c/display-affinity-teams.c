/* OMP_DISPLAY_AFFINITY: a line for each thread of a team that is nested or has another size
   than the outermost team before; none for teams of one.
   TEST-ENV: OMP_DISPLAY_AFFINITY=true
   TEST-ENV: OMP_AFFINITY_FORMAT=level_%L_thread_%n_of_%N_parent_%a  */
#include <omp.h>

static int n;

static void
hit (void)
{
#pragma omp atomic
  n++;
}

int
main (void)
{
  omp_set_max_active_levels (2);
  for (int i = 0; i < 3; i++)
    {
#pragma omp parallel num_threads (2)
      hit ();
#pragma omp parallel num_threads (1)
      hit ();
    }
#pragma omp parallel num_threads (3)
  hit ();
#pragma omp parallel num_threads (2)
  if (omp_get_thread_num () == 1)
    {
#pragma omp parallel num_threads (2)
      hit ();
#pragma omp parallel num_threads (1)
      hit ();
    }
  return n != 3 * 3 + 3 + 2 + 1;
}
