/* Fortran forms by their symbols: arguments by reference, integers of 4 and of 8 bytes, clamped; characters
   padded with blanks.  */

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(x) ((x) ? (void) 0 : (void) (failures++, printf ("line %d: %s\n", __LINE__, #x)))

#define GET(name) extern int32_t name##_ (void);
#define SET(name) extern void name##_ (const int32_t *), name##_8_ (const int64_t *);
#define AT(name) extern int32_t name##_ (const int32_t *), name##_8_ (const int64_t *);
GET (omp_get_thread_num) GET (omp_get_num_threads) GET (omp_get_max_threads) GET (omp_get_num_procs)
GET (omp_get_team_num) GET (omp_get_num_teams) GET (omp_get_level) GET (omp_get_active_level)
GET (omp_in_parallel) GET (omp_in_final) GET (omp_get_thread_limit) GET (omp_get_dynamic)
GET (omp_get_nested) GET (omp_get_max_active_levels) GET (omp_get_supported_active_levels)
GET (omp_get_cancellation) GET (omp_get_max_task_priority) GET (omp_get_proc_bind)
GET (omp_get_num_places) GET (omp_get_place_num) GET (omp_get_partition_num_places)
GET (omp_is_initial_device) GET (omp_get_initial_device) GET (omp_get_num_devices)
GET (omp_get_device_num) GET (omp_get_default_device) GET (omp_get_max_teams)
GET (omp_get_teams_thread_limit)
SET (omp_set_num_threads) SET (omp_set_dynamic) SET (omp_set_nested) SET (omp_set_max_active_levels)
SET (omp_set_default_device) SET (omp_set_num_teams) SET (omp_set_teams_thread_limit)
AT (omp_get_ancestor_thread_num) AT (omp_get_team_size) AT (omp_get_place_num_procs)
extern void omp_set_schedule_ (const int32_t *, const int32_t *);
extern void omp_set_schedule_8_ (const int32_t *, const int64_t *);
extern void omp_get_schedule_ (int32_t *, int32_t *), omp_get_schedule_8_ (int32_t *, int64_t *);
extern void omp_get_place_proc_ids_ (const int32_t *, int32_t *);
extern void omp_get_place_proc_ids_8_ (const int64_t *, int64_t *);
extern void omp_get_partition_place_nums_ (int32_t *), omp_get_partition_place_nums_8_ (int64_t *);
extern int32_t omp_pause_resource_ (const int32_t *, const int32_t *);
extern int32_t omp_pause_resource_all_ (const int32_t *);
extern double omp_get_wtime_ (void), omp_get_wtick_ (void);
extern void omp_set_affinity_format_ (const char *, size_t);
extern int32_t omp_get_affinity_format_ (char *, size_t);
extern int32_t omp_capture_affinity_ (char *, const char *, size_t, size_t);

static const int64_t huge = INT64_C (1) << 40, tiny = -(INT64_C (1) << 40);

int
main (void)
{
  int32_t four, kind, chunk;
  int64_t eight;

  /* A region on a device gets as many threads as its kernel can have.  */
#ifdef TESTED
  int threads = omp_get_num_procs_ ();
  CHECK (threads > 1 && threads <= 64 * 32);
#else
  int threads = 8;
#endif
  CHECK (omp_get_thread_num_ () == 0 && omp_get_num_threads_ () == 1 && omp_get_max_threads_ () == threads);
  CHECK (omp_get_num_procs_ () == threads && omp_get_thread_limit_ () == threads);
  CHECK (omp_get_team_num_ () == 0 && omp_get_num_teams_ () == 1);
  CHECK (omp_get_level_ () == 0 && omp_get_active_level_ () == 0 && !omp_in_parallel_ ());
  CHECK (!omp_in_final_ () && omp_get_supported_active_levels_ () == 255);
  CHECK (omp_get_cancellation_ () == 0 && omp_get_max_task_priority_ () == 0);
  CHECK (omp_get_proc_bind_ () == 0 && omp_get_num_places_ () == 0 && omp_get_place_num_ () == -1);
  CHECK (omp_get_partition_num_places_ () == 0 && !omp_is_initial_device_ ());
  CHECK (omp_get_initial_device_ () == -1 && omp_get_num_devices_ () == 0);
  CHECK (omp_get_device_num_ () == 0 && omp_get_default_device_ () == 0);

  omp_set_num_threads_ ((four = 5, &four));
  CHECK (omp_get_max_threads_ () == 5);
  omp_set_num_threads_8_ (&huge);
  CHECK (omp_get_max_threads_ () == INT_MAX);
  omp_set_num_threads_8_ (&tiny);
  CHECK (omp_get_max_threads_ () == 1);
  omp_set_dynamic_ ((four = 0, &four));
  CHECK (!omp_get_dynamic_ ());
  omp_set_dynamic_8_ (&huge);	/* its lower half is zero */
  CHECK (omp_get_dynamic_ () == 1);
  omp_set_nested_8_ (&huge);
  CHECK (omp_get_nested_ () == 1 && omp_get_max_active_levels_ () == 255);
  omp_set_nested_ ((four = 0, &four));
  CHECK (!omp_get_nested_ ());
  omp_set_max_active_levels_ ((four = 3, &four));
  CHECK (omp_get_max_active_levels_ () == 3);
  omp_set_max_active_levels_8_ (&tiny);
  CHECK (omp_get_max_active_levels_ () == 3);
  omp_set_max_active_levels_8_ ((eight = 1, &eight));
  omp_set_num_teams_ ((four = 4, &four));
  omp_set_teams_thread_limit_8_ ((eight = 7, &eight));
  CHECK (omp_get_max_teams_ () == 4 && omp_get_teams_thread_limit_ () == 7);
  omp_set_num_teams_8_ (&huge);
  omp_set_teams_thread_limit_ ((four = -1, &four));
  CHECK (omp_get_max_teams_ () == INT_MAX && omp_get_teams_thread_limit_ () == 7);
  omp_set_default_device_ ((four = 4, &four));
  omp_set_default_device_8_ ((eight = 4, &eight));
  CHECK (omp_get_default_device_ () == 0);

  /* The kind has 4 bytes in both, and no modifier comes back.  */
  omp_set_schedule_ ((kind = (int32_t) 0x80000002, &kind), (four = 9, &four));
  omp_get_schedule_ (&kind, &chunk);
  CHECK (kind == 2 && chunk == 9);
  omp_set_schedule_8_ ((kind = 1, &kind), &huge);
  eight = -1;
  omp_get_schedule_8_ (&kind, &eight);
  CHECK (kind == 1 && eight == INT_MAX);

  four = eight = 7;
  omp_get_partition_place_nums_ (&four);
  omp_get_partition_place_nums_8_ (&eight);
  omp_get_place_proc_ids_ (&chunk, &four);
  omp_get_place_proc_ids_8_ (&huge, &eight);
  CHECK (four == 7 && eight == 7 && omp_get_place_num_procs_ (&four) == 0
	 && omp_get_place_num_procs_8_ (&eight) == 0);
  CHECK (omp_pause_resource_ (&four, &four) == -1 && omp_pause_resource_all_ (&four) == -1);
  CHECK (omp_get_wtick_ () > 0 && omp_get_wtime_ () >= 0);

#pragma omp parallel num_threads (2)
  if (omp_get_thread_num_ () == 1)
    {
      CHECK (omp_get_ancestor_thread_num_ ((four = 1, &four)) == 1);
      CHECK (omp_get_ancestor_thread_num_8_ ((eight = 1, &eight)) == 1);
      CHECK (omp_get_team_size_ ((four = 1, &four)) == 2);
      CHECK (omp_get_team_size_8_ ((eight = 0, &eight)) == 1);
      CHECK (omp_get_team_size_8_ (&huge) == -1 && omp_get_ancestor_thread_num_8_ (&tiny) == -1);
    }

  char text[12];
  memset (text, '?', sizeof (text));
  CHECK (omp_capture_affinity_ (text, "%n of %N", 10, 8) == 6);
  CHECK (memcmp (text, "0 of 1    ??", 12) == 0);
  CHECK (omp_capture_affinity_ (text, "%n of %N", 3, 8) == 6);
  CHECK (memcmp (text, "0 of 1    ??", 12) == 0);
  omp_set_affinity_format_ ("%nxyz", 3);
  memset (text, '?', sizeof (text));
  CHECK (omp_get_affinity_format_ (text, 5) == 3 && memcmp (text, "%nx  ?", 6) == 0);
  CHECK (omp_capture_affinity_ (text, "", 0, 0) == 2);
  return failures != 0;
}
