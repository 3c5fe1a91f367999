/* abi.h -- prototypes of the host half's entry points.

   Programs are compiled with their own omp.h; these prototypes only have to agree with the
   definitions (abi/host sections 3 and 4).  Fortran passes arguments by reference: the form
   NAME_ takes 32-bit integers and logicals, NAME_8_ takes 64-bit ones.  */

#ifndef GOMP_ABI_H
#define GOMP_ABI_H 1

#include "libgomp.h"

typedef uintptr_t omp_allocator_handle_t;
typedef struct
{
  int key;
  uintptr_t value;
} omp_alloctrait_t;

/* What an int argument becomes that was given as integer(8).  */
static inline int
gomp_clamp_int (int64_t n)
{
  return n < INT_MIN ? INT_MIN : n > INT_MAX ? INT_MAX : (int) n;
}

/* ---- thread-api.c: where a thread stands ---- */

GOMP_EXPORT int omp_get_thread_num (void);
GOMP_EXPORT int32_t omp_get_thread_num_ (void);
GOMP_EXPORT int omp_get_num_threads (void);
GOMP_EXPORT int32_t omp_get_num_threads_ (void);
GOMP_EXPORT int omp_get_level (void);
GOMP_EXPORT int32_t omp_get_level_ (void);
GOMP_EXPORT int omp_get_active_level (void);
GOMP_EXPORT int32_t omp_get_active_level_ (void);
GOMP_EXPORT int omp_in_parallel (void);
GOMP_EXPORT int32_t omp_in_parallel_ (void);
GOMP_EXPORT int omp_get_team_num (void);
GOMP_EXPORT int32_t omp_get_team_num_ (void);
GOMP_EXPORT int omp_get_num_teams (void);
GOMP_EXPORT int32_t omp_get_num_teams_ (void);
GOMP_EXPORT int omp_in_final (void);
GOMP_EXPORT int32_t omp_in_final_ (void);
GOMP_EXPORT int omp_in_explicit_task (void);
GOMP_EXPORT int32_t omp_in_explicit_task_ (void);
GOMP_EXPORT int omp_get_ancestor_thread_num (int level);
GOMP_EXPORT int32_t omp_get_ancestor_thread_num_ (const int32_t *);
GOMP_EXPORT int32_t omp_get_ancestor_thread_num_8_ (const int64_t *);
GOMP_EXPORT int omp_get_team_size (int level);
GOMP_EXPORT int32_t omp_get_team_size_ (const int32_t *);
GOMP_EXPORT int32_t omp_get_team_size_8_ (const int64_t *);

/* ---- pause.c ---- */

GOMP_EXPORT int omp_pause_resource (int kind, int device);
GOMP_EXPORT int32_t omp_pause_resource_ (const int32_t *kind, const int32_t *device);
GOMP_EXPORT int omp_pause_resource_all (int kind);
GOMP_EXPORT int32_t omp_pause_resource_all_ (const int32_t *kind);

/* ---- parallel.c ---- */

GOMP_EXPORT void GOMP_parallel (gomp_fn, void *, unsigned, unsigned);
GOMP_EXPORT unsigned GOMP_parallel_reductions (gomp_fn, void *, unsigned, unsigned);
GOMP_EXPORT void GOMP_parallel_start (gomp_fn, void *, unsigned);
GOMP_EXPORT void GOMP_parallel_end (void);
GOMP_EXPORT void GOMP_parallel_sections (gomp_fn, void *, unsigned, unsigned, unsigned);
GOMP_EXPORT void GOMP_parallel_sections_start (gomp_fn, void *, unsigned, unsigned);
/* START, END, INCR, CHUNK.  */
GOMP_EXPORT void GOMP_parallel_loop_static (gomp_fn, void *, unsigned, long, long, long, long,
					     unsigned);
GOMP_EXPORT void GOMP_parallel_loop_dynamic (gomp_fn, void *, unsigned, long, long, long, long,
					     unsigned);
GOMP_EXPORT void GOMP_parallel_loop_guided (gomp_fn, void *, unsigned, long, long, long, long,
					     unsigned);
GOMP_EXPORT void GOMP_parallel_loop_nonmonotonic_dynamic (gomp_fn, void *, unsigned, long, long, long, long,
					     unsigned);
GOMP_EXPORT void GOMP_parallel_loop_nonmonotonic_guided (gomp_fn, void *, unsigned, long, long, long, long,
					     unsigned);
GOMP_EXPORT void GOMP_parallel_loop_runtime (gomp_fn, void *, unsigned, long, long, long,
					     unsigned);
GOMP_EXPORT void GOMP_parallel_loop_nonmonotonic_runtime (gomp_fn, void *, unsigned, long, long, long,
					     unsigned);
GOMP_EXPORT void GOMP_parallel_loop_maybe_nonmonotonic_runtime (gomp_fn, void *, unsigned, long, long, long,
					     unsigned);
GOMP_EXPORT void GOMP_parallel_loop_static_start (gomp_fn, void *, unsigned, long, long, long,
						   long);
GOMP_EXPORT void GOMP_parallel_loop_dynamic_start (gomp_fn, void *, unsigned, long, long, long,
						   long);
GOMP_EXPORT void GOMP_parallel_loop_guided_start (gomp_fn, void *, unsigned, long, long, long,
						   long);
GOMP_EXPORT void GOMP_parallel_loop_runtime_start (gomp_fn, void *, unsigned, long, long, long);

/* ---- loop.c: START, END, INCR, CHUNK (not for runtime) -> ISTART, IEND ---- */

GOMP_EXPORT bool GOMP_loop_static_start (long, long, long, long, long *, long *);
GOMP_EXPORT bool GOMP_loop_dynamic_start (long, long, long, long, long *, long *);
GOMP_EXPORT bool GOMP_loop_guided_start (long, long, long, long, long *, long *);
GOMP_EXPORT bool GOMP_loop_nonmonotonic_dynamic_start (long, long, long, long, long *, long *);
GOMP_EXPORT bool GOMP_loop_nonmonotonic_guided_start (long, long, long, long, long *, long *);
GOMP_EXPORT bool GOMP_loop_ordered_static_start (long, long, long, long, long *, long *);
GOMP_EXPORT bool GOMP_loop_ordered_dynamic_start (long, long, long, long, long *, long *);
GOMP_EXPORT bool GOMP_loop_ordered_guided_start (long, long, long, long, long *, long *);
GOMP_EXPORT bool GOMP_loop_runtime_start (long, long, long, long *, long *);
GOMP_EXPORT bool GOMP_loop_nonmonotonic_runtime_start (long, long, long, long *, long *);
GOMP_EXPORT bool GOMP_loop_maybe_nonmonotonic_runtime_start (long, long, long, long *, long *);
GOMP_EXPORT bool GOMP_loop_ordered_runtime_start (long, long, long, long *, long *);
GOMP_EXPORT bool GOMP_loop_static_next (long *, long *);
GOMP_EXPORT bool GOMP_loop_dynamic_next (long *, long *);
GOMP_EXPORT bool GOMP_loop_guided_next (long *, long *);
GOMP_EXPORT bool GOMP_loop_nonmonotonic_dynamic_next (long *, long *);
GOMP_EXPORT bool GOMP_loop_nonmonotonic_guided_next (long *, long *);
GOMP_EXPORT bool GOMP_loop_ordered_static_next (long *, long *);
GOMP_EXPORT bool GOMP_loop_ordered_dynamic_next (long *, long *);
GOMP_EXPORT bool GOMP_loop_ordered_guided_next (long *, long *);
GOMP_EXPORT bool GOMP_loop_runtime_next (long *, long *);
GOMP_EXPORT bool GOMP_loop_nonmonotonic_runtime_next (long *, long *);
GOMP_EXPORT bool GOMP_loop_maybe_nonmonotonic_runtime_next (long *, long *);
GOMP_EXPORT bool GOMP_loop_ordered_runtime_next (long *, long *);
GOMP_EXPORT bool GOMP_loop_start (long, long, long, long, long, long *, long *,
				  uintptr_t *, void **);
GOMP_EXPORT bool GOMP_loop_ordered_start (long, long, long, long, long, long *, long *,
				  uintptr_t *, void **);
GOMP_EXPORT void GOMP_loop_end (void);
GOMP_EXPORT void GOMP_loop_end_nowait (void);

/* ---- loop_ull.c: UP and the same ---- */

GOMP_EXPORT bool GOMP_loop_ull_static_start (bool, gomp_ull, gomp_ull, gomp_ull, gomp_ull,
						gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_dynamic_start (bool, gomp_ull, gomp_ull, gomp_ull, gomp_ull,
						gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_guided_start (bool, gomp_ull, gomp_ull, gomp_ull, gomp_ull,
						gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_nonmonotonic_dynamic_start (bool, gomp_ull, gomp_ull, gomp_ull, gomp_ull,
						gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_nonmonotonic_guided_start (bool, gomp_ull, gomp_ull, gomp_ull, gomp_ull,
						gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_ordered_static_start (bool, gomp_ull, gomp_ull, gomp_ull, gomp_ull,
						gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_ordered_dynamic_start (bool, gomp_ull, gomp_ull, gomp_ull, gomp_ull,
						gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_ordered_guided_start (bool, gomp_ull, gomp_ull, gomp_ull, gomp_ull,
						gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_runtime_start (bool, gomp_ull, gomp_ull, gomp_ull,
						gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_nonmonotonic_runtime_start (bool, gomp_ull, gomp_ull, gomp_ull,
						gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_maybe_nonmonotonic_runtime_start (bool, gomp_ull, gomp_ull, gomp_ull,
						gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_ordered_runtime_start (bool, gomp_ull, gomp_ull, gomp_ull,
						gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_static_next (gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_dynamic_next (gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_guided_next (gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_nonmonotonic_dynamic_next (gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_nonmonotonic_guided_next (gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_ordered_static_next (gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_ordered_dynamic_next (gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_ordered_guided_next (gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_runtime_next (gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_nonmonotonic_runtime_next (gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_maybe_nonmonotonic_runtime_next (gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_ordered_runtime_next (gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_start (bool, gomp_ull, gomp_ull, gomp_ull, long, gomp_ull,
				      gomp_ull *, gomp_ull *, uintptr_t *, void **);
GOMP_EXPORT bool GOMP_loop_ull_ordered_start (bool, gomp_ull, gomp_ull, gomp_ull, long, gomp_ull,
				      gomp_ull *, gomp_ull *, uintptr_t *, void **);

/* ---- doacross.c: counts of the levels (and CHUNK) -> ISTART, IEND ---- */

GOMP_EXPORT bool GOMP_loop_doacross_static_start (unsigned, long *, long, long *, long *);
GOMP_EXPORT bool GOMP_loop_doacross_dynamic_start (unsigned, long *, long, long *, long *);
GOMP_EXPORT bool GOMP_loop_doacross_guided_start (unsigned, long *, long, long *, long *);
GOMP_EXPORT bool GOMP_loop_doacross_runtime_start (unsigned, long *, long *, long *);
GOMP_EXPORT bool GOMP_loop_doacross_start (unsigned, long *, long, long, long *,
				 long *, uintptr_t *, void **);
GOMP_EXPORT bool GOMP_loop_ull_doacross_static_start (unsigned, gomp_ull *, gomp_ull, gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_doacross_dynamic_start (unsigned, gomp_ull *, gomp_ull, gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_doacross_guided_start (unsigned, gomp_ull *, gomp_ull, gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_doacross_runtime_start (unsigned, gomp_ull *, gomp_ull *, gomp_ull *);
GOMP_EXPORT bool GOMP_loop_ull_doacross_start (unsigned, gomp_ull *, long, gomp_ull, gomp_ull *,
				 gomp_ull *, uintptr_t *, void **);
GOMP_EXPORT void GOMP_doacross_post (long *);
GOMP_EXPORT void GOMP_doacross_wait (long, ...);
GOMP_EXPORT void GOMP_doacross_ull_post (gomp_ull *);
GOMP_EXPORT void GOMP_doacross_ull_wait (gomp_ull, ...);

/* ---- sections.c, single.c, ordered.c, barrier.c, critical.c, atomic.c ---- */

GOMP_EXPORT unsigned GOMP_sections_start (unsigned count);
GOMP_EXPORT unsigned GOMP_sections2_start (unsigned count, uintptr_t *, void **);
GOMP_EXPORT unsigned GOMP_sections_next (void);
GOMP_EXPORT void GOMP_sections_end (void);
GOMP_EXPORT void GOMP_sections_end_nowait (void);
GOMP_EXPORT bool GOMP_single_start (void);
GOMP_EXPORT void *GOMP_single_copy_start (void);
GOMP_EXPORT void GOMP_single_copy_end (void *);
GOMP_EXPORT void GOMP_ordered_start (void);
GOMP_EXPORT void GOMP_ordered_end (void);
GOMP_EXPORT void GOMP_barrier (void);
GOMP_EXPORT void GOMP_critical_start (void);
GOMP_EXPORT void GOMP_critical_end (void);
GOMP_EXPORT void GOMP_critical_name_start (void **);
GOMP_EXPORT void GOMP_critical_name_end (void **);
GOMP_EXPORT void GOMP_atomic_start (void);
GOMP_EXPORT void GOMP_atomic_end (void);

/* ---- cancel.c ---- */

GOMP_EXPORT bool GOMP_cancel (int which, bool do_cancel);
GOMP_EXPORT bool GOMP_cancellation_point (int which);
GOMP_EXPORT bool GOMP_barrier_cancel (void);
GOMP_EXPORT bool GOMP_loop_end_cancel (void);
GOMP_EXPORT bool GOMP_sections_end_cancel (void);

/* ---- teams.c, task.c ---- */

GOMP_EXPORT void GOMP_teams_reg (gomp_fn, void *, unsigned num_teams, unsigned thread_limit,
				 unsigned flags);
/* FLAGS as in task.h; DEPEND, PRIORITY and DETACH are read only if their flag is set.  */
GOMP_EXPORT void GOMP_task (gomp_fn, void *data, void (*cpyfn) (void *, void *), long arg_size,
			    long arg_align, bool if_clause, unsigned flags, void **depend,
			    int priority, void *detach);
GOMP_EXPORT void GOMP_taskwait (void);
GOMP_EXPORT void GOMP_taskwait_depend (void **);
GOMP_EXPORT void GOMP_taskwait_depend_nowait (void **);
GOMP_EXPORT void GOMP_taskyield (void);
GOMP_EXPORT void GOMP_taskgroup_start (void);
GOMP_EXPORT void GOMP_taskgroup_end (void);

/* ---- task-event.c ---- */

GOMP_EXPORT void omp_fulfill_event (uintptr_t);
GOMP_EXPORT void omp_fulfill_event_ (uintptr_t);	/* by value, too */

/* ---- taskloop.c, reduction.c, scope.c ---- */

GOMP_EXPORT void GOMP_taskloop (gomp_fn, void *, void (*cpyfn) (void *, void *), long arg_size,
				long arg_align, unsigned flags, unsigned long num_tasks,
				int priority, long start, long end, long step);
GOMP_EXPORT void GOMP_taskloop_ull (gomp_fn, void *, void (*cpyfn) (void *, void *),
				    long arg_size, long arg_align, unsigned flags,
				    unsigned long num_tasks, int priority, gomp_ull start,
				    gomp_ull end, gomp_ull step);
GOMP_EXPORT void GOMP_taskgroup_reduction_register (uintptr_t *);
GOMP_EXPORT void GOMP_taskgroup_reduction_unregister (uintptr_t *);
GOMP_EXPORT void GOMP_task_reduction_remap (size_t cnt, size_t cntorig, void **);
GOMP_EXPORT void GOMP_workshare_task_reduction_unregister (bool cancelled);
GOMP_EXPORT void GOMP_scope_start (uintptr_t *);

/* ---- icv.c: internal control variables ---- */

GOMP_EXPORT void omp_set_num_threads (int);
GOMP_EXPORT void omp_set_num_threads_ (const int32_t *);
GOMP_EXPORT void omp_set_num_threads_8_ (const int64_t *);
GOMP_EXPORT int omp_get_max_threads (void);
GOMP_EXPORT int32_t omp_get_max_threads_ (void);
GOMP_EXPORT int omp_get_num_procs (void);
GOMP_EXPORT int32_t omp_get_num_procs_ (void);
GOMP_EXPORT void omp_set_dynamic (int);
GOMP_EXPORT void omp_set_dynamic_ (const int32_t *);
GOMP_EXPORT void omp_set_dynamic_8_ (const int64_t *);
GOMP_EXPORT int omp_get_dynamic (void);
GOMP_EXPORT int32_t omp_get_dynamic_ (void);
GOMP_EXPORT void omp_set_nested (int);
GOMP_EXPORT void omp_set_nested_ (const int32_t *);
GOMP_EXPORT void omp_set_nested_8_ (const int64_t *);
GOMP_EXPORT int omp_get_nested (void);
GOMP_EXPORT int32_t omp_get_nested_ (void);
GOMP_EXPORT void omp_set_schedule (unsigned kind, int chunk);
GOMP_EXPORT void omp_set_schedule_ (const int32_t *, const int32_t *);
GOMP_EXPORT void omp_set_schedule_8_ (const int32_t *, const int64_t *);
GOMP_EXPORT void omp_get_schedule (unsigned *kind, int *chunk);
GOMP_EXPORT void omp_get_schedule_ (int32_t *, int32_t *);
GOMP_EXPORT void omp_get_schedule_8_ (int32_t *, int64_t *);
GOMP_EXPORT int omp_get_thread_limit (void);
GOMP_EXPORT int32_t omp_get_thread_limit_ (void);
GOMP_EXPORT void omp_set_max_active_levels (int);
GOMP_EXPORT void omp_set_max_active_levels_ (const int32_t *);
GOMP_EXPORT void omp_set_max_active_levels_8_ (const int64_t *);
GOMP_EXPORT int omp_get_max_active_levels (void);
GOMP_EXPORT int32_t omp_get_max_active_levels_ (void);
GOMP_EXPORT int omp_get_supported_active_levels (void);
GOMP_EXPORT int32_t omp_get_supported_active_levels_ (void);
GOMP_EXPORT int omp_get_cancellation (void);
GOMP_EXPORT int32_t omp_get_cancellation_ (void);
GOMP_EXPORT int omp_get_max_task_priority (void);
GOMP_EXPORT int32_t omp_get_max_task_priority_ (void);
GOMP_EXPORT int omp_get_proc_bind (void);
GOMP_EXPORT int32_t omp_get_proc_bind_ (void);
GOMP_EXPORT void omp_set_num_teams (int);
GOMP_EXPORT void omp_set_num_teams_ (const int32_t *);
GOMP_EXPORT void omp_set_num_teams_8_ (const int64_t *);
GOMP_EXPORT int omp_get_max_teams (void);
GOMP_EXPORT int32_t omp_get_max_teams_ (void);
GOMP_EXPORT void omp_set_teams_thread_limit (int);
GOMP_EXPORT void omp_set_teams_thread_limit_ (const int32_t *);
GOMP_EXPORT void omp_set_teams_thread_limit_8_ (const int64_t *);
GOMP_EXPORT int omp_get_teams_thread_limit (void);
GOMP_EXPORT int32_t omp_get_teams_thread_limit_ (void);
GOMP_EXPORT void omp_set_default_device (int);
GOMP_EXPORT void omp_set_default_device_ (const int32_t *);
GOMP_EXPORT void omp_set_default_device_8_ (const int64_t *);
GOMP_EXPORT int omp_get_default_device (void);
GOMP_EXPORT int32_t omp_get_default_device_ (void);

/* ---- places.c ---- */

GOMP_EXPORT int omp_get_num_places (void);
GOMP_EXPORT int32_t omp_get_num_places_ (void);
GOMP_EXPORT int omp_get_place_num_procs (int);
GOMP_EXPORT int32_t omp_get_place_num_procs_ (const int32_t *);
GOMP_EXPORT int32_t omp_get_place_num_procs_8_ (const int64_t *);
GOMP_EXPORT void omp_get_place_proc_ids (int, int *);
GOMP_EXPORT void omp_get_place_proc_ids_ (const int32_t *, int32_t *);
GOMP_EXPORT void omp_get_place_proc_ids_8_ (const int64_t *, int64_t *);
GOMP_EXPORT int omp_get_place_num (void);
GOMP_EXPORT int32_t omp_get_place_num_ (void);
GOMP_EXPORT int omp_get_partition_num_places (void);
GOMP_EXPORT int32_t omp_get_partition_num_places_ (void);
GOMP_EXPORT void omp_get_partition_place_nums (int *);
GOMP_EXPORT void omp_get_partition_place_nums_ (int32_t *);
GOMP_EXPORT void omp_get_partition_place_nums_8_ (int64_t *);

/* ---- affinity-fmt.c.  In Fortran the lengths of character arguments come last.  ---- */

GOMP_EXPORT void omp_set_affinity_format (const char *);
GOMP_EXPORT void omp_set_affinity_format_ (const char *, size_t);
GOMP_EXPORT size_t omp_get_affinity_format (char *, size_t);
GOMP_EXPORT int32_t omp_get_affinity_format_ (char *, size_t);
GOMP_EXPORT void omp_display_affinity (const char *);
GOMP_EXPORT void omp_display_affinity_ (const char *, size_t);
GOMP_EXPORT size_t omp_capture_affinity (char *, size_t, const char *);
GOMP_EXPORT int32_t omp_capture_affinity_ (char *, const char *, size_t to_len, size_t format_len);

/* ---- display-env.c ---- */

GOMP_EXPORT void omp_display_env (int verbose);
GOMP_EXPORT void omp_display_env_ (const int32_t *);
GOMP_EXPORT void omp_display_env_8_ (const int64_t *);

/* ---- wtime.c ---- */

GOMP_EXPORT double omp_get_wtime (void);
GOMP_EXPORT double omp_get_wtime_ (void);
GOMP_EXPORT double omp_get_wtick (void);
GOMP_EXPORT double omp_get_wtick_ (void);

/* ---- allocator.c.  Memory spaces are pointer-sized numbers, too.  ---- */

GOMP_EXPORT omp_allocator_handle_t omp_init_allocator (uintptr_t space, int ntraits,
							 const omp_alloctrait_t *);
GOMP_EXPORT omp_allocator_handle_t omp_init_allocator_ (const uintptr_t *, const int32_t *,
							  const omp_alloctrait_t *);
GOMP_EXPORT omp_allocator_handle_t omp_init_allocator_8_ (const uintptr_t *, const int64_t *,
							    const omp_alloctrait_t *);
GOMP_EXPORT void omp_destroy_allocator (omp_allocator_handle_t);
GOMP_EXPORT void omp_destroy_allocator_ (const omp_allocator_handle_t *);
GOMP_EXPORT void omp_set_default_allocator (omp_allocator_handle_t);
GOMP_EXPORT void omp_set_default_allocator_ (const omp_allocator_handle_t *);
GOMP_EXPORT omp_allocator_handle_t omp_get_default_allocator (void);
GOMP_EXPORT omp_allocator_handle_t omp_get_default_allocator_ (void);

/* ---- alloc.c.  Fortran calls the C names.  ---- */

GOMP_EXPORT void *omp_alloc (size_t, omp_allocator_handle_t);
GOMP_EXPORT void *omp_aligned_alloc (size_t align, size_t, omp_allocator_handle_t);
GOMP_EXPORT void *omp_calloc (size_t n, size_t size, omp_allocator_handle_t);
GOMP_EXPORT void *omp_aligned_calloc (size_t align, size_t n, size_t size,
				      omp_allocator_handle_t);
GOMP_EXPORT void *omp_realloc (void *, size_t, omp_allocator_handle_t,
			       omp_allocator_handle_t free_allocator);
GOMP_EXPORT void omp_free (void *, omp_allocator_handle_t);
GOMP_EXPORT void *GOMP_alloc (size_t align, size_t, uintptr_t allocator);
GOMP_EXPORT void GOMP_free (void *, uintptr_t allocator);

/* ---- alloc-set.c ---- */

GOMP_EXPORT void GOMP_add_alloc (void *);
GOMP_EXPORT bool GOMP_is_alloc (void *);

/* ---- error-directive.c ---- */

GOMP_EXPORT void GOMP_warning (const char *text, size_t len);
GOMP_EXPORT void GOMP_error (const char *text, size_t len) __attribute__ ((noreturn));

#endif /* GOMP_ABI_H */
