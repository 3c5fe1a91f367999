/* parallel-reductions.c -- parallel regions with task reductions.  */

#include "accel.h"

#pragma omp declare target

extern unsigned GOMP_parallel_reductions (void (*) (void *), void *, unsigned, unsigned);

/* The first word of DATA is the address of the reductions' array.  */
unsigned
GOMP_parallel_reductions (void (*fn) (void *), void *data, unsigned num_threads, unsigned flags)
{
  struct accel_thread *self = accel_self ();
  unsigned n = accel_team_size (self, num_threads);
  uintptr_t *array = *(uintptr_t **) data;

  (void) flags;
  accel_reduction_parallel (array, n);
  if (n == 1)
    {
      struct accel_serial serial;
      accel_serial_begin (self, &serial)->reductions = array;
      accel_serial_run (self, &serial, fn, data);
    }
  else
    {
      accel_active_begin (self, n)->reductions = array;
      accel_active_run (self, fn, data);
    }
  return n;
}

#pragma omp end declare target
