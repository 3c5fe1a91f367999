/* omp.h -- the OpenMP API for C and C++ as gompx provides it.

   Types, values and calling conventions are those of GCC's libgomp.so.1: a program may be
   compiled with this header or with the one of its compiler and run with either library.
   Works with C89 to C23 and C++98 to C++23, with GCC and Clang.

   What holds for every routine unless its comment says otherwise:
   - Any thread may call it at any time, also outside of parallel regions and from threads
     that OpenMP did not create.  Routines that read or set an internal control variable
     (ICV) use the copy of the calling task; other tasks do not see the change.
   - It neither throws nor changes errno.  An argument that makes no sense is ignored or
     answered as told; the program is not ended for it.
   - Pointers that it gets stay the caller's; it keeps none of them after its return.
   - It may be called from C and C++ alike; in Fortran use the compiler's omp_lib.
   - Sizes are in bytes, times in seconds, levels and numbers of threads, teams, places and
     devices count from 0.

   Numbers in brackets are sections of the OpenMP API 5.2; [6.0, n] those of OpenMP 6.0.  */

#ifndef _OMP_H
#define _OMP_H 1

#if defined __cplusplus
# if __cplusplus >= 201103L
#  define _GOMPX_NOTHROW noexcept
#  define _GOMPX_WIDE(name) enum name : omp_uintptr_t
#  define _GOMPX_FIXED_ENUM 1
# else
#  define _GOMPX_NOTHROW throw ()
#  define _GOMPX_WIDE(name) enum name
# endif
# define _GOMPX_NULL_ALLOCATOR = omp_null_allocator
#else
# define _GOMPX_NOTHROW __attribute__ ((__nothrow__))
# if defined __STDC_VERSION__ && __STDC_VERSION__ >= 202311L
#  define _GOMPX_WIDE(name) enum name : omp_uintptr_t
#  define _GOMPX_FIXED_ENUM 1
# else
#  define _GOMPX_WIDE(name) enum name
# endif
# define _GOMPX_NULL_ALLOCATOR
#endif

/* An enumeration as wide as a pointer: the language can say so, or one large value does.  */
#ifdef _GOMPX_FIXED_ENUM
# define _GOMPX_WIDEST(name)
#else
# define _GOMPX_WIDEST(name) , _omp_##name##_widest = __UINTPTR_MAX__
#endif

/* Memory that only omp_free may free.  */
#if defined __GNUC__ && __GNUC__ >= 11 && !defined __clang__
# define _GOMPX_MALLOC __malloc__, __malloc__ (omp_free, 1)
#else
# define _GOMPX_MALLOC __malloc__
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types ---- */

typedef __UINTPTR_TYPE__ omp_uintptr_t;
typedef __INTPTR_TYPE__ omp_intptr_t;

/* A lock and a lock that its owner may set again, 4 and 16 bytes.  The contents belong to the
   library; use only between init and destroy, and only at the address where init saw it.  */
typedef struct omp_lock_t
{
  int _omp_word;
} omp_lock_t;

typedef struct omp_nest_lock_t
{
  void *_omp_word[2];
} omp_nest_lock_t;

/* Hints of locks and critical constructs.  They may be combined with |.  [18.1, 18.9.2]  */
typedef enum omp_sync_hint_t
{
  omp_sync_hint_none = 0,
  omp_lock_hint_none = omp_sync_hint_none,
  omp_sync_hint_uncontended = 1,
  omp_lock_hint_uncontended = omp_sync_hint_uncontended,
  omp_sync_hint_contended = 2,
  omp_lock_hint_contended = omp_sync_hint_contended,
  omp_sync_hint_nonspeculative = 4,
  omp_lock_hint_nonspeculative = omp_sync_hint_nonspeculative,
  omp_sync_hint_speculative = 8,
  omp_lock_hint_speculative = omp_sync_hint_speculative
} omp_sync_hint_t;

typedef omp_sync_hint_t omp_lock_hint_t;

/* Kinds of schedule(runtime) loops; omp_sched_monotonic may be added to each.  [18.2.11]  */
__extension__ typedef enum omp_sched_t
{
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4,
  omp_sched_monotonic = 0x80000000U
} omp_sched_t;

/* [18.3.1]  */
typedef enum omp_proc_bind_t
{
  omp_proc_bind_false = 0,
  omp_proc_bind_true = 1,
  omp_proc_bind_primary = 2,
  omp_proc_bind_master = omp_proc_bind_primary,	/* the name before OpenMP 5.1 */
  omp_proc_bind_close = 3,
  omp_proc_bind_spread = 4
} omp_proc_bind_t;

/* A dependence in a variable, for the depobj construct: the address and the kind, 16 bytes.  */
typedef struct omp_depend_t
{
  void *_omp_word[2];
} omp_depend_t;

/* The event of a task with a detach clause.  [18.11]  */
__extension__ typedef _GOMPX_WIDE (omp_event_handle_t)
{
  _omp_event_handle_widest = __UINTPTR_MAX__
} omp_event_handle_t;

/* How much a pause gives up.  [18.6]  */
typedef enum omp_pause_resource_t
{
  omp_pause_soft = 1,
  omp_pause_hard = 2		/* values of threadprivate and device variables may be lost */
} omp_pause_resource_t;

/* Device numbers that are not devices.  */
enum
{
  omp_initial_device = -1,	/* the host, beside omp_get_num_devices () */
  omp_invalid_device = -4,	/* using it ends the program */
  omp_default_device = -5	/* the one of omp_get_default_device () */
};

/* Memory spaces and allocators.  [6.1, 6.2, 18.13.1]  */
__extension__ typedef _GOMPX_WIDE (omp_memspace_handle_t)
{
  omp_default_mem_space = 0,
  omp_large_cap_mem_space = 1,
  omp_const_mem_space = 2,
  omp_high_bw_mem_space = 3,
  omp_low_lat_mem_space = 4,
  ompx_gnu_managed_mem_space = 200	/* memory that moves between host and device */
  _GOMPX_WIDEST (memspace_handle)
} omp_memspace_handle_t;

__extension__ typedef _GOMPX_WIDE (omp_allocator_handle_t)
{
  omp_null_allocator = 0,	/* the calling thread's default allocator */
  omp_default_mem_alloc = 1,
  omp_large_cap_mem_alloc = 2,
  omp_const_mem_alloc = 3,
  omp_high_bw_mem_alloc = 4,
  omp_low_lat_mem_alloc = 5,
  omp_cgroup_mem_alloc = 6,
  omp_pteam_mem_alloc = 7,
  omp_thread_mem_alloc = 8,
  ompx_gnu_pinned_mem_alloc = 200,	/* page-locked memory */
  ompx_gnu_managed_mem_alloc = 201
  _GOMPX_WIDEST (allocator_handle)
} omp_allocator_handle_t;

typedef enum omp_alloctrait_key_t
{
  omp_atk_sync_hint = 1,
  omp_atk_alignment = 2,	/* bytes, a power of two */
  omp_atk_access = 3,
  omp_atk_pool_size = 4,	/* bytes, bookkeeping included */
  omp_atk_fallback = 5,
  omp_atk_fb_data = 6,		/* an allocator */
  omp_atk_pinned = 7,
  omp_atk_partition = 8
} omp_alloctrait_key_t;

__extension__ typedef _GOMPX_WIDE (omp_alloctrait_value_t)
{
  omp_atv_default = (omp_uintptr_t) -1,
  omp_atv_false = 0,
  omp_atv_true = 1,
  omp_atv_contended = 3,
  omp_atv_uncontended = 4,
  omp_atv_serialized = 5,
  omp_atv_sequential = omp_atv_serialized,	/* the name before OpenMP 5.1 */
  omp_atv_private = 6,
  omp_atv_all = 7,
  omp_atv_thread = 8,
  omp_atv_pteam = 9,
  omp_atv_cgroup = 10,
  omp_atv_default_mem_fb = 11,
  omp_atv_null_fb = 12,
  omp_atv_abort_fb = 13,
  omp_atv_allocator_fb = 14,
  omp_atv_environment = 15,
  omp_atv_nearest = 16,
  omp_atv_blocked = 17,
  omp_atv_interleaved = 18
} omp_alloctrait_value_t;

typedef struct omp_alloctrait_t
{
  omp_alloctrait_key_t key;
  omp_uintptr_t value;		/* omp_alloctrait_value_t, a number or an allocator */
} omp_alloctrait_t;

/* Objects of the interop construct, their properties, foreign runtimes and return codes.
   [18.12]  */
__extension__ typedef _GOMPX_WIDE (omp_interop_t)
{
  omp_interop_none = 0
  _GOMPX_WIDEST (interop)
} omp_interop_t;

typedef enum omp_interop_fr_t
{
  omp_ifr_cuda = 1,
  omp_ifr_cuda_driver = 2,
  omp_ifr_opencl = 3,
  omp_ifr_sycl = 4,
  omp_ifr_hip = 5,
  omp_ifr_level_zero = 6,
  omp_ifr_hsa = 7,
  omp_ifr_last = omp_ifr_hsa
} omp_interop_fr_t;

typedef enum omp_interop_property_t
{
  omp_ipr_fr_id = -1,
  omp_ipr_fr_name = -2,
  omp_ipr_vendor = -3,
  omp_ipr_vendor_name = -4,
  omp_ipr_device_num = -5,
  omp_ipr_platform = -6,
  omp_ipr_device = -7,
  omp_ipr_device_context = -8,
  omp_ipr_targetsync = -9,
  omp_ipr_first = omp_ipr_targetsync
} omp_interop_property_t;

typedef enum omp_interop_rc_t
{
  omp_irc_no_value = 1,
  omp_irc_success = 0,
  omp_irc_empty = -1,
  omp_irc_out_of_range = -2,
  omp_irc_type_int = -3,
  omp_irc_type_ptr = -4,
  omp_irc_type_str = -5,
  omp_irc_other = -6
} omp_interop_rc_t;

/* ---- Threads and teams of threads ---- */

/* Number of threads of the next parallel region without num_threads clause.  Less than 1 is
   taken as 1.  [18.2.1]  */
extern void omp_set_num_threads (int _num_threads) _GOMPX_NOTHROW;
/* Threads in the innermost team; 1 outside of parallel regions.  [18.2.2]  */
extern int omp_get_num_threads (void) _GOMPX_NOTHROW;
/* Bound on the size of a team started here without num_threads clause.  [18.2.3]  */
extern int omp_get_max_threads (void) _GOMPX_NOTHROW;
/* Number of the calling thread in its team, 0 is the primary thread.  [18.2.4]  */
extern int omp_get_thread_num (void) _GOMPX_NOTHROW;
/* 1 inside of a parallel region of more than one thread, however deep, else 0.  [18.2.5]  */
extern int omp_in_parallel (void) _GOMPX_NOTHROW;
/* Nonzero lets the library use fewer threads than asked for.  [18.2.6]  */
extern void omp_set_dynamic (int _dynamic_threads) _GOMPX_NOTHROW;
/* 0 or 1.  [18.2.7]  */
extern int omp_get_dynamic (void) _GOMPX_NOTHROW;
/* 1 when OMP_CANCELLATION=true, else 0; fixed when the program starts.  [18.2.8]  */
extern int omp_get_cancellation (void) _GOMPX_NOTHROW;
/* Deprecated forms of omp_set_max_active_levels: nonzero allows as many levels as
   possible, 0 one.  get: 1 when a parallel region here could be active.  [18.2.9, 18.2.10]  */
extern void omp_set_nested (int _nested) _GOMPX_NOTHROW;
extern int omp_get_nested (void) _GOMPX_NOTHROW;
/* Schedule of loops with schedule(runtime).  CHUNK_SIZE counts iterations; below 1 it means
   the default of the kind.  An unknown KIND changes nothing.  get writes both, neither
   pointer may be null.  [18.2.11, 18.2.12]  */
extern void omp_set_schedule (omp_sched_t _kind, int _chunk_size) _GOMPX_NOTHROW;
extern void omp_get_schedule (omp_sched_t *_kind, int *_chunk_size) _GOMPX_NOTHROW;
/* Threads that the contention group may have at most; INT_MAX when unlimited.  [18.2.13]  */
extern int omp_get_thread_limit (void) _GOMPX_NOTHROW;
/* Levels of active parallel regions that the library supports: 255.  [18.2.14]  */
extern int omp_get_supported_active_levels (void) _GOMPX_NOTHROW;
/* Negative values change nothing, larger ones than supported are cut.  [18.2.15, 18.2.16]  */
extern void omp_set_max_active_levels (int _max_levels) _GOMPX_NOTHROW;
extern int omp_get_max_active_levels (void) _GOMPX_NOTHROW;
/* Number of enclosing parallel regions, active or not.  [18.2.17]  */
extern int omp_get_level (void) _GOMPX_NOTHROW;
/* Thread number of the calling thread's ancestor at LEVEL, and the size of its team.
   -1 when LEVEL is negative or deeper than omp_get_level ().  [18.2.18, 18.2.19]  */
extern int omp_get_ancestor_thread_num (int _level) _GOMPX_NOTHROW;
extern int omp_get_team_size (int _level) _GOMPX_NOTHROW;
/* Number of enclosing parallel regions with more than one thread.  [18.2.20]  */
extern int omp_get_active_level (void) _GOMPX_NOTHROW;

/* ---- Thread affinity ---- */

/* The policy of the next parallel region without proc_bind clause.  [18.3.1]  */
extern omp_proc_bind_t omp_get_proc_bind (void) _GOMPX_NOTHROW;
/* Places of OMP_PLACES; 0 without a place list.  [18.3.2]  */
extern int omp_get_num_places (void) _GOMPX_NOTHROW;
/* Processors of a place; 0 for an invalid number.  [18.3.3]  */
extern int omp_get_place_num_procs (int _place_num) _GOMPX_NOTHROW;
/* Writes the processor numbers of a place in ascending order to IDS, which has room for
   omp_get_place_num_procs () of them; nothing for an invalid number.  [18.3.4]  */
extern void omp_get_place_proc_ids (int _place_num, int *_ids) _GOMPX_NOTHROW;
/* The place of the calling thread; -1 without a place list.  [18.3.5]  */
extern int omp_get_place_num (void) _GOMPX_NOTHROW;
/* Places of the calling thread's partition, and their numbers.  PLACE_NUMS has room for
   that many.  [18.3.6, 18.3.7]  */
extern int omp_get_partition_num_places (void) _GOMPX_NOTHROW;
extern void omp_get_partition_place_nums (int *_place_nums) _GOMPX_NOTHROW;
/* The format of affinity messages, one for the process; it is copied.  Not to be called by
   several threads at once.  [18.3.8]  */
extern void omp_set_affinity_format (const char *_format) _GOMPX_NOTHROW;
/* Copies at most SIZE - 1 bytes and a null byte to BUFFER, nothing when SIZE is 0.  Returns
   the full length, null byte not counted.  [18.3.9]  */
extern __SIZE_TYPE__ omp_get_affinity_format (char *_buffer, __SIZE_TYPE__ _size) _GOMPX_NOTHROW;
/* Writes a line about the calling thread to stderr.  FORMAT null or empty: the one of
   omp_set_affinity_format.  A format that cannot be parsed ends the program.  [18.3.10]  */
extern void omp_display_affinity (const char *_format) _GOMPX_NOTHROW;
/* The same text to a buffer, as omp_get_affinity_format does.  [18.3.11]  */
extern __SIZE_TYPE__ omp_capture_affinity (char *_buffer, __SIZE_TYPE__ _size,
					   const char *_format) _GOMPX_NOTHROW;

/* ---- Leagues of teams ---- */

/* Teams of the innermost league and the number of the caller's; 1 and 0 outside.
   [18.4.1, 18.4.2]  */
extern int omp_get_num_teams (void) _GOMPX_NOTHROW;
extern int omp_get_team_num (void) _GOMPX_NOTHROW;
/* Default of the num_teams clause, one for the process; 0: none.  Negative values change
   nothing.  [18.4.3, 18.4.4]  */
extern void omp_set_num_teams (int _num_teams) _GOMPX_NOTHROW;
extern int omp_get_max_teams (void) _GOMPX_NOTHROW;
/* The same for the thread_limit clause of teams.  [18.4.5, 18.4.6]  */
extern void omp_set_teams_thread_limit (int _thread_limit) _GOMPX_NOTHROW;
extern int omp_get_teams_thread_limit (void) _GOMPX_NOTHROW;

/* ---- Tasks ---- */

/* Largest useful value of a priority clause: OMP_MAX_TASK_PRIORITY.  [18.5.1]  */
extern int omp_get_max_task_priority (void) _GOMPX_NOTHROW;
/* 1 inside of an explicit task, else 0.  [18.5.2]  */
extern int omp_in_explicit_task (void) _GOMPX_NOTHROW;
/* 1 inside of a final task or a descendant of one, else 0.  [18.5.3]  */
extern int omp_in_final (void) _GOMPX_NOTHROW;
/* Fulfill the event of a detach clause, exactly once; also from threads that OpenMP did not
   create.  Fulfilling it twice ends the program.  [18.11.1]  */
extern void omp_fulfill_event (omp_event_handle_t _event) _GOMPX_NOTHROW;

/* ---- Resources and environment ---- */

/* Give up threads and other resources of a device, or of all; they are made again at the
   next use.  The threads' threadprivate variables go with them.  0: done; -1: not possible, because of a parallel region around or the device
   number.  [18.6.1, 18.6.2]  */
extern int omp_pause_resource (omp_pause_resource_t _kind, int _device_num) _GOMPX_NOTHROW;
extern int omp_pause_resource_all (omp_pause_resource_t _kind) _GOMPX_NOTHROW;
/* Write the ICVs of the environment to stderr as OMP_DISPLAY_ENV does; VERBOSE nonzero: the
   GOMP_ ones, too.  [18.15]  */
extern void omp_display_env (int _verbose) _GOMPX_NOTHROW;

/* Processors available to the calling thread.  [18.7.1]  */
extern int omp_get_num_procs (void) _GOMPX_NOTHROW;
/* Seconds since a fixed time in the past, the same one for all threads of the process.
   [18.10.1]  */
extern double omp_get_wtime (void) _GOMPX_NOTHROW;
/* Seconds between two ticks of that clock.  [18.10.2]  */
extern double omp_get_wtick (void) _GOMPX_NOTHROW;

/* ---- Locks ----

   The lock is the caller's memory.  init comes first, destroy last; only an unlocked lock
   may be destroyed.  Different threads may use one lock at the same time, except for init and
   destroy.  Misuse is not detected.  [18.9]  */

extern void omp_init_lock (omp_lock_t *_lock) _GOMPX_NOTHROW;
extern void omp_destroy_lock (omp_lock_t *_lock) _GOMPX_NOTHROW;
/* Waits for the lock.  The task that has it must not set it again.  */
extern void omp_set_lock (omp_lock_t *_lock) _GOMPX_NOTHROW;
extern void omp_unset_lock (omp_lock_t *_lock) _GOMPX_NOTHROW;
/* 1: the caller has the lock now; 0: somebody else has.  Does not wait.  */
extern int omp_test_lock (omp_lock_t *_lock) _GOMPX_NOTHROW;

/* The task that has it may set a nestable lock again, and unsets it as often.  */
extern void omp_init_nest_lock (omp_nest_lock_t *_lock) _GOMPX_NOTHROW;
extern void omp_destroy_nest_lock (omp_nest_lock_t *_lock) _GOMPX_NOTHROW;
extern void omp_set_nest_lock (omp_nest_lock_t *_lock) _GOMPX_NOTHROW;
extern void omp_unset_nest_lock (omp_nest_lock_t *_lock) _GOMPX_NOTHROW;
/* How often the caller has the lock now; 0: somebody else has it.  Does not wait.  */
extern int omp_test_nest_lock (omp_nest_lock_t *_lock) _GOMPX_NOTHROW;

/* The hint is not used.  No libgomp exports these two, so they are defined here.  [18.9.2]  */
static __inline__ void
omp_init_lock_with_hint (omp_lock_t *_lock, omp_sync_hint_t _hint)
{
  (void) _hint;
  omp_init_lock (_lock);
}

static __inline__ void
omp_init_nest_lock_with_hint (omp_nest_lock_t *_lock, omp_sync_hint_t _hint)
{
  (void) _hint;
  omp_init_nest_lock (_lock);
}

/* ---- Devices ----

   Device numbers are 0 to omp_get_num_devices () - 1; that number itself and
   omp_initial_device are the host.  Where no such device exists, OMP_TARGET_OFFLOAD=MANDATORY
   makes the routines below end the program; so does omp_invalid_device always.  */

/* Device of constructs without device clause.  omp_default_device changes nothing; the
   number is not checked before it is used.  [18.7.2, 18.7.3]  */
extern void omp_set_default_device (int _device_num) _GOMPX_NOTHROW;
extern int omp_get_default_device (void) _GOMPX_NOTHROW;
/* Devices other than the host.  The first such call looks for them.  [18.7.4]  */
extern int omp_get_num_devices (void) _GOMPX_NOTHROW;
/* The device that runs the caller.  [18.7.5]  */
extern int omp_get_device_num (void) _GOMPX_NOTHROW;
/* 1 on the host, 0 in a region that a device runs.  The compiler answers this itself where
   it can.  [18.7.6]  */
extern int omp_is_initial_device (void) _GOMPX_NOTHROW;
/* The number of the host, omp_get_num_devices ().  [18.7.7]  */
extern int omp_get_initial_device (void) _GOMPX_NOTHROW;
/* A text that names a device uniquely among all machines, or null for an invalid number.
   It belongs to the library and stays valid.  [6.0, 24]  */
extern const char *omp_get_uid_from_device (int _device_num) _GOMPX_NOTHROW;
/* The device with this text; omp_invalid_device when there is none.  [6.0, 24]  */
extern int omp_get_device_from_uid (const char *_uid) _GOMPX_NOTHROW;

/* ---- Device memory ----

   A device pointer may be used only by the device that it belongs to: in regions (is_device_ptr)
   and in these routines.  Copies are complete when the routine returns, except for the async
   forms.  Several threads may use one device at the same time; ordering accesses to the same
   memory is up to the program.  Errors of copies are answered as EINVAL or ENOMEM; a device that
   died ends the program.  */

/* SIZE bytes of device memory, not initialized and not mapped; null when there is not enough
   or no such device.  For the host it is malloc.  The caller frees it with omp_target_free on
   the same device.  [18.8.1]  */
extern void *omp_target_alloc (__SIZE_TYPE__ _size, int _device_num) _GOMPX_NOTHROW;
/* Null is ignored.  A pointer that omp_target_alloc did not return for this device ends the
   program.  [18.8.2]  */
extern void omp_target_free (void *_device_ptr, int _device_num) _GOMPX_NOTHROW;
/* 1: the byte at host address PTR is mapped to the device, or the device is the host; else
   0.  [18.8.3]  */
extern int omp_target_is_present (const void *_ptr, int _device_num) _GOMPX_NOTHROW;
/* 1: regions of the device can access the SIZE bytes of host memory directly.  [18.8.4]  */
extern int omp_target_is_accessible (const void *_ptr, __SIZE_TYPE__ _size,
				     int _device_num) _GOMPX_NOTHROW;
/* Copy LENGTH bytes from SRC + SRC_OFFSET to DST + DST_OFFSET; each side is memory of its
   device, and the two do not overlap.  0, or EINVAL.  [18.8.5]  */
extern int omp_target_memcpy (void *_dst, const void *_src, __SIZE_TYPE__ _length,
			      __SIZE_TYPE__ _dst_offset, __SIZE_TYPE__ _src_offset,
			      int _dst_device_num, int _src_device_num) _GOMPX_NOTHROW;
/* Copy a block of VOLUME elements in NUM_DIMS dimensions between two arrays; offsets and
   dimensions count elements of ELEMENT_SIZE bytes, the slowest dimension comes first.  Each
   array has NUM_DIMS members.  0, EINVAL or ENOMEM; with DST and SRC both null the largest
   number of dimensions (INT_MAX).  [18.8.6]  */
extern int omp_target_memcpy_rect (void *_dst, const void *_src, __SIZE_TYPE__ _element_size,
				   int _num_dims, const __SIZE_TYPE__ *_volume,
				   const __SIZE_TYPE__ *_dst_offsets,
				   const __SIZE_TYPE__ *_src_offsets,
				   const __SIZE_TYPE__ *_dst_dimensions,
				   const __SIZE_TYPE__ *_src_dimensions,
				   int _dst_device_num, int _src_device_num) _GOMPX_NOTHROW;
/* The same as a task with the DEPOBJ_COUNT dependences of DEPOBJ_LIST (0 or null: none); the
   copy is complete when that task is: after a taskwait or barrier.  Both memories, and the
   arrays, must stay until then.  A copy that fails in the task ends the program.
   [18.8.7, 18.8.8]  */
extern int omp_target_memcpy_async (void *_dst, const void *_src, __SIZE_TYPE__ _length,
				    __SIZE_TYPE__ _dst_offset, __SIZE_TYPE__ _src_offset,
				    int _dst_device_num, int _src_device_num,
				    int _depobj_count, omp_depend_t *_depobj_list)
  _GOMPX_NOTHROW;
extern int omp_target_memcpy_rect_async (void *_dst, const void *_src,
					 __SIZE_TYPE__ _element_size, int _num_dims,
					 const __SIZE_TYPE__ *_volume,
					 const __SIZE_TYPE__ *_dst_offsets,
					 const __SIZE_TYPE__ *_src_offsets,
					 const __SIZE_TYPE__ *_dst_dimensions,
					 const __SIZE_TYPE__ *_src_dimensions,
					 int _dst_device_num, int _src_device_num,
					 int _depobj_count, omp_depend_t *_depobj_list)
  _GOMPX_NOTHROW;
/* Set COUNT bytes of device memory to the low byte of VAL.  Returns PTR.  [6.0, 25]  */
extern void *omp_target_memset (void *_ptr, int _val, __SIZE_TYPE__ _count,
				int _device_num) _GOMPX_NOTHROW;
extern void *omp_target_memset_async (void *_ptr, int _val, __SIZE_TYPE__ _count,
				      int _device_num, int _depobj_count,
				      omp_depend_t *_depobj_list) _GOMPX_NOTHROW;
/* Declare that the SIZE bytes at HOST_PTR are mapped to DEVICE_PTR + DEVICE_OFFSET for good.
   Nothing is copied, neither memory changes its owner.  0, or EINVAL: no such device, the
   device shares the host's memory, or the range is mapped otherwise.  [18.8.9]  */
extern int omp_target_associate_ptr (const void *_host_ptr, const void *_device_ptr,
				     __SIZE_TYPE__ _size, __SIZE_TYPE__ _device_offset,
				     int _device_num) _GOMPX_NOTHROW;
/* Undo it.  PTR is the start of such a range.  0, or EINVAL.  [18.8.10]  */
extern int omp_target_disassociate_ptr (const void *_ptr, int _device_num) _GOMPX_NOTHROW;
/* The device address of a mapped host address; null when not mapped.  It is valid as long as
   the mapping.  [18.8.11]  */
extern void *omp_get_mapped_ptr (const void *_ptr, int _device_num) _GOMPX_NOTHROW;

/* ---- Interoperability with foreign runtimes ----

   RET_CODE may be null.  Texts belong to the library and stay valid as long as the
   object.  [18.12]  */

/* Implementation-defined properties: 0.  [18.12.1]  */
extern int omp_get_num_interop_properties (omp_interop_t _interop) _GOMPX_NOTHROW;
/* Value of a property; 0 or null when it has none or another type, which RET_CODE tells.
   [18.12.2 to 18.12.4]  */
extern omp_intptr_t omp_get_interop_int (omp_interop_t _interop,
					 omp_interop_property_t _property_id,
					 omp_interop_rc_t *_ret_code) _GOMPX_NOTHROW;
extern void *omp_get_interop_ptr (omp_interop_t _interop, omp_interop_property_t _property_id,
				  omp_interop_rc_t *_ret_code) _GOMPX_NOTHROW;
extern const char *omp_get_interop_str (omp_interop_t _interop,
					omp_interop_property_t _property_id,
					omp_interop_rc_t *_ret_code) _GOMPX_NOTHROW;
/* Name of a property, C type of its value, meaning of a return code; null when unknown.
   [18.12.5 to 18.12.7]  */
extern const char *omp_get_interop_name (omp_interop_t _interop,
					 omp_interop_property_t _property_id) _GOMPX_NOTHROW;
extern const char *omp_get_interop_type_desc (omp_interop_t _interop,
					      omp_interop_property_t _property_id)
  _GOMPX_NOTHROW;
extern const char *omp_get_interop_rc_desc (omp_interop_t _interop,
					    omp_interop_rc_t _ret_code) _GOMPX_NOTHROW;

/* ---- Memory allocators ---- */

/* A new allocator, which the caller destroys; omp_null_allocator when a trait or its value is
   unknown or cannot be served.  TRAITS has NTRAITS members and may be null when that is 0.
   [18.13.2]  */
extern omp_allocator_handle_t omp_init_allocator (omp_memspace_handle_t _memspace,
						  int _ntraits,
						  const omp_alloctrait_t *_traits)
  _GOMPX_NOTHROW;
/* Memory of the allocator must have been freed before.  omp_null_allocator is ignored.
   [18.13.3]  */
extern void omp_destroy_allocator (omp_allocator_handle_t _allocator) _GOMPX_NOTHROW;
/* Allocator of the calling thread where omp_null_allocator is given; inherited by the
   threads of the teams that it starts.  [18.13.4, 18.13.5]  */
extern void omp_set_default_allocator (omp_allocator_handle_t _allocator) _GOMPX_NOTHROW;
extern omp_allocator_handle_t omp_get_default_allocator (void) _GOMPX_NOTHROW;
/* Free memory of the routines below, in any thread.  PTR may be null; ALLOCATOR is not
   needed.  [18.13.7]  */
extern void omp_free (void *_ptr, omp_allocator_handle_t _allocator _GOMPX_NULL_ALLOCATOR)
  _GOMPX_NOTHROW;
/* SIZE bytes; null when SIZE is 0.  Without memory the allocator's fallback decides: null,
   another allocator, or the end of the program.  ALIGNMENT is a power of two.  [18.13.6]  */
extern void *omp_alloc (__SIZE_TYPE__ _size,
			omp_allocator_handle_t _allocator _GOMPX_NULL_ALLOCATOR)
  _GOMPX_NOTHROW __attribute__ ((_GOMPX_MALLOC, __alloc_size__ (1)));
extern void *omp_aligned_alloc (__SIZE_TYPE__ _alignment, __SIZE_TYPE__ _size,
				omp_allocator_handle_t _allocator _GOMPX_NULL_ALLOCATOR)
  _GOMPX_NOTHROW __attribute__ ((_GOMPX_MALLOC, __alloc_size__ (2)));
/* The same for NMEMB members of SIZE bytes, all zero.  [18.13.8]  */
extern void *omp_calloc (__SIZE_TYPE__ _nmemb, __SIZE_TYPE__ _size,
			 omp_allocator_handle_t _allocator _GOMPX_NULL_ALLOCATOR)
  _GOMPX_NOTHROW __attribute__ ((_GOMPX_MALLOC, __alloc_size__ (1, 2)));
extern void *omp_aligned_calloc (__SIZE_TYPE__ _alignment, __SIZE_TYPE__ _nmemb,
				 __SIZE_TYPE__ _size,
				 omp_allocator_handle_t _allocator _GOMPX_NULL_ALLOCATOR)
  _GOMPX_NOTHROW __attribute__ ((_GOMPX_MALLOC, __alloc_size__ (2, 3)));
/* Make the block PTR SIZE bytes large, its contents are kept up to the smaller size.  PTR
   null: omp_alloc; SIZE 0: omp_free, null.  When there is no memory the answer is null and the old
   block stays.  omp_null_allocator is the block's own allocator.  [18.13.9]  */
extern void *omp_realloc (void *_ptr, __SIZE_TYPE__ _size,
			  omp_allocator_handle_t _allocator _GOMPX_NULL_ALLOCATOR,
			  omp_allocator_handle_t _free_allocator _GOMPX_NULL_ALLOCATOR)
  _GOMPX_NOTHROW __attribute__ ((__alloc_size__ (2)));

#ifdef __cplusplus
}
#endif

/* ---- Allocators for containers of C++ ----

   std::vector<double, omp::allocator::high_bw_mem<double> > takes its memory from
   omp_high_bw_mem_alloc, and so on.  They have no state: all of one kind are equal, and
   null_allocator is the calling thread's default allocator at the time of each allocation.  */

#if defined __cplusplus && __cplusplus >= 201103L && __STDC_HOSTED__
# include <cstddef>
# include <new>
# include <type_traits>

namespace omp
{
  namespace allocator
  {
    /* What the class templates below share: _Self is the template, _Handle its allocator.  */
    template <template <typename> class _Self, typename _Tp, omp_allocator_handle_t _Handle>
    struct _basic_allocator
    {
      using value_type = _Tp;
      using propagate_on_container_move_assignment = std::true_type;
      using is_always_equal = std::true_type;
      template <typename _Up> struct rebind { using other = _Self<_Up>; };

      _Tp *
      allocate (std::size_t _n)
      {
	if (_n > static_cast<std::size_t> (-1) / sizeof (_Tp))
	  _no_memory<std::bad_array_new_length> ();
	void *_ptr = ::omp_aligned_alloc (alignof (_Tp), _n ? _n * sizeof (_Tp) : 1, _Handle);
	if (_ptr == nullptr)
	  _no_memory<std::bad_alloc> ();
	return static_cast<_Tp *> (_ptr);
      }

      void
      deallocate (_Tp *_ptr, std::size_t) noexcept
      {
	::omp_free (_ptr, _Handle);
      }

    private:
      template <typename _Error>
      [[noreturn]] static void
      _no_memory ()
      {
# ifdef __EXCEPTIONS
	throw _Error ();
# else
	__builtin_abort ();
# endif
      }
    };

    template <template <typename> class _Self, typename _Tp, typename _Up,
	      omp_allocator_handle_t _Handle>
    constexpr bool
    operator== (const _basic_allocator<_Self, _Tp, _Handle> &,
		const _basic_allocator<_Self, _Up, _Handle> &) noexcept
    {
      return true;
    }

    template <template <typename> class _Self, typename _Tp, typename _Up,
	      omp_allocator_handle_t _Handle>
    constexpr bool
    operator!= (const _basic_allocator<_Self, _Tp, _Handle> &,
		const _basic_allocator<_Self, _Up, _Handle> &) noexcept
    {
      return false;
    }

# define _GOMPX_CXX_ALLOCATOR(name, handle)				\
    template <typename _Tp>						\
    struct name : ::omp::allocator::_basic_allocator<name, _Tp, handle>	\
    {									\
      name () = default;						\
      template <typename _Up> constexpr name (const name<_Up> &) noexcept {} \
    };

    _GOMPX_CXX_ALLOCATOR (null_allocator, omp_null_allocator)
    _GOMPX_CXX_ALLOCATOR (default_mem, omp_default_mem_alloc)
    _GOMPX_CXX_ALLOCATOR (large_cap_mem, omp_large_cap_mem_alloc)
    _GOMPX_CXX_ALLOCATOR (const_mem, omp_const_mem_alloc)
    _GOMPX_CXX_ALLOCATOR (high_bw_mem, omp_high_bw_mem_alloc)
    _GOMPX_CXX_ALLOCATOR (low_lat_mem, omp_low_lat_mem_alloc)
    _GOMPX_CXX_ALLOCATOR (cgroup_mem, omp_cgroup_mem_alloc)
    _GOMPX_CXX_ALLOCATOR (pteam_mem, omp_pteam_mem_alloc)
    _GOMPX_CXX_ALLOCATOR (thread_mem, omp_thread_mem_alloc)
  }
}

namespace ompx
{
  namespace allocator
  {
    _GOMPX_CXX_ALLOCATOR (gnu_pinned_mem, ompx_gnu_pinned_mem_alloc)
    _GOMPX_CXX_ALLOCATOR (gnu_managed_mem, ompx_gnu_managed_mem_alloc)
  }
}

# undef _GOMPX_CXX_ALLOCATOR
#endif

#undef _GOMPX_FIXED_ENUM
#undef _GOMPX_MALLOC
#undef _GOMPX_NOTHROW
#undef _GOMPX_NULL_ALLOCATOR
#undef _GOMPX_WIDE
#undef _GOMPX_WIDEST

#endif /* _OMP_H */
