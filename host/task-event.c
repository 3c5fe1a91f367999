/* task-event.c -- events of detached tasks (the detach clause, omp_fulfill_event).

   A handle must stay harmless when its task is gone, since programs fulfil twice by mistake.  So it
   is no pointer but a number: which event of the table, and the how-manieth use of it.  Events
   are in segments that are never freed, so a look at a wrong handle's event reads no freed
   memory.

   Invariants
   1. xstate of an event: use number << 2 | state.  A use begins with PENDING; from there fulfilment and
      the end of the body each move it on, by compare-and-swap; the second one of the two
      completes the task.
   2. task and undeferred are written before the use begins and constant while it lasts; waiter
      is written before ENDED.
   3. The lock protects the segments' number, the list of free events, and next of those in it.  */

#include "host/abi.h"
#include "host/ompt.h"
#include "host/task.h"

enum
{
  FREE,
  PENDING,			/* the body has not ended */
  FULFILLED,			/* and the body has not ended */
  ENDED				/* the body has ended; not fulfilled */
};
#define STATE(word) ((word) & 3)
#define NEXT_USE 4

struct gomp_event
{
  _Atomic (uint64_t) xstate;
  struct gomp_task *task;
  struct gomp_children *waiter;	/* undeferred: its thread waits for this counter */
  bool undeferred;
  struct gomp_event *next;
  uint64_t index;
};

/* Segment I has FIRST_SEGMENT << I events.  */
#define FIRST_SEGMENT 64
#define SEGMENTS 24
#define INDEX_BITS 30

static gomp_mutex_t lock;
static unsigned segments;
static _Atomic (struct gomp_event *) xsegments[SEGMENTS];
static struct gomp_event *free_events;

/* One more segment, if there are still NUM.  Without the lock: a failure ends the process, whose exit handlers may
   create detached tasks.  */
static void
add_segment (unsigned num)
{
  if (num == SEGMENTS)
    gomp_fatal ("too many detached tasks");
  uint64_t n = (uint64_t) FIRST_SEGMENT << num;
  struct gomp_event *events = gomp_calloc (n, sizeof (*events));

  gomp_mutex_lock (&lock);
  if (segments == num)
    {
      for (uint64_t i = n; i-- > 0; )
	{
	  events[i].index = n - FIRST_SEGMENT + i;
	  events[i].next = free_events;
	  free_events = &events[i];
	}
      /* Release: the events.  */
      gomp_store_release (&xsegments[segments++], events);
      events = NULL;
    }
  gomp_mutex_unlock (&lock);
  free (events);
}

/* The event of HANDLE, and what its xstate was but for the state; NULL: there is none.  */
static struct gomp_event *
find (uintptr_t handle, uint64_t *use)
{
  uint64_t place = (handle >> 3 & ((UINT64_C (1) << INDEX_BITS) - 1)) + FIRST_SEGMENT;
  unsigned segment = 63 - __builtin_clzll (place) - __builtin_ctz (FIRST_SEGMENT);
  if ((handle & 7) != 0 || segment >= SEGMENTS)
    return NULL;
  /* Acquire: the events.  */
  struct gomp_event *events = gomp_load_acquire (&xsegments[segment]);
  *use = (uint64_t) handle >> (INDEX_BITS + 3);
  return events != NULL ? &events[place - ((uint64_t) FIRST_SEGMENT << segment)] : NULL;
}

/* Handles have fewer bits for the use than xstate.  */
#define USE_MASK ((UINT64_C (1) << (64 - INDEX_BITS - 3)) - 1)

uintptr_t
gomp_event_new (struct gomp_task *task)
{
  struct gomp_event *event;

  gomp_mutex_lock (&lock);
  while ((event = free_events) == NULL)
    {
      unsigned num = segments;
      gomp_mutex_unlock (&lock);
      add_segment (num);
      gomp_mutex_lock (&lock);
    }
  free_events = event->next;
  gomp_mutex_unlock (&lock);

  event->task = task;
  event->undeferred = task->kind == GOMP_TASK_UNDEFERRED;
  task->event = event;
  uint64_t use = (gomp_load_relaxed (&event->xstate) >> 2) + 1;	/* nobody else changes it */
  if ((use & USE_MASK) == 0)
    use++;			/* no handle is zero */
  /* Release: the task, for whoever has the handle.  */
  gomp_store_release (&event->xstate, use << 2 | PENDING);
  return (uintptr_t) ((use & USE_MASK) << (INDEX_BITS + 3) | event->index << 3);
}

bool
gomp_event_fulfilled (const struct gomp_task *task)
{
  /* Acquire: what was done before it was fulfilled.  */
  return STATE (gomp_load_acquire (&task->event->xstate)) == FULFILLED;
}

static bool
body_ended (struct gomp_event *event, struct gomp_children *waiter)
{
  uint64_t seen = gomp_load_acquire (&event->xstate);	/* when FULFILLED: what was done before */

  event->waiter = waiter;
  /* Release: what the body did, for who fulfils; acquire: as above.  */
  while (STATE (seen) == PENDING)
    if (gomp_cas_acq_rel (&event->xstate, &seen, (seen & ~UINT64_C (3)) | ENDED))
      return false;
  return true;
}

static void
put_back (struct gomp_event *event)
{
  /* Relaxed: says only that no use goes on.  The number stays.  */
  gomp_store_relaxed (&event->xstate, gomp_load_relaxed (&event->xstate) & ~UINT64_C (3));
  gomp_mutex_lock (&lock);
  event->next = free_events;
  free_events = event;
  gomp_mutex_unlock (&lock);
}

void
gomp_event_drop (struct gomp_task *task)
{
  put_back (task->event);
  task->event = NULL;
}

/* Who waits for the event of a discarded task: nobody.  */
static struct gomp_children discarded;

void
gomp_event_discard (struct gomp_task *task)
{
  struct gomp_event *event = task->event;
  task->event = NULL;
  if (body_ended (event, &discarded))
    put_back (event);
}

bool
gomp_event_body_ended (struct gomp_task *task, struct gomp_children *waiter)
{
  return body_ended (task->event, waiter);
}

GOMP_EXPORT void
omp_fulfill_event (uintptr_t handle)
{
  uint64_t use = 0, seen = 0;
  struct gomp_event *event = find (handle, &use);

  if (event != NULL)
    seen = gomp_load_acquire (&event->xstate);	/* the task */
  while (event != NULL && ((seen >> 2) & USE_MASK) == use && STATE (seen) != FREE)
    {
      if (STATE (seen) == FULFILLED)
	{
	  if (event->undeferred)
	    gomp_fatal ("omp_fulfill_event: %p event already fulfilled!\n", (void *) handle);
	  break;
	}
      /* Release: what was done before; acquire: what the body did, and again the task.  */
      uint64_t old = seen;
      if (gomp_cas_acq_rel (&event->xstate, &seen, (old & ~UINT64_C (3)) | FULFILLED))
	{
	  if (STATE (old) != ENDED)
	    return;
	  if (event->waiter == &discarded)
	    {
	      put_back (event);
	      return;
	    }
	  struct gomp_task *task = event->task;
	  struct gomp_children *waiter = event->undeferred ? event->waiter : NULL;
	  struct gomp_thread *thr = gomp_self ();
	  if (gomp_ompt_on ())
	    gomp_ompt_task_fulfilled (task);
	  gomp_task_fulfilled (thr, task, waiter);
	  return;
	}
    }
  gomp_fatal ("omp_fulfill_event: %p event is invalid or has already been fulfilled!\n",
	      (void *) handle);
}

GOMP_EXPORT void
omp_fulfill_event_ (uintptr_t handle)
{
  omp_fulfill_event (handle);
}

void
gomp_events_lock (void)
{
  gomp_mutex_lock (&lock);
}

void
gomp_events_unlock (void)
{
  gomp_mutex_unlock (&lock);
}
