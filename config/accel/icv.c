/* icv.c -- routines of the OpenMP API that tell where the calling thread is, and that query and set
   internal control variables.

   ICVs of a data environment are in struct accel_icv; those of the device are here, written by the
   plugin when it loads the image, and by few setters.  Arguments out of range are ignored or clamped,
   never an error.  Where the answer follows from the shape of the launch, nothing is stored.

   The routines may be called by single lanes of simd code (accel.h, invariant 1).  Those that a
   compiler calls in every loop (numbers of threads and teams) are a load from shared memory.  */

#include "accel.h"
#include "api.h"

#pragma omp declare target

#define SUPPORTED_LEVELS 255	/* max-active-levels-var is not greater */
#define INITIAL_DEVICE (-1)	/* omp_initial_device */

/* omp_sched_t */
enum { SCHED_STATIC = 1, SCHED_DYNAMIC = 2, SCHED_GUIDED = 3, SCHED_AUTO = 4 };
#define SCHED_MONOTONIC 0x80000000u

/* Places in __gomp_additional_icvs, which the plugin of GCC 13 and later writes, and ours.  That of
   GCC 12 writes __gomp_device_num only, so who has not been told has device number 0 twice.  */
enum { ICV_DEVICE_NUM, ICV_DEFAULT_DEVICE, ICV_NTEAMS, ICV_TEAMS_THREAD_LIMIT };
extern int __gomp_device_num;
#ifndef MACHINE_EACH_LANE
int __gomp_device_num;
#endif

/* ---- where the thread is ---- */

int
omp_get_thread_num (void)
{
  return accel_self_field (num);
}

int
omp_get_num_threads (void)
{
  return accel_self_field (num_threads);
}

int
omp_get_team_num (void)
{
  return accel_block_field (team_num);
}

int
omp_get_num_teams (void)
{
  return accel_block_field (num_teams);
}

int
omp_get_level (void)
{
  return accel_self ()->team->level;
}

int
omp_get_active_level (void)
{
  return accel_self ()->team->active_level;
}

int
omp_in_parallel (void)
{
  return accel_self ()->team->active_level > 0;
}

int
omp_get_ancestor_thread_num (int level)
{
  const struct accel_thread *self = accel_self ();
  const struct accel_team *team = self->team;
  unsigned num = self->num;
  if (level < 0 || (unsigned) level > team->level)
    return -1;
  for (; team->level > (unsigned) level; team = team->parent)
    num = team->parent_num;
  return num;
}

int
omp_get_team_size (int level)
{
  const struct accel_team *team = accel_self ()->team;
  if (level < 0 || (unsigned) level > team->level)
    return -1;
#ifdef MACHINE_EACH_LANE
  if (team->level == (unsigned) level)
    return omp_get_num_threads ();	/* the team's are warps */
#endif
  while (team->level > (unsigned) level)
    team = team->parent;
  return team->num_threads;
}

/* ---- threads and levels ---- */

void
omp_set_num_threads (int n)
{
  accel_icv_own (accel_self ())->nthreads = n < 1 ? 1 : n;
}

int
omp_get_thread_limit (void)
{
  int limit = accel_self ()->icv->thread_limit;
  return limit > 0 ? limit : (int) machine_threads ();
}

int
omp_get_max_threads (void)
{
  int n = accel_self ()->icv->nthreads;
  if (n > 0)
    return n;
  int limit = omp_get_thread_limit ();
  return limit < (int) machine_threads () ? limit : (int) machine_threads ();
}

/* What a team can use of the device: another one has other warps.  */
int
omp_get_num_procs (void)
{
#if defined MACHINE_LANE_REGIONS && !defined MACHINE_EACH_LANE
  return accel_block ()->procs;
#else
  return machine_threads ();
#endif
}

void
omp_set_dynamic (int on)
{
  accel_icv_own (accel_self ())->dynamic = on != 0;
}

int
omp_get_dynamic (void)
{
  return accel_self ()->icv->dynamic;
}

void
omp_set_max_active_levels (int n)
{
  if (n >= 0)
    accel_icv_own (accel_self ())->max_active_levels
      = n > SUPPORTED_LEVELS ? SUPPORTED_LEVELS : n;
}

int
omp_get_max_active_levels (void)
{
  return accel_self ()->icv->max_active_levels;
}

int
omp_get_supported_active_levels (void)
{
  return SUPPORTED_LEVELS;
}

void
omp_set_nested (int on)
{
  struct accel_icv *icv = accel_icv_own (accel_self ());
  if (on)
    icv->max_active_levels = SUPPORTED_LEVELS;
  else if (icv->max_active_levels > 1)
    icv->max_active_levels = 1;
}

int
omp_get_nested (void)
{
  const struct accel_thread *self = accel_self ();
  int levels = self->icv->max_active_levels;
  return levels > 1 && levels > (int) self->team->active_level;
}

/* ---- the schedule of schedule(runtime) ---- */

void
omp_set_schedule (unsigned kind, int chunk)
{
  unsigned plain = kind & ~SCHED_MONOTONIC;
  if (plain < SCHED_STATIC || plain > SCHED_AUTO)
    return;
  struct accel_icv *icv = accel_icv_own (accel_self ());
  icv->schedule = kind;
  if (plain == SCHED_STATIC)
    icv->chunk = chunk < 1 ? 0 : chunk;
  else if (plain != SCHED_AUTO)	/* which has none: the old one stays */
    icv->chunk = chunk < 1 ? 1 : chunk;
}

void
omp_get_schedule (unsigned *kind, int *chunk)
{
  const struct accel_icv *icv = accel_self ()->icv;
  *kind = icv->schedule;
  *chunk = icv->chunk;
}

/* ---- fixed by the environment of the program ---- */

int
omp_get_cancellation (void)
{
  return gompx_plugin.cancellation != 0;
}

int
omp_get_max_task_priority (void)
{
  return gompx_plugin.max_task_priority;
}

/* ---- places: a device has none, and its threads do not move ---- */

int
omp_get_proc_bind (void)
{
  return 0;
}

int
omp_get_num_places (void)
{
  return 0;
}

int
omp_get_place_num_procs (int place)
{
  (void) place;
  return 0;
}

void
omp_get_place_proc_ids (int place, int *ids)
{
  (void) place;
  (void) ids;
}

int
omp_get_place_num (void)
{
  return -1;
}

int
omp_get_partition_num_places (void)
{
  return 0;
}

void
omp_get_partition_place_nums (int *places)
{
  (void) places;
}

/* ---- devices ---- */

int
omp_is_initial_device (void)
{
  return 0;
}

/* The number of devices, which is the host's number elsewhere, is not known here.  */
int
omp_get_initial_device (void)
{
  return INITIAL_DEVICE;
}

/* A device has no devices of its own.  */
int
omp_get_num_devices (void)
{
  return 0;
}

int
omp_get_device_num (void)
{
  int n = __gomp_additional_icvs[ICV_DEVICE_NUM];
  return n != 0 ? n : __gomp_device_num;
}

/* Unspecified in a target region: what the program has set on the host stays.  */
void
omp_set_default_device (int n)
{
  (void) n;
}

int
omp_get_default_device (void)
{
  return __gomp_additional_icvs[ICV_DEFAULT_DEVICE];
}

/* These two belong to the device, not to the data environment.  */
void
omp_set_num_teams (int n)
{
  if (n >= 0)
    __gomp_additional_icvs[ICV_NTEAMS] = n;
}

int
omp_get_max_teams (void)
{
  return __gomp_additional_icvs[ICV_NTEAMS];
}

void
omp_set_teams_thread_limit (int n)
{
  if (n >= 0)
    __gomp_additional_icvs[ICV_TEAMS_THREAD_LIMIT] = n;
}

int
omp_get_teams_thread_limit (void)
{
  return __gomp_additional_icvs[ICV_TEAMS_THREAD_LIMIT];
}

/* A kernel cannot give back what it runs on.  */
int
omp_pause_resource (int kind, int device)
{
  (void) kind;
  (void) device;
  return -1;
}

int
omp_pause_resource_all (int kind)
{
  (void) kind;
  return -1;
}

#pragma omp end declare target
