/* parallel.c -- parallel regions, active (more than one thread) and serial.

   An active region's threads are threads 0 .. n-1 of the block.  Only the initial thread, outside of
   active regions, can start one, so there is one at a time and its team is the block's.  The combined
   forms are in files of their own, which few programs need.

   Invariants
   1. While an active region runs, accel_block.saved is what thread 0's record was before (saved_thread, where a
      whole record is copied as fast as one of its fields: MACHINE_COPIES).
   2. Constructs of the active team are numbered on from region to region (works_base), unless
      one was cancelled: then some constructs were not finished, and all begins anew.  */

#include "accel.h"

#pragma omp declare target

extern void GOMP_parallel (void (*) (void *), void *, unsigned, unsigned);

static inline unsigned
team_size (struct accel_thread *self, unsigned num_threads)
{
  return accel_region_size (self, num_threads, 1);
}

static inline struct accel_team *
active_begin (struct accel_thread *self, unsigned n)
{
  struct accel_block *block = accel_block ();
  struct accel_team *team = &block->team, *parent = self->team;
  struct accel_icv *icv = self->icv;
  unsigned level = parent->level + 1, plain = block->tasking ? 0 : machine_barrier_count (n), cancelled = team->xcancelled;

  team->num_threads = n;
  team->level = level;
  team->active_level = 1;
  team->plain = plain;
  team->parent_num = 0;
  team->parent = parent;
  team->icv = icv;
  team->first_work = NULL;
  team->reductions = NULL;
  if (cancelled)
    {
      accel_works_reset (block->works);
      team->works_base = 0;
      team->singles_base = 0;
      team->xsingles = 0;
      team->xarrived[0] = 0;
      team->xcancelled = 0;
#ifdef MACHINE_NEAR_DOACROSS
      block->xdoacross_used = 0;
#endif
    }
#ifdef MACHINE_COPIES
  struct accel_thread *start = &block->start;
  start->num_threads = n;
  start->plain = plain;
  start->icv = icv;
  start->work = NULL;
  if (cancelled)
    {
      start->works = 0;
      start->singles = 0;
    }
#endif
  return team;
}

#ifndef MACHINE_COPIES
/* Nobody has children where there are no tasks.  */
__attribute__ ((weak)) void
accel_children_keep (struct accel_thread *self, bool back)
{
  (void) self;
  (void) back;
}
#endif

/* What needs not be done before the workers start is done while they do.  */
static inline void
active_fork (struct accel_thread *self, unsigned n, void (*fn) (void *), void *data)
{
  struct accel_block *block = accel_block ();
  unsigned turn = block->turn;
  struct accel_launch *launch = &block->launches[turn];

  launch->fn = fn;
  launch->data = data;
  launch->num_threads = n;
  machine_launch (turn);

  block->turn = turn ^ 1;
#ifdef MACHINE_COPIES
  accel_thread_copy (&block->saved_thread, self);
  self->own_icv = &block->master_icv;
  accel_active_enter (block, self);
#else
  struct accel_icv *own_icv = self->own_icv;
  struct accel_work *work = self->work;
  accel_u64 trip = self->trip;
  struct accel_task *task = self->task, *implicit = self->implicit;
  struct accel_taskgroup *taskgroup = self->taskgroup;
  unsigned final = self->final;

  block->saved.own_icv = own_icv;
  block->saved.work = work;
  block->saved.trip = trip;
  block->saved.task = task;
  block->saved.implicit = implicit;
  block->saved.taskgroup = taskgroup;
  block->saved.final = final;
  if (task != NULL || implicit != NULL)
    accel_children_keep (self, false);
  accel_region_enter (self, &block->team, 0, &block->master_icv);
#endif
}

static inline void
active_join (struct accel_thread *self)
{
  struct accel_block *block = accel_block ();
  accel_barrier_end (self);

  struct accel_team *team = &block->team;
  unsigned works = self->works, singles = self->singles;
#ifdef MACHINE_COPIES
  block->start.works = works;
  block->start.singles = singles;
  team->works_base = works;
  accel_thread_copy (self, &block->saved_thread);
#else
  struct accel_team *parent = team->parent;
  struct accel_icv *icv = team->icv, *own_icv = block->saved.own_icv;
  struct accel_work *work = block->saved.work;
  unsigned final = block->saved.final;
  accel_u64 trip = block->saved.trip;

  team->works_base = works;
  team->singles_base = singles;
  self->num_threads = 1;
  self->plain = 0;
  self->team = parent;
  self->icv = icv;
  self->own_icv = own_icv;
  self->work = work;
  self->trip = trip;
  self->final = final;

  struct accel_task *task = block->saved.task, *implicit = block->saved.implicit;
  struct accel_taskgroup *taskgroup = block->saved.taskgroup;
  self->task = task;
  self->implicit = implicit;
  self->taskgroup = taskgroup;
  if (task != NULL || implicit != NULL)
    accel_children_keep (self, true);
  else
    accel_children_none (self);
#endif
}

unsigned
accel_team_size (struct accel_thread *self, unsigned num_threads)
{
  return team_size (self, num_threads);
}

struct accel_team *
accel_active_begin (struct accel_thread *self, unsigned n)
{
  return active_begin (self, n);
}

void
accel_active_fork (struct accel_thread *self, void (*fn) (void *), void *data)
{
  active_fork (self, accel_block ()->team.num_threads, fn, data);
}

void
accel_active_join (struct accel_thread *self)
{
  active_join (self);
}

void
accel_active_run (struct accel_thread *self, void (*fn) (void *), void *data)
{
  accel_active_fork (self, fn, data);
  fn (data);
  accel_active_join (self);
}

static inline struct accel_team * __attribute__ ((always_inline))
serial_begin (struct accel_thread *self, struct accel_serial *serial)
{
  struct accel_team *parent = self->team;
  struct accel_team *team = &serial->team;
  accel_thread_copy (&serial->saved, self);
  accel_team_init (team, self->icv, &serial->work);
  team->num_threads = 1;
  team->level = parent->level + 1;
  team->active_level = parent->active_level;
  team->parent_num = self->num;
  team->parent = parent;
  return team;
}

static inline void __attribute__ ((always_inline))
serial_run (struct accel_thread *self, struct accel_serial *serial, void (*fn) (void *), void *data)
{
  accel_region_enter (self, &serial->team, 0, &serial->own_icv);
  fn (data);
  accel_barrier_end (self);
  accel_thread_copy (self, &serial->saved);
}

/* In one function: programs without other kinds of regions need no more.  */
static void __attribute__ ((noinline))
run_serial (struct accel_thread *self, void (*fn) (void *), void *data)
{
  struct accel_serial serial;
  serial_begin (self, &serial);
  serial_run (self, &serial, fn, data);
}

struct accel_team *
accel_serial_begin (struct accel_thread *self, struct accel_serial *serial)
{
  return serial_begin (self, serial);
}

void
accel_serial_run (struct accel_thread *self, struct accel_serial *serial, void (*fn) (void *),
		  void *data)
{
  serial_run (self, serial, fn, data);
}

void
GOMP_parallel (void (*fn) (void *), void *data, unsigned num_threads, unsigned flags)
{
  struct accel_thread *self = accel_self ();
  unsigned n = team_size (self, num_threads);

  (void) flags;			/* there are no places */
  if (n == 1)
    run_serial (self, fn, data);
  else
    {
      active_begin (self, n);
      active_fork (self, n, fn, data);
      fn (data);
      active_join (self);
    }
}

#pragma omp end declare target
