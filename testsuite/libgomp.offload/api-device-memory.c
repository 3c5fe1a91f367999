/* Allocators in a region: every team and thread at once, memory of the team, a limit, calloc and realloc.  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>

int
main (void)
{
  int rounds = 0, wrong = 0;
#pragma omp target teams num_teams (8) thread_limit (4) map (tofrom: rounds, wrong)
#pragma omp parallel num_threads (4)
  {
    int mine = 0, me = omp_get_team_num () * 100 + omp_get_thread_num ();
    for (int i = 0; i < 10; i++)
      {
	omp_alloctrait_t traits[] = {
	  { omp_atk_access, omp_atv_cgroup }, { omp_atk_fallback, omp_atv_null_fb },
	  { omp_atk_alignment, 64 }, { omp_atk_pool_size, 2000 }
	};
	omp_allocator_handle_t h = omp_init_allocator (omp_low_lat_mem_space, 4, traits);
	int *quick = omp_alloc (400, h);	/* there may be none */
	int *team = omp_alloc (4000, omp_pteam_mem_alloc);
	int *zero = omp_calloc (100, sizeof (int), omp_default_mem_alloc);
	mine += h == omp_null_allocator || team == NULL || zero == NULL;
	mine += omp_alloc (3000, h) != NULL || (uintptr_t) quick % 64 != 0;
	for (int k = 0; k < 100; k++)
	  {
	    if (quick)
	      quick[k] = me + k;
	    if (team)
	      team[10 * k] = me - k;
	    if (zero)
	      mine += zero[k] != 0;
	  }
	zero = omp_realloc (zero, 8000, omp_default_mem_alloc, omp_default_mem_alloc);
	mine += zero == NULL;
	for (int k = 0; k < 100; k++)
	  {
	    if (quick)
	      mine += quick[k] != me + k;
	    if (team)
	      mine += team[10 * k] != me - k;
	    if (zero)
	      mine += zero[k] != 0;
	  }
	omp_free (quick, h);
	omp_free (team, omp_null_allocator);
	omp_free (zero, omp_default_mem_alloc);
	omp_destroy_allocator (h);
#pragma omp atomic
	rounds++;
      }
#pragma omp atomic
    wrong += mine;
  }
  if (rounds < 10 || wrong != 0)
    return printf ("%d rounds, %d wrong\n", rounds, wrong), 1;
  return 0;
}
