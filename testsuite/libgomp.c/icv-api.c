/* Setters and queries of ICVs, with arguments that make no sense, and the 64-bit forms for
   Fortran.  TEST-OPTIONS: -Wno-deprecated-declarations  */

#include <errno.h>
#include <limits.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

void omp_set_num_threads_8_ (const int64_t *);
void omp_set_dynamic_8_ (const int64_t *);
void omp_set_schedule_8_ (const int32_t *, const int64_t *);
void omp_get_schedule_8_ (int32_t *, int64_t *);
void omp_get_schedule_ (int32_t *, int32_t *);
void omp_set_max_active_levels_8_ (const int64_t *);
void omp_set_nested_8_ (const int64_t *);
void omp_set_default_device_8_ (const int64_t *);
void omp_set_num_teams_8_ (const int64_t *);
void omp_set_teams_thread_limit_8_ (const int64_t *);

static int failures;

static void
check_equal (long got, long wanted, int line)
{
  if (got != wanted)
    {
      printf ("FAIL: line %d: %ld instead of %ld\n", line, got, wanted);
      failures++;
    }
}
#define EQ(got, wanted) check_equal (got, wanted, __LINE__)

static void
check_schedule (unsigned kind, int chunk, int line)
{
  omp_sched_t k;
  int c;
  omp_get_schedule (&k, &c);
  check_equal ((unsigned) k, kind, line);
  check_equal (c, chunk, line);
}
#define SCHED(kind, chunk) check_schedule (kind, chunk, __LINE__)
#define MONOTONIC 0x80000000u

int
main (void)
{
  int64_t big = (int64_t) 1 << 40, n;
  int32_t k, c32;
  int64_t c64;

  errno = 4711;

  omp_set_num_threads (7);
  EQ (omp_get_max_threads (), 7);
  omp_set_num_threads (0);
  EQ (omp_get_max_threads (), 1);
  omp_set_num_threads (INT_MIN);
  EQ (omp_get_max_threads (), 1);
  omp_set_num_threads (INT_MAX);
  EQ (omp_get_max_threads (), INT_MAX);
  omp_set_num_threads_8_ ((n = -big, &n));
  EQ (omp_get_max_threads (), 1);
  omp_set_num_threads_8_ (&big);
  EQ (omp_get_max_threads (), INT_MAX);

  omp_set_dynamic (-5);
  EQ (omp_get_dynamic (), 1);
  omp_set_dynamic (0);
  EQ (omp_get_dynamic (), 0);
  omp_set_dynamic_8_ (&big);	/* the low half is zero */
  EQ (omp_get_dynamic (), 1);
  omp_set_dynamic (0);

  SCHED (omp_sched_dynamic, 1);
  omp_set_schedule (omp_sched_static, -4);
  SCHED (omp_sched_static, 0);
  omp_set_schedule (omp_sched_guided, 0);
  SCHED (omp_sched_guided, 1);
  omp_set_schedule ((omp_sched_t) 9, 3);
  SCHED (omp_sched_guided, 1);
  omp_set_schedule ((omp_sched_t) 0, 3);
  SCHED (omp_sched_guided, 1);
  omp_set_schedule ((omp_sched_t) (MONOTONIC | 5), 3);
  SCHED (omp_sched_guided, 1);
  omp_set_schedule (omp_sched_dynamic, 9);
  omp_set_schedule (omp_sched_auto, 77);
  SCHED (omp_sched_auto, 9);
  omp_set_schedule ((omp_sched_t) (omp_sched_dynamic | MONOTONIC), 6);
  SCHED (omp_sched_dynamic | MONOTONIC, 6);
  omp_get_schedule_ (&k, &c32);
  EQ (k, 2);
  EQ (c32, 6);
  k = 1;
  omp_set_schedule_8_ (&k, &big);
  SCHED (omp_sched_static, INT_MAX);
  omp_get_schedule_8_ (&k, &c64);
  EQ (k, 1);
  EQ (c64, INT_MAX);

  EQ (omp_get_supported_active_levels (), 255);
  EQ (omp_get_max_active_levels (), 1);
  omp_set_max_active_levels (-3);
  EQ (omp_get_max_active_levels (), 1);
  omp_set_max_active_levels (100000);
  EQ (omp_get_max_active_levels (), 255);
  omp_set_max_active_levels (0);
  EQ (omp_get_max_active_levels (), 0);
  omp_set_nested (0);
  EQ (omp_get_max_active_levels (), 0);
  omp_set_nested (1);
  EQ (omp_get_max_active_levels (), 255);
  EQ (omp_get_nested (), 1);
  omp_set_nested (0);
  EQ (omp_get_max_active_levels (), 1);
  EQ (omp_get_nested (), 0);
  omp_set_nested_8_ (&big);
  EQ (omp_get_nested (), 1);
  omp_set_max_active_levels_8_ (&big);
  EQ (omp_get_max_active_levels (), 255);

  EQ (omp_get_thread_limit (), INT_MAX);
  EQ (omp_get_cancellation (), 0);
  EQ (omp_get_max_task_priority (), 0);
  EQ (omp_get_proc_bind (), omp_proc_bind_false);
  EQ (omp_get_num_procs () > 0, 1);

  EQ (omp_get_max_teams (), 0);
  omp_set_num_teams (5);
  omp_set_num_teams (-1);
  EQ (omp_get_max_teams (), 5);
  omp_set_num_teams_8_ (&big);
  EQ (omp_get_max_teams (), INT_MAX);
  omp_set_num_teams (0);
  EQ (omp_get_max_teams (), 0);
  omp_set_teams_thread_limit (3);
  omp_set_teams_thread_limit (-5);
  EQ (omp_get_teams_thread_limit (), 3);
  omp_set_teams_thread_limit_8_ (&big);
  EQ (omp_get_teams_thread_limit (), INT_MAX);

  EQ (omp_get_default_device (), 0);
  omp_set_default_device (17);
  omp_set_default_device (-5);
  EQ (omp_get_default_device (), 17);
  omp_set_default_device (-1);
  EQ (omp_get_default_device (), -1);
  omp_set_default_device_8_ ((n = -big, &n));
  EQ (omp_get_default_device (), INT_MIN);

  EQ (omp_get_default_allocator (), omp_default_mem_alloc);
  omp_set_default_allocator (omp_const_mem_alloc);
  EQ (omp_get_default_allocator (), omp_const_mem_alloc);
  omp_set_default_allocator (omp_null_allocator);
  EQ (omp_get_default_allocator (), omp_default_mem_alloc);

  double a = omp_get_wtime (), b = omp_get_wtime ();
  EQ (a > 0 && b >= a, 1);
  EQ (omp_get_wtick () > 0 && omp_get_wtick () <= 1e-3, 1);

  EQ (errno, 4711);
  return failures != 0;
}
