/* api.h -- what programs call of icv.c, fortran.c and the other files of the OpenMP API.

   Types are those that compiled code uses; where omp.h has an enumeration or a handle there is an
   integer of its size here.  */

#ifndef GOMPX_ACCEL_API_H
#define GOMPX_ACCEL_API_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma omp declare target

/* ---- icv.c, and fortran.c with an underscore ---- */

#define ACCEL_API_GET(name) int name (void); int32_t name##_ (void);
#define ACCEL_API_SET(name)						\
  void name (int);							\
  void name##_ (const int32_t *);					\
  void name##_8_ (const int64_t *);
#define ACCEL_API_AT_LEVEL(name)					\
  int name (int);							\
  int32_t name##_ (const int32_t *);					\
  int32_t name##_8_ (const int64_t *);

ACCEL_API_GET (omp_get_thread_num)
ACCEL_API_GET (omp_get_num_threads)
ACCEL_API_GET (omp_get_team_num)
ACCEL_API_GET (omp_get_num_teams)
ACCEL_API_GET (omp_get_level)
ACCEL_API_GET (omp_get_active_level)
ACCEL_API_GET (omp_in_parallel)
ACCEL_API_GET (omp_in_final)
ACCEL_API_GET (omp_in_explicit_task)
ACCEL_API_AT_LEVEL (omp_get_ancestor_thread_num)
ACCEL_API_AT_LEVEL (omp_get_team_size)

ACCEL_API_SET (omp_set_num_threads)
ACCEL_API_GET (omp_get_max_threads)
ACCEL_API_GET (omp_get_thread_limit)
ACCEL_API_GET (omp_get_num_procs)
ACCEL_API_SET (omp_set_dynamic)
ACCEL_API_GET (omp_get_dynamic)
ACCEL_API_SET (omp_set_nested)
ACCEL_API_GET (omp_get_nested)
ACCEL_API_SET (omp_set_max_active_levels)
ACCEL_API_GET (omp_get_max_active_levels)
ACCEL_API_GET (omp_get_supported_active_levels)
void omp_set_schedule (unsigned, int);
void omp_get_schedule (unsigned *, int *);
void omp_set_schedule_ (const int32_t *, const int32_t *);
void omp_set_schedule_8_ (const int32_t *, const int64_t *);
void omp_get_schedule_ (int32_t *, int32_t *);
void omp_get_schedule_8_ (int32_t *, int64_t *);
ACCEL_API_GET (omp_get_cancellation)
ACCEL_API_GET (omp_get_max_task_priority)

ACCEL_API_GET (omp_get_proc_bind)
ACCEL_API_GET (omp_get_num_places)
ACCEL_API_GET (omp_get_place_num)
ACCEL_API_GET (omp_get_partition_num_places)
int omp_get_place_num_procs (int);
int32_t omp_get_place_num_procs_ (const int32_t *);
int32_t omp_get_place_num_procs_8_ (const int64_t *);
void omp_get_place_proc_ids (int, int *);
void omp_get_place_proc_ids_ (const int32_t *, int32_t *);
void omp_get_place_proc_ids_8_ (const int64_t *, int64_t *);
void omp_get_partition_place_nums (int *);
void omp_get_partition_place_nums_ (int32_t *);
void omp_get_partition_place_nums_8_ (int64_t *);

ACCEL_API_GET (omp_is_initial_device)
ACCEL_API_GET (omp_get_initial_device)
ACCEL_API_GET (omp_get_num_devices)
ACCEL_API_GET (omp_get_device_num)
ACCEL_API_SET (omp_set_default_device)
ACCEL_API_GET (omp_get_default_device)
ACCEL_API_SET (omp_set_num_teams)
ACCEL_API_GET (omp_get_max_teams)
ACCEL_API_SET (omp_set_teams_thread_limit)
ACCEL_API_GET (omp_get_teams_thread_limit)
int omp_pause_resource (int, int);
int32_t omp_pause_resource_ (const int32_t *, const int32_t *);
int omp_pause_resource_all (int);
int32_t omp_pause_resource_all_ (const int32_t *);

/* ---- lock.c ---- */

struct accel_nest_lock;
void omp_init_lock (unsigned *);
void omp_destroy_lock (unsigned *);
void omp_set_lock (unsigned *);
void omp_unset_lock (unsigned *);
int omp_test_lock (unsigned *);
void omp_init_nest_lock (struct accel_nest_lock *);
void omp_destroy_nest_lock (struct accel_nest_lock *);
void omp_set_nest_lock (struct accel_nest_lock *);
void omp_unset_nest_lock (struct accel_nest_lock *);
int omp_test_nest_lock (struct accel_nest_lock *);
void omp_init_lock_ (unsigned *);
void omp_destroy_lock_ (unsigned *);
void omp_set_lock_ (unsigned *);
void omp_unset_lock_ (unsigned *);
int32_t omp_test_lock_ (unsigned *);
void omp_init_nest_lock_ (struct accel_nest_lock **);
void omp_destroy_nest_lock_ (struct accel_nest_lock **);
void omp_set_nest_lock_ (struct accel_nest_lock **);
void omp_unset_nest_lock_ (struct accel_nest_lock **);
int32_t omp_test_nest_lock_ (struct accel_nest_lock **);

/* ---- alloc.c and allocator.c ---- */

struct accel_trait;
uintptr_t omp_init_allocator (uintptr_t, int, const struct accel_trait *);
uintptr_t omp_init_allocator_ (const uintptr_t *, const int32_t *, const struct accel_trait *);
uintptr_t omp_init_allocator_8_ (const uintptr_t *, const int64_t *, const struct accel_trait *);
void omp_destroy_allocator (uintptr_t);
void omp_destroy_allocator_ (const uintptr_t *);
void omp_set_default_allocator (uintptr_t);
void omp_set_default_allocator_ (const uintptr_t *);
uintptr_t omp_get_default_allocator (void);
uintptr_t omp_get_default_allocator_ (void);
void *omp_alloc (size_t, uintptr_t);
void *omp_aligned_alloc (size_t, size_t, uintptr_t);
void *omp_calloc (size_t, size_t, uintptr_t);
void *omp_aligned_calloc (size_t, size_t, size_t, uintptr_t);
void *omp_realloc (void *, size_t, uintptr_t, uintptr_t);
void omp_free (void *, uintptr_t);
void *GOMP_alloc (size_t, size_t, uintptr_t);
void GOMP_free (void *, uintptr_t);
void GOMP_add_alloc (void *);
bool GOMP_is_alloc (void *);

/* ---- affinity.c ---- */

void omp_set_affinity_format (const char *);
void omp_set_affinity_format_ (const char *, size_t);
size_t omp_get_affinity_format (char *, size_t);
int32_t omp_get_affinity_format_ (char *, size_t);
size_t omp_capture_affinity (char *, size_t, const char *);
int32_t omp_capture_affinity_ (char *, const char *, size_t, size_t);
void omp_display_affinity (const char *);
void omp_display_affinity_ (const char *, size_t);

/* ---- interop.c ---- */

int omp_get_num_interop_properties (const void *);
intptr_t omp_get_interop_int (const void *, int, int *);
void *omp_get_interop_ptr (const void *, int, int *);
const char *omp_get_interop_str (const void *, int, int *);
const char *omp_get_interop_name (const void *, int);
const char *omp_get_interop_type_desc (const void *, int);
const char *omp_get_interop_rc_desc (const void *, int);
void omp_get_interop_str_ (const char **, size_t *, const void *, int, int *);
void omp_get_interop_name_ (const char **, size_t *, const void *, int);
void omp_get_interop_type_desc_ (const char **, size_t *, const void *, int);
void omp_get_interop_rc_desc_ (const char **, size_t *, const void *, int);
const char *omp_get_uid_from_device (int);
void omp_get_uid_from_device_ (const char **, size_t *, int32_t);
void omp_get_uid_from_device_8_ (const char **, size_t *, int64_t);
int omp_get_device_from_uid (const char *);
int32_t omp_get_device_from_uid_ (const char *, size_t);

/* ---- message.c, time.c, indirect.c, target.c ---- */

void GOMP_warning (const char *, size_t);
void GOMP_error (const char *, size_t);
double omp_get_wtime (void);
double omp_get_wtime_ (void);
double omp_get_wtick (void);
double omp_get_wtick_ (void);
void *GOMP_target_map_indirect_ptr (void *);
void GOMP_target_data_ext (int, size_t, void **, size_t *, unsigned short *);
void GOMP_target_end_data (void);
void GOMP_target_update_ext (int, size_t, void **, size_t *, unsigned short *, unsigned, void **);
void GOMP_target_enter_exit_data (int, size_t, void **, size_t *, unsigned short *, unsigned, void **);

#pragma omp end declare target

#endif /* GOMPX_ACCEL_API_H */
