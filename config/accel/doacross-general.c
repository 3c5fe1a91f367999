/* doacross-general.c -- doacross loops with task reductions, or with memory that the compiler asks for.  */

#include "loop.h"

#pragma omp declare target

extern bool GOMP_loop_doacross_start (unsigned, long *, long, long, long *, long *, uintptr_t *,
				      void **);
extern bool GOMP_loop_ull_doacross_start (unsigned, accel_u64 *, long, accel_u64, accel_u64 *,
					  accel_u64 *, uintptr_t *, void **);

static bool
start (unsigned levels, const accel_u64 *counts, long schedule, accel_u64 chunk, accel_u64 *istart,
       accel_u64 *iend, uintptr_t *reductions, void **mem)
{
  struct accel_thread *self = accel_self ();
  uintptr_t met = accel_work_meet (self);
  struct accel_work *d = accel_work_of (met);
  if (d == NULL)
    return false;
  if (met & ACCEL_FIRST)
    {
      accel_doacross_fill (self, d, levels, counts, accel_decode_schedule (schedule), chunk);
      accel_general_prepare (self, d, reductions, mem);
      accel_work_ready (self, d);
    }
  accel_general_enter (self, d, reductions, mem);
  return accel_loop_next_long (self, istart, iend);
}

bool
GOMP_loop_doacross_start (unsigned levels, long *counts, long schedule, long chunk, long *istart,
			  long *iend, uintptr_t *reductions, void **mem)
{
  return start (levels, (accel_u64 *) counts, schedule, chunk, (accel_u64 *) istart,
		(accel_u64 *) iend, reductions, mem);
}

bool
GOMP_loop_ull_doacross_start (unsigned levels, accel_u64 *counts, long schedule, accel_u64 chunk,
			      accel_u64 *istart, accel_u64 *iend, uintptr_t *reductions, void **mem)
{
  return start (levels, counts, schedule, chunk, istart, iend, reductions, mem);
}

#pragma omp end declare target
