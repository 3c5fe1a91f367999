/* work.c -- the descriptors of a team's worksharing constructs.

   A ring of ACCEL_WORKS descriptors.  The first thread that comes to construct number n takes descriptor
   n modulo ACCEL_WORKS, which must be free: all threads are through with construct
   n - ACCEL_WORKS.  So threads may be that many constructs apart, then the fast ones wait.  That
   cannot be for each other: somebody is in the oldest construct, and does not wait here.

   States of a descriptor, for construct n
     free:  xserial = 2 * (n - ACCEL_WORKS) + 1, xleft = 0
       -> filling, accel_work_meet of one thread (compare-and-swap of xserial)
     filling:  xserial = 2 * n
       -> ready, accel_work_ready
     ready:  xserial = 2 * n + 1, xleft > 0
       -> free, accel_work_leave of the last thread

   Invariant: what a descriptor holds is written while it is being filled in, but for fields with x.  */

#include "accel.h"

#pragma omp declare target

static bool
cancelled (const struct accel_team *team)
{
  return machine_load32 (&team->xcancelled) & 1;
}

uintptr_t
accel_work_meet (struct accel_thread *self)
{
  struct accel_team *team = self->team;
  unsigned n = self->num_threads, number = self->works;
  struct accel_work *d = team->works;
  bool first = true;

  self->trip = 0;
  self->first = 0;
  self->next = 0;
#ifdef MACHINE_NEAR
  self->near_dynamic = 0;
#endif
  if (n > 1)
    {
      self->works = number + 1;
      d += number % ACCEL_WORKS;
      unsigned free = 2 * (number - ACCEL_WORKS) + 1, ready = 2 * number + 1;
      for (unsigned turn = 0;; turn++)
	{
	  unsigned serial = machine_load32 (&d->xserial);
	  if (serial == ready)
	    {
	      first = false;
	      break;
	    }
	  if (serial == free && machine_load32 (&d->xleft) == 0
	      && machine_shared_cas32 (&d->xserial, free, 2 * number) == free)
	    break;
	  if (turn > 0 && cancelled (team))
	    {
	      /* Others may never come to construct number - ACCEL_WORKS.  */
	      self->work = NULL;
	      return 0;
	    }
	  machine_pause (turn);
	}
      machine_fence_block ();	/* what was written when it was filled in, or read by the last users */
    }
  self->work = d;
  if (first)
    {
      d->memory = NULL;
      d->doacross = NULL;
      d->reductions = NULL;
      d->allocated = 0;
      d->ordered = 0;
    }
  return (uintptr_t) d + (first ? ACCEL_FIRST : 0);
}

void
accel_work_ready (struct accel_thread *self, struct accel_work *d)
{
  if (self->num_threads == 1)
    return;
  machine_store32 (&d->xleft, self->num_threads);
  machine_fence_block ();	/* it is filled in */
  machine_store32 (&d->xserial, machine_load32 (&d->xserial) + 1);
}

struct accel_work *
accel_work_first (struct accel_team *team)
{
  struct accel_work *d = team->works;
  if (team->num_threads > 1)
    {
      /* Nobody else looks at the ring before the region begins.  */
      unsigned number = team->works_base++;
      d += number % ACCEL_WORKS;
      d->xserial = 2 * number + 1;
      d->xleft = team->num_threads;
    }
  d->memory = NULL;
  d->doacross = NULL;
  d->reductions = NULL;
  d->allocated = 0;
  d->ordered = 0;
#ifdef MACHINE_COPIES
  if (team->num_threads > 1)
    {
      struct accel_thread *start = &accel_block ()->start;
      start->work = d;
      start->works = team->works_base;
    }
#endif
  team->first_work = d;
  return d;
}

#ifndef MACHINE_EACH_LANE		/* which get no memory with a construct */
static void __attribute__ ((noinline))
release_memory (unsigned allocated, void *memory, void *doacross)
{
  machine_fence_block ();	/* all have read it */
#ifdef MACHINE_NEAR_DOACROSS
  if (allocated & ACCEL_ALLOCATED_NEAR)
    machine_store32 (&accel_block ()->xdoacross_used, 0);
#endif
  if (allocated & ACCEL_ALLOCATED_MEMORY)
    free (memory);
  if (allocated & ACCEL_ALLOCATED_DOACROSS)
    free (doacross);
}
#endif

void
accel_work_leave (struct accel_thread *self)
{
  struct accel_work *d = self->work;
  if (d == NULL)
    return;
#ifdef MACHINE_EACH_LANE
  machine_fence_block ();	/* as below */
  machine_shared_add32 (&d->xleft, -1u);
#else
  unsigned allocated = d->allocated;
  void *memory = d->memory, *doacross = d->doacross;
  unsigned left = 1;
  if (self->num_threads > 1)
    {
      machine_fence_block ();	/* the descriptor is read before it may become free */
      left = machine_shared_add32 (&d->xleft, -1u);
    }
  if (left == 1 && allocated)
    release_memory (allocated, memory, doacross);
#endif
}

#ifndef MACHINE_EACH_LANE
/* Memory that comes with the descriptors; the team of one outside of regions has some, too.  */
static char *
scratch_of (struct accel_work *d)
{
  struct accel_block *block = accel_block ();
  if (d == &block->initial_work)
    return block->scratch + ACCEL_WORKS * ACCEL_SCRATCH;
  if (d >= block->works && d < block->works + ACCEL_WORKS)
    return block->scratch + (d - block->works) * ACCEL_SCRATCH;
  return NULL;
}

void *
accel_work_memory (struct accel_work *d, unsigned which, uint64_t size)
{
  char *scratch = scratch_of (d);
  void *memory;
  size = (size + 7) / 8 * 8;	/* it is zeroed by words */
#ifdef MACHINE_NEAR_DOACROSS
  struct accel_block *block = accel_block ();
  if (which == ACCEL_ALLOCATED_DOACROSS && size <= sizeof block->doacross
      && machine_shared_cas32 (&block->xdoacross_used, 0, 1) == 0)
    {
      machine_fence_block ();	/* the loop that used it before is over */
      memory = block->doacross;
      d->allocated |= ACCEL_ALLOCATED_NEAR;
    }
  else
#endif
  if (scratch != NULL && size <= ACCEL_SCRATCH / 2)
    memory = which == ACCEL_ALLOCATED_MEMORY ? scratch : scratch + ACCEL_SCRATCH / 2;
  else
    {
      memory = malloc (size);
      if (memory == NULL)
	__builtin_trap ();
      d->allocated |= which;
    }
  accel_u64 *words = memory;
  for (uint64_t i = 0; i < size / 8; i++)
    words[i] = 0;
  if (which == ACCEL_ALLOCATED_MEMORY)
    d->memory = memory;
  else
    d->doacross = memory;
  return memory;
}
#endif

#pragma omp end declare target
