/* fortran.c -- Fortran forms of the routines in icv.c.

   Arguments come by reference.  NAME_8_ takes integers and logicals of 8 bytes, which are clamped to
   the range of an int; kinds of schedules always have 4 bytes.  Routines of other files have their
   Fortran forms there, so that a program gets no more than it calls.  */

#include "accel.h"
#include "api.h"

#include <limits.h>

#pragma omp declare target

static int
clamp (int64_t n)
{
  return n > INT_MAX ? INT_MAX : n < INT_MIN ? INT_MIN : (int) n;
}

#define GET(name)							\
  int32_t								\
  name##_ (void)							\
  {									\
    return name ();							\
  }

#define SET(name)							\
  void									\
  name##_ (const int32_t *n)						\
  {									\
    name (*n);								\
  }									\
  void									\
  name##_8_ (const int64_t *n)						\
  {									\
    name (clamp (*n));							\
  }

#define SET_LOGICAL(name)						\
  void									\
  name##_ (const int32_t *on)						\
  {									\
    name (*on != 0);							\
  }									\
  void									\
  name##_8_ (const int64_t *on)						\
  {									\
    name (*on != 0);							\
  }

/* A function of a level or a place.  */
#define GET_AT(name)							\
  int32_t								\
  name##_ (const int32_t *n)						\
  {									\
    return name (*n);							\
  }									\
  int32_t								\
  name##_8_ (const int64_t *n)						\
  {									\
    return name (clamp (*n));						\
  }

GET (omp_get_thread_num)
GET (omp_get_num_threads)
GET (omp_get_team_num)
GET (omp_get_num_teams)
GET (omp_get_level)
GET (omp_get_active_level)
GET (omp_in_parallel)
GET_AT (omp_get_ancestor_thread_num)
GET_AT (omp_get_team_size)

SET (omp_set_num_threads)
GET (omp_get_max_threads)
GET (omp_get_thread_limit)
GET (omp_get_num_procs)
SET_LOGICAL (omp_set_dynamic)
GET (omp_get_dynamic)
SET_LOGICAL (omp_set_nested)
GET (omp_get_nested)
SET (omp_set_max_active_levels)
GET (omp_get_max_active_levels)
GET (omp_get_supported_active_levels)
GET (omp_get_cancellation)
GET (omp_get_max_task_priority)

GET (omp_get_proc_bind)
GET (omp_get_num_places)
GET_AT (omp_get_place_num_procs)
GET (omp_get_place_num)
GET (omp_get_partition_num_places)

GET (omp_is_initial_device)
GET (omp_get_initial_device)
GET (omp_get_num_devices)
GET (omp_get_device_num)
SET (omp_set_default_device)
GET (omp_get_default_device)
SET (omp_set_num_teams)
GET (omp_get_max_teams)
SET (omp_set_teams_thread_limit)
GET (omp_get_teams_thread_limit)

void
omp_set_schedule_ (const int32_t *kind, const int32_t *chunk)
{
  omp_set_schedule (*kind, *chunk);
}

void
omp_set_schedule_8_ (const int32_t *kind, const int64_t *chunk)
{
  omp_set_schedule (*kind, clamp (*chunk));
}

/* Fortran programs do not see the monotonic modifier.  */
void
omp_get_schedule_ (int32_t *kind, int32_t *chunk)
{
  const struct accel_icv *icv = accel_self ()->icv;
  *kind = icv->schedule & INT_MAX;
  *chunk = icv->chunk;
}

void
omp_get_schedule_8_ (int32_t *kind, int64_t *chunk)
{
  const struct accel_icv *icv = accel_self ()->icv;
  *kind = icv->schedule & INT_MAX;
  *chunk = icv->chunk;
}

/* There are no places, so there is nothing to write.  */
void
omp_get_place_proc_ids_ (const int32_t *place, int32_t *ids)
{
  omp_get_place_proc_ids (*place, ids);
}

void
omp_get_place_proc_ids_8_ (const int64_t *place, int64_t *ids)
{
  (void) place;
  (void) ids;
}

void
omp_get_partition_place_nums_ (int32_t *places)
{
  omp_get_partition_place_nums (places);
}

void
omp_get_partition_place_nums_8_ (int64_t *places)
{
  (void) places;
}

int32_t
omp_pause_resource_ (const int32_t *kind, const int32_t *device)
{
  return omp_pause_resource (*kind, *device);
}

int32_t
omp_pause_resource_all_ (const int32_t *kind)
{
  return omp_pause_resource_all (*kind);
}

#pragma omp end declare target
