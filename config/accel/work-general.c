/* work-general.c -- worksharing constructs with task reductions, or with memory that the compiler asks
   for: general forms of loops and sections, and scope.

   They are apart because they need reduction.c, which few programs do.  */

#include "loop.h"
#include "sections.h"

#pragma omp declare target

extern bool GOMP_loop_start (long, long, long, long, long, long *, long *, uintptr_t *, void **);
extern bool GOMP_loop_ordered_start (long, long, long, long, long, long *, long *, uintptr_t *,
				     void **);
extern bool GOMP_loop_ull_start (bool, accel_u64, accel_u64, accel_u64, long, accel_u64, accel_u64 *,
				 accel_u64 *, uintptr_t *, void **);
extern bool GOMP_loop_ull_ordered_start (bool, accel_u64, accel_u64, accel_u64, long, accel_u64,
					 accel_u64 *, accel_u64 *, uintptr_t *, void **);
extern unsigned GOMP_sections2_start (unsigned, uintptr_t *, void **);
extern void GOMP_scope_start (uintptr_t *);

void
accel_general_prepare (struct accel_thread *self, struct accel_work *d, uintptr_t *reductions,
		       void **mem)
{
  if (mem != NULL)
    accel_work_memory (d, ACCEL_ALLOCATED_MEMORY, (uintptr_t) *mem);
  if (reductions != NULL)
    d->reductions = accel_reduction_new (self, reductions, self->num_threads);
}

void
accel_general_enter (struct accel_thread *self, struct accel_work *d, uintptr_t *reductions,
		     void **mem)
{
  if (mem != NULL)
    *mem = d->memory;
  if (reductions != NULL)
    accel_reduction_enter (self, d->reductions, reductions);
}

/* The region was cancelled, and there is no descriptor for SELF.  The program will look at its chunk of the
   reductions all the same.  */
static bool
enter_cancelled (struct accel_thread *self, uintptr_t *reductions)
{
  if (reductions != NULL)
    accel_reduction_enter (self, accel_reduction_new (self, reductions, self->num_threads),
			   reductions);
  return false;
}

static bool
start (unsigned flags, accel_u64 first_value, accel_u64 end, accel_u64 incr, long schedule,
       accel_u64 chunk, accel_u64 *istart, accel_u64 *iend, uintptr_t *reductions, void **mem)
{
  struct accel_thread *self = accel_self ();
  bool blank = istart == NULL;
  uintptr_t met = accel_work_meet (self);
  struct accel_work *d = accel_work_of (met);
  if (d == NULL)
    return enter_cancelled (self, reductions);
  if (met & ACCEL_FIRST)
    {
      accel_loop_fill (self, d, self->num_threads,
		       accel_decode_schedule (schedule) | flags | (blank ? ACCEL_LOOP_BLANK : 0),
		       first_value, end, incr, chunk);
      accel_general_prepare (self, d, reductions, mem);
      accel_work_ready (self, d);
    }
  accel_general_enter (self, d, reductions, mem);
  return blank || accel_loop_next_first (self, d, istart, iend);
}

bool
GOMP_loop_start (long first_value, long end, long incr, long schedule, long chunk, long *istart,
		 long *iend, uintptr_t *reductions, void **mem)
{
  return start (0, first_value, end, incr, schedule, chunk, (accel_u64 *) istart, (accel_u64 *) iend,
		reductions, mem);
}

bool
GOMP_loop_ordered_start (long first_value, long end, long incr, long schedule, long chunk,
			 long *istart, long *iend, uintptr_t *reductions, void **mem)
{
  return start (ACCEL_LOOP_ORDERED, first_value, end, incr, schedule, chunk, (accel_u64 *) istart,
		(accel_u64 *) iend, reductions, mem);
}

bool
GOMP_loop_ull_start (bool up, accel_u64 first_value, accel_u64 end, accel_u64 incr, long schedule,
		     accel_u64 chunk, accel_u64 *istart, accel_u64 *iend, uintptr_t *reductions,
		     void **mem)
{
  return start (ACCEL_LOOP_UNSIGNED | (up ? 0 : ACCEL_LOOP_DOWN), first_value, end, incr, schedule,
		chunk, istart, iend, reductions, mem);
}

bool
GOMP_loop_ull_ordered_start (bool up, accel_u64 first_value, accel_u64 end, accel_u64 incr,
			     long schedule, accel_u64 chunk, accel_u64 *istart, accel_u64 *iend,
			     uintptr_t *reductions, void **mem)
{
  return start (ACCEL_LOOP_ORDERED | ACCEL_LOOP_UNSIGNED | (up ? 0 : ACCEL_LOOP_DOWN), first_value,
		end, incr, schedule, chunk, istart, iend, reductions, mem);
}

unsigned
GOMP_sections2_start (unsigned count, uintptr_t *reductions, void **mem)
{
  struct accel_thread *self = accel_self ();
  uintptr_t met = accel_work_meet (self);
  struct accel_work *d = accel_work_of (met);
  if (d == NULL)
    return enter_cancelled (self, reductions);
  if (met & ACCEL_FIRST)
    {
      accel_sections_fill (d, count);
      accel_general_prepare (self, d, reductions, mem);
      accel_work_ready (self, d);
    }
  accel_general_enter (self, d, reductions, mem);
  return accel_sections_next (self);
}

/* There is no call at the end of a scope: threads are through with the descriptor at once.  */
void
GOMP_scope_start (uintptr_t *reductions)
{
  struct accel_thread *self = accel_self ();
  uintptr_t met = accel_work_meet (self);
  struct accel_work *d = accel_work_of (met);
  if (d == NULL)
    {
      enter_cancelled (self, reductions);
      return;
    }
  if (met & ACCEL_FIRST)
    {
      accel_general_prepare (self, d, reductions, NULL);
      accel_work_ready (self, d);
    }
  accel_general_enter (self, d, reductions, NULL);
  accel_work_leave (self);
}

#pragma omp end declare target
