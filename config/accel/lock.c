/* lock.c -- the lock routines of the OpenMP API, and their Fortran forms.

   A simple lock is a word (ticket.h); whoever holds it, any thread may unset it.  All bytes zero is an
   unlocked lock of every kind.  Locks are taken across all blocks of all kernels of the device, and are not
   to be used by the host at the same time.

   What is done under a lock is ordered for all blocks of a kernel.  Where there is only one, a fence for
   the block will do, and that is most of the time that a lock takes.  (Kernels that run at the same time
   exclude each other, but to see each other's data they need more than a lock, whose threads
   are those of one contention group.)

   A nestable lock has 16 bytes.  In Fortran its variable has 8 and holds a pointer to it.

   A nestable lock belongs to a task.  A task's record may move, but the room for its ICVs
   (accel_thread.own_icv) stays where it is until the task ends, on a stack as a rule, so its address
   tells it from all other tasks.  For few it is in shared memory, which has the same addresses in all blocks: so
   a block gets a number when it first takes such a lock there.  So it does for lanes, whose rooms all look
   the same: they have no other tasks than their implicit one.

   Who misuses a lock (unsets what is not set, sets twice) hangs or breaks it.  */

#include "accel.h"
#include "api.h"
#include "message.h"
#include "ticket.h"

#include <stdlib.h>

#pragma omp declare target

static void
fence (void)
{
  if (machine_blocks () == 1)
    machine_fence_block ();
  else
    machine_fence_device ();
}

static inline void
set (unsigned *xlock)
{
  accel_ticket_take (xlock);
  fence ();
}

static inline int
test (unsigned *xlock)
{
  int got = accel_ticket_try (xlock);
#ifdef MACHINE_EACH_LANE
  /* Who has it may be a lane of this warp, which gets on when this one sleeps.  */
  if (!got)
    machine_pause (0);
#endif
  fence ();
  return got;
}

static inline void
unset (unsigned *xlock)
{
  fence ();
  /* relaxed: behind the fence.  */
  __atomic_fetch_add (xlock, ACCEL_TICKET_SERVE, __ATOMIC_RELAXED);
}

/* ---- simple locks ---- */

void
omp_init_lock (unsigned *lock)
{
  machine_store32 (lock, 0);
}

void
omp_destroy_lock (unsigned *lock)
{
  (void) lock;
}

void
omp_set_lock (unsigned *lock)
{
  set (lock);
}

void
omp_unset_lock (unsigned *lock)
{
  unset (lock);
}

int
omp_test_lock (unsigned *lock)
{
  return test (lock);
}

void
omp_init_lock_ (unsigned *lock)
{
  omp_init_lock (lock);
}

void
omp_destroy_lock_ (unsigned *lock)
{
  omp_destroy_lock (lock);
}

void
omp_set_lock_ (unsigned *lock)
{
  set (lock);
}

void
omp_unset_lock_ (unsigned *lock)
{
  unset (lock);
}

int32_t
omp_test_lock_ (unsigned *lock)
{
  return test (lock);
}

/* ---- nestable locks ---- */

struct accel_nest_lock
{
  unsigned xlock;
  unsigned count;		/* times that it is set; the holder's */
  accel_u64 xowner;		/* 0: nobody; written by the holder */
};

extern accel_u64 accel_lock_xblocks;
#ifndef MACHINE_EACH_LANE
accel_u64 accel_lock_xblocks;	/* numbers given to blocks */
#endif

static accel_u64
block_number (struct accel_block *block)
{
  accel_u64 number = machine_uniform_load64 (&block->xowner);
  if (number == 0)
    {
      /* relaxed: only different for each.  */
      accel_u64 new_number = __atomic_add_fetch (&accel_lock_xblocks, 1, __ATOMIC_RELAXED);
      /* relaxed: of the threads that meet here, one decides.  */
      if (__atomic_compare_exchange_n (&block->xowner, &number, new_number, false, __ATOMIC_RELAXED,
				       __ATOMIC_RELAXED))
	number = new_number;
    }
  return number;
}

/* The calling task; never 0.  */
static accel_u64
owner (void)
{
  struct accel_block *block = accel_block ();
#ifdef MACHINE_EACH_LANE
  uintptr_t place = sizeof (*block) + machine_thread ();
#else
  uintptr_t room = (uintptr_t) accel_self ()->own_icv, place = room - (uintptr_t) block;
  if (place >= sizeof (*block))
    return room;
#endif
  return block_number (block) << 24 | place << 1 | 1;
}

void
omp_init_nest_lock (struct accel_nest_lock *lock)
{
  *lock = (struct accel_nest_lock) { 0, 0, 0 };
}

void
omp_destroy_nest_lock (struct accel_nest_lock *lock)
{
  (void) lock;
}

/* The caller has just got it.  */
static int
begin_nest (struct accel_nest_lock *lock, accel_u64 me)
{
  machine_store64 (&lock->xowner, me);
  lock->count = 1;
  return 1;
}

void
omp_set_nest_lock (struct accel_nest_lock *lock)
{
  accel_u64 me = owner ();
  /* Only this task can have written that it is the owner: all lanes find the same answer.  */
  if (machine_load64 (&lock->xowner) == me)
    lock->count++;
  else
    {
      set (&lock->xlock);
      begin_nest (lock, me);
    }
}

int
omp_test_nest_lock (struct accel_nest_lock *lock)
{
  accel_u64 me = owner ();
  if (machine_load64 (&lock->xowner) == me)
    return ++lock->count;
  return test (&lock->xlock) ? begin_nest (lock, me) : 0;
}

void
omp_unset_nest_lock (struct accel_nest_lock *lock)
{
  if (--lock->count == 0)
    {
      machine_store64 (&lock->xowner, 0);
      unset (&lock->xlock);
    }
}

/* ---- the same in Fortran ---- */

#ifndef MACHINE_EACH_LANE
void
omp_init_nest_lock_ (struct accel_nest_lock **lock)
{
  *lock = malloc (sizeof (**lock));
  if (*lock == NULL)
    accel_fatal ("omp_init_nest_lock: out of memory", 0, 0, "");
  omp_init_nest_lock (*lock);
}

void
omp_destroy_nest_lock_ (struct accel_nest_lock **lock)
{
  free (*lock);
  *lock = NULL;
}
#endif

void
omp_set_nest_lock_ (struct accel_nest_lock **lock)
{
  omp_set_nest_lock (*lock);
}

void
omp_unset_nest_lock_ (struct accel_nest_lock **lock)
{
  omp_unset_nest_lock (*lock);
}

int32_t
omp_test_nest_lock_ (struct accel_nest_lock **lock)
{
  return omp_test_nest_lock (*lock);
}

#pragma omp end declare target
