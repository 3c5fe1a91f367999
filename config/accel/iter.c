/* iter.c -- handing out the iterations of loops; loop.h has the rules.  */

#include "loop.h"

#pragma omp declare target

#define DYNAMIC_MOST 0x7fffffffu	/* blocks that a 32-bit counter may count */

void
accel_loop_fill (struct accel_thread *self, struct accel_work *d, unsigned n, unsigned flags,
		 accel_u64 start, accel_u64 end, accel_u64 incr, accel_u64 chunk)
{
  unsigned kind = flags & ACCEL_SCHED_KIND_MASK;
  bool up = !(flags & ACCEL_LOOP_DOWN), empty;

  if (flags & ACCEL_LOOP_UNSIGNED)
    empty = up ? start >= end : start <= end;
  else
    {
      up = (long) incr > 0;
      empty = up ? (long) start >= (long) end : (long) start <= (long) end;
      if ((long) chunk < 0)
	chunk = 0;
    }
  if (kind == ACCEL_SCHED_RUNTIME)
    {
      const struct accel_icv *icv = self->icv;
      kind = icv->schedule & ACCEL_SCHED_KIND_MASK;
      chunk = icv->chunk > 0 && kind != ACCEL_SCHED_AUTO ? icv->chunk : 0;
    }

  accel_u64 count = 0, step = up ? incr : -incr;
  if (!empty && !(flags & ACCEL_LOOP_BLANK))
    {
      count = up ? end - start : start - end;
      if (step > 1)
	count = accel_divide (count - 1, step) + 1;
    }
  bool one_each = kind != ACCEL_SCHED_DYNAMIC && kind != ACCEL_SCHED_GUIDED && chunk == 0;
  if (n == 1 && (one_each || kind == ACCEL_SCHED_GUIDED))
    chunk = count;
  if (chunk == 0)
    chunk = 1;
  accel_u64 blocks = count;
  if (chunk > 1 && count > 0)
    blocks = accel_divide (count - 1, chunk) + 1;

  d->start = start;
  d->end = end;
  d->incr = incr;
  d->count = count;
  d->chunk = chunk;
  d->blocks = blocks;
  d->stride = chunk * incr;
  d->xtaken = 0;
  d->xturn = 0;
  d->ordered = flags & ACCEL_LOOP_ORDERED && n > 1 ? ACCEL_ORDERED_YES : ACCEL_ORDERED_NO;
  if (n == 1)
    d->kind = ACCEL_WORK_ALONE;
  else if (kind == ACCEL_SCHED_DYNAMIC)
    d->kind = (blocks <= DYNAMIC_MOST && !(flags & ACCEL_LOOP_ORDERED)
	       ? ACCEL_WORK_DYNAMIC : ACCEL_WORK_DYNAMIC_WIDE);
  else if (kind == ACCEL_SCHED_GUIDED)
    d->kind = ACCEL_WORK_GUIDED;
  else
    d->kind = one_each ? ACCEL_WORK_STATIC : ACCEL_WORK_STATIC_CHUNK;
}

#ifdef MACHINE_NEAR
bool
accel_loop_next_other (accel_u64 *istart, accel_u64 *iend)
{
  return accel_loop_next_long (accel_self (), istart, iend);
}
#endif

bool
accel_loop_start (unsigned flags, accel_u64 start, accel_u64 end, accel_u64 incr, accel_u64 chunk,
		  accel_u64 *istart, accel_u64 *iend)
{
  struct accel_thread *self = accel_self ();
  uintptr_t met = accel_work_meet (self);
  struct accel_work *d = accel_work_of (met);
  if (d == NULL)
    return false;
  if (met & ACCEL_FIRST)
    {
      accel_loop_fill (self, d, self->num_threads, flags, start, end, incr, chunk);
      accel_work_ready (self, d);
    }
  return accel_loop_next_first (self, d, istart, iend);
}

/* The first REST threads get one iteration more, as in the code that the compiler makes inline.  */
static bool
take_static (const struct accel_work *d, struct accel_thread *self, accel_u64 *first,
	     accel_u64 *length)
{
  unsigned n = self->num_threads, num = self->num;
  accel_u64 each = accel_divide (d->count, n), rest = d->count - each * n;

  if (self->trip++ > 0)
    return false;
  *first = num * each + (num < rest ? num : rest);
  *length = each + (num < rest);
  return *length > 0;
}

/* Block number BLOCK of equal ones, the last of which may be shorter.  */
static bool
equal_block (const struct accel_work *d, accel_u64 block, accel_u64 *first, accel_u64 *length)
{
  if (block >= d->blocks)
    return false;
  *first = block * d->chunk;
  *length = d->count - *first;
  if (*length > d->chunk)
    *length = d->chunk;
  return true;
}

static accel_u64
take_wide (struct accel_work *d)
{
  accel_u64 taken = machine_uniform_load64 (&d->xtaken);
  for (;;)
    {
      accel_u64 seen = machine_shared_cas64 (&d->xtaken, taken, taken + 1);
      if (seen == taken)
	return taken;
      taken = seen;
    }
}

/* Two thirds of a fair share of what remains, so that the others have enough left to even out.  */
static bool
take_guided (struct accel_work *d, unsigned n, accel_u64 *first, accel_u64 *length)
{
  unsigned parts = n + (n + 1) / 2;
  accel_u64 taken = machine_uniform_load64 (&d->xtaken);
  while (taken < d->count)
    {
      accel_u64 remaining = d->count - taken, size = accel_divide (remaining - 1, parts) + 1;
      if (size < d->chunk)
	size = d->chunk;
      if (size > remaining)
	size = remaining;
      accel_u64 seen = machine_shared_cas64 (&d->xtaken, taken, taken + size);
      if (seen == taken)
	{
	  *first = taken;
	  *length = size;
	  return true;
	}
      taken = seen;
    }
  return false;
}

bool
accel_loop_next_long (struct accel_thread *self, accel_u64 *istart, accel_u64 *iend)
{
  struct accel_work *d = self->work;
  accel_u64 first = 0, length = 0, block = 0;
  bool got;

  if (d == NULL)
    return false;		/* cancelled */
#ifndef MACHINE_EACH_LANE
  if (d->ordered == ACCEL_ORDERED_YES)
    accel_ordered_pass (self, d);
  else if (d->ordered == ACCEL_ORDERED_DOACROSS)
    accel_doacross_pass (self, d);
#endif

  switch (d->kind)
    {
    case ACCEL_WORK_STATIC:
      got = take_static (d, self, &first, &length);
      break;
    case ACCEL_WORK_GUIDED:
      got = take_guided (d, self->num_threads, &first, &length);
      break;
    default:
      if (d->kind == ACCEL_WORK_ALONE)
	block = self->trip++;
      else if (d->kind == ACCEL_WORK_STATIC_CHUNK)
	block = self->trip++ * self->num_threads + self->num;
      else if (d->kind == ACCEL_WORK_DYNAMIC_WIDE)
	block = take_wide (d);
      else
	block = machine_shared_add32 (&d->xtaken32, 1);
      got = equal_block (d, block, &first, &length);
      break;
    }
  if (!got)
    {
      self->first = self->next = 0;
      return false;
    }

#ifndef MACHINE_EACH_LANE
  if (d->ordered != ACCEL_ORDERED_NO)
    {
      self->first = first;
      self->next = first + length;
      if (d->ordered == ACCEL_ORDERED_DOACROSS)
	accel_doacross_take (self, d);
    }
#endif
  *istart = d->start + first * d->incr;
  *iend = first + length == d->count ? d->end : d->start + (first + length) * d->incr;
  return true;
}

#pragma omp end declare target
