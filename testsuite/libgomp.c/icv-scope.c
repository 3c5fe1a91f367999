/* ICVs belong to tasks: an implicit task starts with those of the task that met the region,
   and what it sets ends with it.  Others belong to the process.  */

#include <omp.h>
#include <pthread.h>
#include <stdio.h>

static int failures;

static void
check_equal (long got, long wanted, int line)
{
  if (got != wanted)
    {
      printf ("FAIL: line %d: %ld instead of %ld\n", line, got, wanted);
#pragma omp atomic
      failures++;
    }
}
#define EQ(got, wanted) check_equal (got, wanted, __LINE__)

static int start_threads;

/* A thread of its own starts with what the environment gave.  */
static void *
foreign (void *unused)
{
  EQ (omp_get_max_threads (), start_threads);
  EQ (omp_get_dynamic (), 0);
  EQ (omp_get_default_device (), 0);
  EQ (omp_get_default_allocator (), omp_default_mem_alloc);
  EQ (omp_get_max_teams (), 6);
  omp_set_num_threads (44);
  omp_set_num_teams (7);
  return unused;
}

int
main (void)
{
  pthread_t thread;

  start_threads = omp_get_max_threads ();
  omp_set_num_threads (3);
  omp_set_dynamic (1);
  omp_set_dynamic (0);
  omp_set_default_device (5);
  omp_set_schedule (omp_sched_guided, 4);
  omp_set_default_allocator (omp_low_lat_mem_alloc);
  omp_set_num_teams (6);

#pragma omp parallel num_threads(3)
  {
    int me = omp_get_thread_num ();
    omp_sched_t kind;
    int chunk;
    EQ (omp_get_max_threads (), 3);
    EQ (omp_get_default_device (), 5);
    EQ (omp_get_default_allocator (), omp_low_lat_mem_alloc);
    omp_get_schedule (&kind, &chunk);
    EQ (kind, omp_sched_guided);
    EQ (chunk, 4);
#pragma omp barrier
    omp_set_num_threads (10 + me);
    omp_set_default_device (20 + me);
    omp_set_schedule (omp_sched_static, 30 + me);
    omp_set_default_allocator ((omp_allocator_handle_t) (1 + me));
    omp_set_dynamic (me & 1);
    omp_set_max_active_levels (2 + me);
#pragma omp barrier
    EQ (omp_get_max_threads (), 10 + me);
    EQ (omp_get_default_device (), 20 + me);
    EQ (omp_get_default_allocator (), 1 + me);
    EQ (omp_get_dynamic (), me & 1);
    EQ (omp_get_max_active_levels (), 2 + me);
    omp_get_schedule (&kind, &chunk);
    EQ (chunk, 30 + me);
    /* Inherited one level further down.  */
#pragma omp parallel num_threads(1)
    {
      EQ (omp_get_max_threads (), 10 + me);
      EQ (omp_get_default_device (), 20 + me);
      omp_set_num_threads (99);
    }
    EQ (omp_get_max_threads (), 10 + me);
  }
  EQ (omp_get_max_threads (), 3);
  EQ (omp_get_default_device (), 5);
  EQ (omp_get_default_allocator (), omp_low_lat_mem_alloc);
  EQ (omp_get_dynamic (), 0);
  EQ (omp_get_max_active_levels (), 1);

  pthread_create (&thread, NULL, foreign, NULL);
  pthread_join (thread, NULL);
  EQ (omp_get_max_threads (), 3);
  EQ (omp_get_max_teams (), 7);
  return failures != 0;
}
