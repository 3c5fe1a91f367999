/* icv.c -- routines of the OpenMP API that set and query internal control variables.

   Setters change the calling task's data environment; the number of teams and their thread
   limit belong to the whole process, and so do the variables that only the environment sets.
   Arguments out of range are ignored or clamped, never an error (abi/host section 4).  */

#include "host/abi.h"
#include "host/icv.h"
#include "host/places.h"
#include "host/thread.h"
#include "target.h"

static inline int
int_of (unsigned n)
{
  return n > INT_MAX ? INT_MAX : (int) n;
}

/* ---- threads and levels ---- */

void
omp_set_num_threads (int n)
{
  gomp_icvs_to_set ()->nthreads = n < 1 ? 1 : n;
}

int GOMP_SHORT
omp_get_max_threads (void)
{
  /* gomp_icvs_now, whose answer would be an address that has to be made first.  Nothing sets it to more
     than INT_MAX.  */
  const struct gomp_task *task = gomp_tls.task;
  if (gomp_unlikely (task == NULL))
    return (int) gomp_global_icvs.initial.nthreads;
  return (int) task->icvs.nthreads;
}

int
omp_get_thread_limit (void)
{
  return int_of (gomp_icvs_now ()->thread_limit);
}

/* With a place list threads may be bound to fewer CPUs than the process has.  */
int
omp_get_num_procs (void)
{
  return int_of (gomp_places_count > 0 ? gomp_global_icvs.available_cpus
				       : gomp_cpus_usable ());
}

void
omp_set_dynamic (int on)
{
  gomp_icvs_to_set ()->dyn = on != 0;
}

int
omp_get_dynamic (void)
{
  return gomp_icvs_now ()->dyn;
}

void
omp_set_max_active_levels (int n)
{
  if (n >= 0)
    gomp_icvs_to_set ()->max_active_levels = n > GOMP_SUPPORTED_LEVELS ? GOMP_SUPPORTED_LEVELS : n;
}

int
omp_get_max_active_levels (void)
{
  return gomp_icvs_now ()->max_active_levels;
}

int
omp_get_supported_active_levels (void)
{
  return GOMP_SUPPORTED_LEVELS;
}

void
omp_set_nested (int on)
{
  struct gomp_icvs *icvs = gomp_icvs_to_set ();
  if (on)
    icvs->max_active_levels = GOMP_SUPPORTED_LEVELS;
  else if (icvs->max_active_levels > 1)
    icvs->max_active_levels = 1;
}

int
omp_get_nested (void)
{
  struct gomp_thread *self = gomp_self ();
  unsigned levels = self->task->icvs.max_active_levels;
  return levels > 1 && levels > self->active_level;
}

int
omp_get_proc_bind (void)
{
  return gomp_icvs_now ()->bind;
}

/* ---- the schedule of schedule(runtime) ---- */

void
omp_set_schedule (unsigned kind, int chunk)
{
  struct gomp_icvs *icvs = gomp_icvs_to_set ();
  switch (kind & ~GOMP_SCHED_MONOTONIC)
    {
    case GOMP_SCHED_STATIC:
      icvs->run_sched_chunk = chunk < 1 ? 0 : chunk;
      break;
    case GOMP_SCHED_DYNAMIC:
    case GOMP_SCHED_GUIDED:
      icvs->run_sched_chunk = chunk < 1 ? 1 : chunk;
      break;
    case GOMP_SCHED_AUTO:
      break;		/* has no chunk: the old one stays */
    default:
      return;
    }
  icvs->run_sched = kind;
}

void
omp_get_schedule (unsigned *kind, int *chunk)
{
  const struct gomp_icvs *icvs = gomp_icvs_now ();
  *kind = icvs->run_sched;
  *chunk = icvs->run_sched_chunk;
}

/* ---- fixed by the environment ---- */

int
omp_get_cancellation (void)
{
  return gomp_global_icvs.cancellation;
}

int
omp_get_max_task_priority (void)
{
  return gomp_global_icvs.max_task_priority;
}

/* ---- teams.  Relaxed: plain numbers that guard nothing.  ---- */

void
omp_set_num_teams (int n)
{
  if (n >= 0)
    gomp_store_relaxed (&gomp_global_icvs.xnum_teams, n);
}

int
omp_get_max_teams (void)
{
  return gomp_load_relaxed (&gomp_global_icvs.xnum_teams);
}

void
omp_set_teams_thread_limit (int n)
{
  if (n >= 0)
    gomp_store_relaxed (&gomp_global_icvs.xteams_thread_limit, n);
}

int
omp_get_teams_thread_limit (void)
{
  return gomp_load_relaxed (&gomp_global_icvs.xteams_thread_limit);
}

/* ---- default device ---- */

/* Nobody chose a device.  */
static int
unset_default_device (void)
{
  return gomp_global_icvs.target_offload == GOMP_OFFLOAD_MANDATORY && gomp_num_devices () == 0
	 ? GOMP_DEVICE_INVALID : 0;
}

/* What OMP_DEFAULT_DEVICE lists, which is evaluated once: the devices never change.  */
static int __attribute__ ((noinline))
listed_default_device (void)
{
  static _Atomic (int) xlisted = GOMP_DEFAULT_DEVICE_LISTED;
  /* Relaxed: every thread finds the same number.  */
  int n = gomp_load_relaxed (&xlisted);
  if (n == GOMP_DEFAULT_DEVICE_LISTED)
    {
      bool found = false;
      if (gomp_global_icvs.default_device_list != NULL)
	n = gomp_select_default (gomp_global_icvs.default_device_list, &found);
      if (!found)
	n = unset_default_device ();
      gomp_store_relaxed (&xlisted, n);
    }
  return n;
}

int
gomp_default_device (const struct gomp_icvs *icvs)
{
  if (!icvs->default_device_unset)
    return icvs->default_device;
  return (icvs->default_device == GOMP_DEFAULT_DEVICE_LISTED
	  ? listed_default_device () : unset_default_device ());
}

void
omp_set_default_device (int n)
{
  struct gomp_icvs *icvs = gomp_icvs_to_set ();
  if (n == GOMP_DEVICE_DEFAULT)
    return;
  icvs->default_device = n;
  icvs->default_device_unset = false;
}

int
omp_get_default_device (void)
{
  return gomp_default_device (gomp_icvs_now ());
}

/* ---- Fortran ---- */

#define FORTRAN_SET(name)						\
  void name##_ (const int32_t *n) { name (*n); }			\
  void name##_8_ (const int64_t *n) { name (gomp_clamp_int (*n)); }
#define FORTRAN_SET_LOGICAL(name)					\
  void name##_ (const int32_t *on) { name (*on != 0); }			\
  void name##_8_ (const int64_t *on) { name (*on != 0); }
#define FORTRAN_GET(name) int32_t name##_ (void) { return name (); }

FORTRAN_SET (omp_set_num_threads)
FORTRAN_GET (omp_get_max_threads)
FORTRAN_GET (omp_get_thread_limit)
FORTRAN_GET (omp_get_num_procs)
FORTRAN_SET_LOGICAL (omp_set_dynamic)
FORTRAN_GET (omp_get_dynamic)
FORTRAN_SET (omp_set_max_active_levels)
FORTRAN_GET (omp_get_max_active_levels)
FORTRAN_GET (omp_get_supported_active_levels)
FORTRAN_SET_LOGICAL (omp_set_nested)
FORTRAN_GET (omp_get_nested)
FORTRAN_GET (omp_get_proc_bind)
FORTRAN_GET (omp_get_cancellation)
FORTRAN_GET (omp_get_max_task_priority)
FORTRAN_SET (omp_set_num_teams)
FORTRAN_GET (omp_get_max_teams)
FORTRAN_SET (omp_set_teams_thread_limit)
FORTRAN_GET (omp_get_teams_thread_limit)
FORTRAN_SET (omp_set_default_device)
FORTRAN_GET (omp_get_default_device)

void
omp_set_schedule_ (const int32_t *kind, const int32_t *chunk)
{
  omp_set_schedule (*kind, *chunk);
}

void
omp_set_schedule_8_ (const int32_t *kind, const int64_t *chunk)
{
  omp_set_schedule (*kind, gomp_clamp_int (*chunk));
}

/* Fortran programs do not see the monotonic modifier.  */
void
omp_get_schedule_ (int32_t *kind, int32_t *chunk)
{
  unsigned k;
  int c;
  omp_get_schedule (&k, &c);
  *kind = k & ~GOMP_SCHED_MONOTONIC;
  *chunk = c;
}

void
omp_get_schedule_8_ (int32_t *kind, int64_t *chunk)
{
  int32_t c;
  omp_get_schedule_ (kind, &c);
  *chunk = c;
}
