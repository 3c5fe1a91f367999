/* aux-print-icvs.h -- one line with all ICVs that the API shows.  */

#include <omp.h>
#include <stdio.h>

static void
print_icvs (void)
{
  omp_sched_t kind;
  int chunk;
  omp_get_schedule (&kind, &chunk);
  printf (" threads=%d dyn=%d sched=%x,%d limit=%d levels=%d nested=%d teams=%d,%d cancel=%d prio=%d"
	  " device=%d bind=%d alloc=%ld \n",
	  omp_get_max_threads (), omp_get_dynamic (), (unsigned) kind, chunk,
	  omp_get_thread_limit (), omp_get_max_active_levels (), omp_get_nested (),
	  omp_get_max_teams (), omp_get_teams_thread_limit (), omp_get_cancellation (),
	  omp_get_max_task_priority (), omp_get_default_device (), (int) omp_get_proc_bind (),
	  (long) omp_get_default_allocator ());
}
