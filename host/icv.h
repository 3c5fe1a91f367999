/* icv.h -- internal control variables (OpenMP 5.2 section 2) and the environment.

   Per task: struct gomp_icvs, a copy of which every new task gets from the task that
   generates it.  Process-wide: the rest, fixed when the library is loaded unless it says
   otherwise.  env-table.c is the table of all environment variables: name, suffixes
   allowed, parser, default, help; the manual and OMP_DISPLAY_ENV come from it.  */

#ifndef GOMP_ICV_H
#define GOMP_ICV_H 1

#include "libgomp.h"

enum gomp_schedule_kind
{
  GOMP_SCHED_RUNTIME = 0,
  GOMP_SCHED_STATIC = 1,
  GOMP_SCHED_DYNAMIC = 2,
  GOMP_SCHED_GUIDED = 3,
  GOMP_SCHED_AUTO = 4,
  GOMP_SCHED_KIND_MASK = 7
};
#define GOMP_SCHED_MONOTONIC 0x80000000u

enum gomp_proc_bind
{
  GOMP_BIND_FALSE = 0,
  GOMP_BIND_TRUE = 1,
  GOMP_BIND_PRIMARY = 2,
  GOMP_BIND_CLOSE = 3,
  GOMP_BIND_SPREAD = 4
};

#define GOMP_SUPPORTED_LEVELS 255
/* default_device while it is unset: what OMP_DEFAULT_DEVICE lists, evaluated when the devices are
   known.  */
#define GOMP_DEFAULT_DEVICE_LISTED INT_MIN
#define GOMP_DEFAULT_MEM_ALLOC 1	/* handle omp_default_mem_alloc */

/* The data environment's ICVs of one task; owned by the thread that runs the task.  */
struct gomp_icvs
{
  unsigned nthreads;		/* nthreads-var */
  unsigned thread_limit;	/* thread-limit-var; UINT_MAX is "no limit" */
  int default_device;		/* default-device-var, a raw device number; read it with
				   gomp_default_device */
  unsigned run_sched;		/* enum gomp_schedule_kind | GOMP_SCHED_MONOTONIC */
  int run_sched_chunk;
  uint8_t max_active_levels;
  uint8_t bind;			/* enum gomp_proc_bind */
  bool dyn;
  bool default_device_unset;	/* the program never chose default_device */
  uintptr_t allocator;		/* def-allocator-var, a handle */
};

enum gomp_wait_policy { GOMP_WAIT_UNSET, GOMP_WAIT_ACTIVE, GOMP_WAIT_PASSIVE };
enum gomp_target_offload
{
  GOMP_OFFLOAD_DEFAULT,
  GOMP_OFFLOAD_MANDATORY,
  GOMP_OFFLOAD_DISABLED
};

/* Process-wide.  */
struct gomp_global_icvs
{
  struct gomp_icvs initial;	/* what an initial task starts with */
  /* OMP_NUM_THREADS and OMP_PROC_BIND as lists by level; length 0 or 1: no list.  */
  const unsigned *nthreads_list;
  unsigned nthreads_list_len;
  const uint8_t *bind_list;
  unsigned bind_list_len;
  size_t stack_size;		/* bytes; 0 is the pthread default */
  enum gomp_wait_policy wait_policy;
  uint64_t spin_count;		/* iterations before a waiting thread sleeps ... */
#define GOMP_SPIN_PASSIVE 5000	/* with a passive policy; mostly earlier, config/linux/bar.c */
  uint64_t spin_count_throttled;	/* ... and with more threads than processors */
  enum gomp_target_offload target_offload;
  bool cancellation;
  int max_task_priority;
  bool display_affinity;
  bool bound;			/* threads are bound to places (affinity.h) */
  unsigned available_cpus;	/* in the process's affinity mask at load */
  const char *default_device_list;	/* for GOMP_DEFAULT_DEVICE_LISTED */
  _Atomic (int) xnum_teams;	/* omp_set_num_teams; 0 unset */
  _Atomic (int) xteams_thread_limit;	/* omp_set_teams_thread_limit; 0 unset */
};
extern GOMP_HIDDEN struct gomp_global_icvs gomp_global_icvs;

/* default-device-var as a raw device number.  Not just the field: when nobody chose a device,
   OMP_TARGET_OFFLOAD=MANDATORY without any device makes it omp_invalid_device.  May enumerate
   the devices.  */
int gomp_default_device (const struct gomp_icvs *);

/* Device-specific initial ICVs of device NUMBER, from NAME_DEV_n, NAME_DEV, NAME_ALL.  */
struct gomp_env_device
{
  int nteams;			/* 0 unset */
  int teams_thread_limit;	/* 0 unset */
  int default_device;		/* 0 unset */
};
void gomp_env_for_device (int number, struct gomp_env_device *);

/* config/linux/cpus.c: CPUs in the affinity mask of the calling thread, at least 1.  */
unsigned gomp_cpus_usable (void);
/* The same in the library's constructor: finds the size of masks, before there are threads.  */
unsigned gomp_cpus_init (void);

/* Reads the environment; called once, from the library's constructor (init.c).  */
void gomp_env_init (void);

#endif /* GOMP_ICV_H */
