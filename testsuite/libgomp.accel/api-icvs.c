/* What a device says of its ICVs, who shares them, and what setters do with bad values.  */

#include <limits.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

static int failures;

#define SAME(x, y)							\
  do									\
    {									\
      long a_ = (long) (x), b_ = (long) (y);				\
      if (a_ != b_)							\
	{								\
	  failures++;							\
	  printf ("line %d: %s is %ld, not %ld\n", __LINE__, #x, a_, b_); \
	}								\
    }									\
  while (0)

static void
schedule_is (unsigned kind, int chunk)
{
  omp_sched_t k;
  int c;
  omp_get_schedule (&k, &c);
  SAME (k, kind);
  SAME (c, chunk);
}

int
main (void)
{
  /* A region on a device gets as many threads as its kernel can have.  */
#ifdef TESTED
  int threads = omp_get_num_procs ();
  SAME (threads > 1 && threads <= 64, 1);
#else
  int threads = 8;
#endif
  /* At the begin.  */
  SAME (omp_get_thread_num (), 0);
  SAME (omp_get_num_threads (), 1);
  SAME (omp_get_max_threads (), threads);
  SAME (omp_get_num_procs (), threads);
  SAME (omp_get_thread_limit (), threads);
  SAME (omp_get_dynamic (), 1);
  SAME (omp_get_max_active_levels (), 1);
  SAME (omp_get_supported_active_levels (), 255);
  SAME (omp_get_level () + omp_get_active_level () + omp_in_parallel (), 0);
  SAME (omp_get_team_num (), 0);
  SAME (omp_get_num_teams (), 1);
  SAME (omp_get_cancellation (), 0);
  SAME (omp_get_max_task_priority (), 0);
  SAME (omp_get_proc_bind (), 0);
  SAME (omp_get_default_allocator (), omp_default_mem_alloc);
  SAME (omp_in_final (), 0);
  schedule_is (omp_sched_dynamic, 1);
  /* There are no places.  */
  int number = 77;
  SAME (omp_get_num_places () + omp_get_place_num_procs (0) + omp_get_partition_num_places (), 0);
  SAME (omp_get_place_num (), -1);
  omp_get_place_proc_ids (0, &number);
  omp_get_partition_place_nums (&number);
  SAME (number, 77);
  /* Devices.  */
  SAME (omp_is_initial_device (), 0);
  /* GCC 16 takes it for the number of devices.  */
  if (omp_get_initial_device () != omp_get_num_devices ())
    SAME (omp_get_initial_device (), -1);
  SAME (omp_get_num_devices (), 0);
  SAME (omp_get_device_num (), 0);
  omp_set_default_device (3);
  SAME (omp_get_default_device (), 0);
  SAME (omp_pause_resource (omp_pause_soft, 0), -1);
  SAME (omp_pause_resource_all (omp_pause_hard), -1);
  /* ICVs of the device.  */
  SAME (omp_get_max_teams () + omp_get_teams_thread_limit (), 0);
  omp_set_num_teams (5);
  omp_set_num_teams (-1);
  omp_set_teams_thread_limit (6);
  omp_set_teams_thread_limit (-2);
  SAME (omp_get_max_teams (), 5);
  SAME (omp_get_teams_thread_limit (), 6);
  omp_set_num_teams (0);
  omp_set_teams_thread_limit (0);

  /* Levels.  */
  SAME (omp_get_ancestor_thread_num (0), 0);
  SAME (omp_get_team_size (0), 1);
  SAME (omp_get_ancestor_thread_num (1), -1);
  SAME (omp_get_team_size (-1), -1);
  int wrong = 0;
#pragma omp parallel num_threads (4) reduction (+: wrong)
  {
    int me = omp_get_thread_num ();
    wrong += omp_get_num_threads () != 4 || omp_get_level () != 1 || omp_get_active_level () != 1
	     || !omp_in_parallel () || omp_get_ancestor_thread_num (1) != me
	     || omp_get_ancestor_thread_num (0) != 0 || omp_get_team_size (1) != 4;
#pragma omp parallel num_threads (3) reduction (+: wrong)
    wrong += omp_get_num_threads () != 1 || omp_get_thread_num () != 0 || omp_get_level () != 2
	     || omp_get_active_level () != 1 || omp_get_ancestor_thread_num (1) != me
	     || omp_get_ancestor_thread_num (2) != 0 || omp_get_team_size (1) != 4
	     || omp_get_team_size (2) != 1 || omp_get_team_size (3) != -1
	     || omp_get_ancestor_thread_num (INT_MAX) != -1 || !omp_in_parallel ();
  }
  SAME (wrong, 0);

  /* What a task sets is seen by what it creates afterwards, and not by its parent or its siblings.  */
  omp_set_num_threads (6);
  omp_set_schedule (omp_sched_static, -4);
#pragma omp parallel num_threads (4) reduction (+: wrong)
  {
    int me = omp_get_thread_num ();
    wrong += omp_get_max_threads () != 6;
#pragma omp barrier
    if (me != 1)
      omp_set_num_threads (10 + me);
    omp_set_dynamic (me & 1);
#pragma omp barrier
    wrong += omp_get_max_threads () != (me != 1 ? 10 + me : 6) || omp_get_dynamic () != (me & 1);
#pragma omp parallel num_threads (1) reduction (+: wrong)
    {
      wrong += omp_get_max_threads () != (me != 1 ? 10 + me : 6);
      omp_set_num_threads (99);
      wrong += omp_get_max_threads () != 99 || omp_get_dynamic () != (me & 1);
    }
    wrong += omp_get_max_threads () != (me != 1 ? 10 + me : 6);
#pragma omp task shared (wrong) if (0)
    {
      wrong += omp_get_max_threads () != (me != 1 ? 10 + me : 6);
      omp_set_num_threads (50);
    }
    wrong += omp_get_max_threads () != (me != 1 ? 10 + me : 6);
  }
  SAME (wrong, 0);
  SAME (omp_get_max_threads (), 6);
  SAME (omp_get_dynamic (), 1);
  SAME (omp_get_num_procs (), threads);
  schedule_is (omp_sched_static, 0);

  /* Bad values.  */
  omp_set_num_threads (0);
  SAME (omp_get_max_threads (), 1);
  omp_set_num_threads (-5);
  SAME (omp_get_max_threads (), 1);
  omp_set_max_active_levels (-1);
  SAME (omp_get_max_active_levels (), 1);
  omp_set_max_active_levels (1000);
  SAME (omp_get_max_active_levels (), 255);
  SAME (omp_get_nested (), 1);
  omp_set_nested (0);
  SAME (omp_get_max_active_levels (), 1);
  SAME (omp_get_nested (), 0);
  omp_set_max_active_levels (0);
  omp_set_nested (0);
  SAME (omp_get_max_active_levels (), 0);
  omp_set_nested (1);
  SAME (omp_get_max_active_levels (), 255);
  omp_set_schedule (omp_sched_guided, 0);
  schedule_is (omp_sched_guided, 1);
  omp_set_schedule ((omp_sched_t) 5, 9);
  omp_set_schedule ((omp_sched_t) 0, 9);
  schedule_is (omp_sched_guided, 1);
  omp_set_schedule ((omp_sched_t) (omp_sched_dynamic | 0x80000000u), 7);
  schedule_is (omp_sched_dynamic | 0x80000000u, 7);
  omp_set_schedule (omp_sched_auto, 3);
  schedule_is (omp_sched_auto, 7);
  return failures != 0;
}
