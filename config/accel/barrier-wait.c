/* barrier-wait.c -- barriers of a team that may have tasks, or be cancelled.

   Waiting threads execute tasks, so they wait in shared memory: threads count
   themselves in (xarrived), and the last to come opens the barrier when no task is
   unfinished, by setting the count to 0 (which may be part of counting itself in) and then raising xphase.  Two pairs
   of these: the barriers inside of the region, which threads leave when it is cancelled, and
   that at its end, which all threads come to.

   Mostly there are no tasks, and the region is not cancelled.  That way is short and calls nothing (meet): who waits looks
   at all that may end it in one load, the words from xphase on.  wait_on goes on where there is something else to do.

   Who makes tasks or cancels calls accel_barrier_waits; so this file is linked where there may be something to
   wait for, and what it defines takes the place of the weak functions and variables of barrier.c and start.c.

   Invariants
   1. Only the last thread to come writes xphase, and nobody comes to the next barrier before.
   2. xphase does not change between a thread's reading it and the opening of the barrier that it then
      comes to.
   3. When all have come, new tasks come only from tasks: xtasks is 0 for good once it is.  */

#include "accel.h"

#pragma omp declare target

extern void GOMP_barrier (void);
extern bool GOMP_barrier_cancel (void);
extern unsigned accel_barrier_other (void);

enum { INSIDE = 0, END = 1 };
enum { CANCEL_PARALLEL = 1 };	/* bit of xcancelled */

unsigned gompx_waiting = 1;

void
accel_barrier_waits (void)
{
}

/* With cancellation alone there are no tasks.  */
__attribute__ ((weak)) bool
accel_task_run (struct accel_thread *self)
{
  (void) self;
  return false;
}

__attribute__ ((weak)) void
accel_task_leave (struct accel_thread *self)
{
  (void) self;
}

/* SELF, one of N of TEAM, has come, in phase PHASE, and was the LAST to do so.  True: the region is cancelled.  */
static inline bool
wait_on (struct accel_thread *self, struct accel_team *team, unsigned n, unsigned which, unsigned phase,
	 bool last)
{
  for (unsigned turn = 0;; turn++)
    {
      if (which == INSIDE && (machine_load32 (&team->xcancelled) & CANCEL_PARALLEL))
	return true;
      if (!last && machine_load32 (&team->xphase[which]) != phase)
	break;
      if (machine_load32 (&team->xtasks) == 0)
	{
	  if (last)
	    {
	      /* What is cancelled but the region ends with the construct.  */
	      machine_store32 (&team->xcancelled,
			       machine_load32 (&team->xcancelled) & CANCEL_PARALLEL);
	      if (n > 1)
		{
#ifndef MACHINE_MEETS
		  machine_store32 (&team->xarrived[which], 0);
#endif
		  machine_fence_block ();	/* before it opens, as all that the others did */
		  machine_store32 (&team->xphase[which], phase + 1);
		}
	      break;
	    }
	}
      else if (accel_task_run (self))
	continue;
      machine_pause (turn);
    }
  machine_fence_block ();	/* what the others did is seen from here on */
  return false;
}

#ifdef MACHINE_MEETS

_Static_assert (offsetof (struct accel_team, xcancelled) == offsetof (struct accel_team, xphase) + 8
		&& offsetof (struct accel_team, xtasks) == offsetof (struct accel_team, xphase) + 12,
		"words that threads look at together");

/* What of these ends waiting: xphase, tasks, and in barriers inside of the region cancellation.  */
static inline unsigned
ends (unsigned which)
{
  return which == INSIDE ? 1u << INSIDE | 1u << 2 | 1u << 3 : 1u << END | 1u << 3;
}

/* The calling thread goes on as said there.  A call at the end of a function needs hardly a frame.  */
static bool __attribute__ ((noinline))
accel_barrier_wait_on (unsigned which, unsigned phase, unsigned last)
{
  struct accel_thread *self = accel_self ();
  if (!accel_block ()->tasking)
    return false;		/* a team of one thread */
  return wait_on (self, self->team, self->num_threads, which, phase, last);
}

/* The calling thread, one of N of its team, comes to a barrier.  True: the region is cancelled.  */
static inline bool __attribute__ ((always_inline))
meet (unsigned n, unsigned which)
{
  struct accel_team *team = &accel_block ()->team;	/* no other has more than one thread */
  unsigned phase = 0, last = 1;

  if (n > 1)
    {
      machine_fence_block ();	/* what the thread did is seen by those behind the barrier */
      phase = machine_load32 (&team->xphase[which]);
      last = machine_come (&team->xarrived[which], n - 1);
      if (last)
	{
	  machine_fence_block ();	/* xtasks is read after it */
	  if (machine_nonzero_words (&team->xcancelled, 2) == 0)
	    {
	      machine_fence_block ();	/* what others and their tasks did is seen from here on, and by who finds it open */
	      machine_store32 (&team->xphase[which], phase + 1);
	      return false;
	    }
	}
      else if (machine_await_change (team->xphase, ends (which), which, phase) & 1u << which)
	{
	  machine_fence_block ();	/* what the others did is seen from here on */
	  return false;
	}
    }
  return accel_barrier_wait_on (which, phase, last);
}

static inline bool __attribute__ ((always_inline))
wait (struct accel_thread *self, unsigned which)
{
  (void) self;			/* what it finds by itself is near */
  return meet (accel_self ()->num_threads, which);
}

#else

static bool
wait (struct accel_thread *self, unsigned which)
{
  struct accel_team *team = self->team;
  unsigned n = self->num_threads;
  unsigned phase = 0;
  bool last = true;

  machine_fence_block ();	/* what the thread did is seen by those behind the barrier */
  if (n > 1)
    {
      phase = machine_load32 (&team->xphase[which]);
      last = machine_shared_add32 (&team->xarrived[which], 1) == n - 1;
      if (last)
	machine_fence_block ();	/* what the others did, xtasks too, is read after it */
    }
  return wait_on (self, team, n, which, phase, last);
}

#endif

void
accel_barrier_long (struct accel_thread *self)
{
  if (accel_block ()->tasking)
    wait (self, INSIDE);
}

void
accel_barrier_end_long (struct accel_thread *self)
{
  if (accel_block ()->tasking)
    {
      wait (self, END);
      if (self->implicit)
	accel_task_leave (self);
    }
}

bool
accel_barrier_cancel (struct accel_thread *self)
{
  if (self->plain)
    machine_barrier (ACCEL_BARRIER_TEAM, self->plain);
  else if (accel_block ()->tasking)
    return wait (self, INSIDE);
  return false;
}

#ifndef MACHINE_COPIES
void
accel_children_keep (struct accel_thread *self, bool back)
{
  struct accel_block *block = accel_block ();
  if (back)
    accel_children_restore (self, &block->saved.children);
  else
    accel_children_save (self, &block->saved.children);
}
#endif

#ifdef MACHINE_TEXT
/* GOMP_barrier itself is in assembly.  */
extern void accel_barrier_all (void);
extern void accel_barrier_on (unsigned, unsigned);

/* GOMP_barrier goes on here: in a team of one thread.  */
void
accel_barrier_all (void)
{
  accel_barrier (accel_self ());
}

/* When it has counted the thread as come to a barrier in phase PHASE.  */
void
accel_barrier_on (unsigned phase, unsigned last)
{
  struct accel_thread *self = accel_self ();
  wait_on (self, self->team, self->num_threads, INSIDE, phase, last);
}
#else
/* What GOMP_barrier does when it is not the hardware's.  0: nothing is left to do.  Not static, as GOMP_barrier may stand
   in the program's text (plugin/nvptx-inline.c).  */
unsigned __attribute__ ((noipa))
accel_barrier_other (void)
{
  struct accel_thread *self = accel_self ();
  meet (self->num_threads, INSIDE);
  return 0;
}

/* The hardware's barrier comes last, behind the call: what the frame for that costs is restored while threads wait, so a
   kernel without tasks pays next to nothing for those of others.  */
void
GOMP_barrier (void)
{
  unsigned plain = accel_self_field (plain);
  if (plain == 0)
    plain = accel_barrier_other ();
  __asm__ volatile ("" : "+r" (plain));	/* one way for both */
  if (plain)
    machine_barrier (ACCEL_BARRIER_TEAM, plain);
}
#endif

bool
GOMP_barrier_cancel (void)
{
  return accel_barrier_cancel (accel_self ());
}

#pragma omp end declare target
