/* cpu-reverse.c -- what regions on a cpu device ask of the host: the host's side.

   A thread of the worker puts a request into the area and rings its bell (cpu-call.c).  It is
   taken by whoever is there:
     - a thread that waits for a queue (gomp_cpu_wait_slot): it looks at the bells while it
       polls, and says in xwaiters that it wants to be woken when it sleeps;
     - a thread of the core that came here to help (gomp_cpu_reverse_wait).  It sleeps on another
       word, which a caller touches only when nobody has taken its request for a while, so that
       one caller and one waiting thread need no system call at all;
     - anybody in gomp_cpu_reverse_poll.

   Invariants
   1. A wake-up call is meant for one thread and one request, and must not be lost with either.
      Whoever leaves a sleep that xrung could have ended and is not going to serve wakes the next
      waiter if bells ring.  A helper that was woken may have been woken for another request than the
      one it finds: it wakes the next helper if bells still ring.
   2. A thread that waits for a queue serves no call of another one's region, whose function may wait for what the thread does
      next.  No request tells its region; so the thread serves while the worker has nothing to do for other queues, and else
      sees to it that a helper comes, which may sleep.  If the core has no more of those it serves whatever comes.
   3. The host takes functions only from the tables of loaded images: what the worker wrote into a
      slot is looked up, never called.  */

#define _GNU_SOURCE 1
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugin/cpu-device.h"
#include "plugin/thread-own.h"

struct gomp_cpu_bells *
gomp_cpu_bells_new (struct gomp_cpu_shared *shared)
{
  struct gomp_cpu_bells *bells = aligned_alloc (_Alignof (struct gomp_cpu_bells), sizeof (*bells));
  if (bells != NULL)
    {
      memset (bells, 0, sizeof (*bells));
      bells->area = gomp_cpu_calls (shared);
    }
  return bells;
}

gomp_status_t
gomp_cpu_reverse_enable (struct gomp_plugin_device *dev)
{
  /* The area is there from the start: unused it costs nothing.  */
  return gomp_cpu_lost (dev) ? gomp_cpu_say_lost (dev) : GOMP_OK;
}

/* A helper may sleep, and there is something to do for it.  */
static void
wake_helper (struct gomp_plugin_device *dev)
{
  struct gomp_reverse_area *area = dev->bells->area;
  /* Sequentially consistent with who goes to sleep.  */
  if (gomp_cpu_bells_ring (dev->bells) && atomic_load_explicit (&area->xhelpers, memory_order_seq_cst) != 0)
    {
      atomic_fetch_add_explicit (&area->xhelp, 1, memory_order_seq_cst);
      gomp_cpu_futex_wake_one (&area->xhelp);
    }
}

/* Serve the request in slot I, which this thread has taken.  */
static void
serve (struct gomp_plugin_device *dev, uint32_t i)
{
  struct gomp_reverse_slot *slot = &dev->bells->area->slots[i];
  struct gomp_plugin_image *image = NULL;
  size_t index = 0;
  uint64_t function = slot->function;

  struct gomp_own *own = gomp_own ();
  own->vain = 0;
  if (own->woken)
    {
      own->woken = false;
      wake_helper (dev);	/* invariant 1 */
    }
  gomp_cpu_order (dev);
  pthread_mutex_lock (&dev->lock);
  if (!gomp_cpu_find_called (dev, function, &image, &index))
    image = NULL;
  pthread_mutex_unlock (&dev->lock);
  /* The thread is busy now, as far as those are concerned who think of polling.  */
  atomic_fetch_add_explicit (&dev->shared->xbusy, 1, memory_order_relaxed);
  enum gomp_reverse_status status
    = gomp_cpu_core->reverse_serve (dev->core_device, image, index, slot);
  gomp_cpu_order (dev);
  if (gomp_cpu_lost (dev))
    return;			/* its memory may not be mapped any more */
  atomic_fetch_sub_explicit (&dev->shared->xbusy, 1, memory_order_relaxed);
  gomp_reverse_answer (slot, status);
  /* Sequentially consistent with the caller's store to xsleeps.  */
  if (atomic_load_explicit (&slot->xsleeps, memory_order_seq_cst) != 0)
    gomp_cpu_futex_wake (&slot->xstate);
}

/* A request rings that may not be served here: invariant 2.  */
static void
leave (struct gomp_plugin_device *dev)
{
  wake_helper (dev);
  /* The helper may need this processor.  */
  if (gomp_cpu_startup.passive)
    {
      const struct timespec moment = { .tv_nsec = 1 };
      nanosleep (&moment, NULL);
    }
  else
    sched_yield ();
}

/* Has the worker something to do for a queue but that of slot NUMBER?  */
static bool
others_run (struct gomp_plugin_device *dev, unsigned number)
{
  /* Acquire: the queues.  */
  unsigned n = atomic_load_explicit (&dev->xnum_queues, memory_order_acquire);
  for (unsigned i = 1; i <= n; i++)
    {
      struct gomp_cpu_slot *slot = gomp_cpu_slot_at (dev->shared, i);
      /* Relaxed: who has seen a request sees that its region was put there, and that is not done.  */
      if (i != number && atomic_load_explicit (&slot->xdone, memory_order_relaxed)
			 != atomic_load_explicit (&slot->xhead, memory_order_relaxed))
	return true;
    }
  return false;
}

bool
gomp_cpu_reverse_serve (struct gomp_plugin_device *dev, unsigned number)
{
  if (gomp_cpu_lost (dev) || !gomp_cpu_bells_ring (dev->bells))
    return false;
  bool others = number != 0 && others_run (dev, number);
  int saved = errno;
  uint32_t i = GOMP_REVERSE_NONE;
  if (gomp_cpu_core->reverse_wanted (dev->core_device, others))
    i = gomp_reverse_take (dev->bells->area, &dev->bells->taken, GOMP_CPU_CALLS, 0);
  else if (others)
    leave (dev);
  /* A region that has begun since may have called.  */
  if (i != GOMP_REVERSE_NONE && number != 0 && !others && others_run (dev, number)
      && !gomp_cpu_core->reverse_wanted (dev->core_device, true))
    {
      gomp_reverse_leave (dev->bells->area, &dev->bells->taken, i);
      leave (dev);
      i = GOMP_REVERSE_NONE;
    }
  if (i != GOMP_REVERSE_NONE)
    serve (dev, i);
  errno = saved;
  return i != GOMP_REVERSE_NONE;
}

bool
gomp_cpu_reverse_poll (struct gomp_plugin_device *dev)
{
  return gomp_cpu_reverse_serve (dev, 0);
}

void
gomp_cpu_reverse_pass_on (struct gomp_plugin_device *dev)
{
  struct gomp_reverse_area *area = dev->bells->area;
  /* Sequentially consistent with who goes to sleep.  */
  if (gomp_cpu_bells_ring (dev->bells)
      && atomic_load_explicit (&area->xwaiters, memory_order_seq_cst) != 0)
    {
      atomic_fetch_add_explicit (&area->xrung, 1, memory_order_seq_cst);
      gomp_cpu_futex_wake_one (&area->xrung);
    }
}

/* Sleep until somebody wants a helper; about a second at most.  */
static void
sleep_on_help (struct gomp_plugin_device *dev, uint32_t seen)
{
  struct gomp_reverse_area *area = dev->bells->area;
  uint32_t life = atomic_load_explicit (&dev->shared->xlife, memory_order_relaxed);
  if ((life & FUTEX_OWNER_DIED) != 0)
    return;
  if (!dev->have_waitv)
    {
      const struct timespec second = { .tv_sec = 1 };
      gomp_cpu_futex_wait (&area->xhelp, seen, &second);
      return;
    }
  struct futex_waitv both[2] =
    {
      { .val = seen, .uaddr = (uintptr_t) &area->xhelp, .flags = FUTEX_32 },
      { .val = life, .uaddr = (uintptr_t) &dev->shared->xlife, .flags = FUTEX_32 }
    };
  struct timespec end;
  clock_gettime (CLOCK_MONOTONIC, &end);
  end.tv_sec += 1;
  syscall (SYS_futex_waitv, both, 2, 0, &end, CLOCK_MONOTONIC);
}

/* A request waits for somebody to take it.  */
static bool
is_posted (struct gomp_plugin_device *dev)
{
  struct gomp_reverse_area *area = dev->bells->area;
  /* Relaxed: nothing is read of them.  */
  for (unsigned i = 0; i < GOMP_CPU_CALLS; i++)
    if (GOMP_REVERSE_LOAD (&area->u.xbell[i])
	!= atomic_load_explicit (&dev->bells->taken.u.xtaken[i], memory_order_relaxed)
	&& GOMP_REVERSE_LOAD (&area->slots[i].xstate) == GOMP_REVERSE_POSTED)
      return true;
  return false;
}

/* A bell rings and the caller may serve nothing, for the *TIMES-th time in a row: wait for a moment.
   Somebody else has taken the request, or will.  A bell that rings for seconds without any request
   was written over: false, the device is lost.  */
static bool
in_vain (struct gomp_plugin_device *dev, unsigned *times)
{
  enum { PAUSES = 10000, NAPS = 3000 };
  if (++*times < PAUSES)
    {
      gomp_cpu_pause ();
      return true;
    }
  const struct timespec moment = { .tv_nsec = 1000000 };
  nanosleep (&moment, NULL);
  if (gomp_cpu_lost (dev))
    return false;
  if (is_posted (dev))
    *times = PAUSES;
  else if (*times > PAUSES + NAPS)
    {
      gomp_cpu_lose_damaged (dev);
      return false;
    }
  return true;
}

void
gomp_cpu_answer_bell (struct gomp_plugin_device *dev, unsigned number,
		      struct gomp_cpu_bells **bells, unsigned *times)
{
  bool served = gomp_cpu_reverse_serve (dev, number);
  if (served)
    *times = 0;
  if (served || gomp_cpu_lost (dev))
    return;
  if (gomp_cpu_core->reverse_wanted (dev->core_device, false))
    in_vain (dev, times);
  else
    *bells = NULL;
}

gomp_status_t
gomp_cpu_reverse_wait (struct gomp_plugin_device *dev)
{
  struct gomp_reverse_area *area = dev->bells->area;
  _Atomic (uint32_t) here = 0, elsewhere = 0;
  bool same_cpu;

  if (gomp_cpu_lost (dev))
    return GOMP_DEVICE_LOST;
  /* Acquire: nothing, a number to compare with.  */
  uint32_t seen = atomic_load_explicit (&area->xhelp, memory_order_acquire);
  if (gomp_cpu_poll (dev->shared, &area->xhelp, seen, &here, &elsewhere, dev->bells, &same_cpu))
    {
      if (gomp_cpu_bells_ring (dev->bells))
	return in_vain (dev, &gomp_own ()->vain) ? GOMP_OK : GOMP_DEVICE_LOST;
      return GOMP_OK;
    }
  /* Sequentially consistent with the bell of a caller, who looks at xhelpers afterwards.  */
  atomic_fetch_add_explicit (&area->xhelpers, 1, memory_order_seq_cst);
  if (!gomp_cpu_bells_ring (dev->bells))
    {
      sleep_on_help (dev, seen);
      gomp_own ()->woken = true;
      gomp_own ()->vain = 0;
    }
  else if (!in_vain (dev, &gomp_own ()->vain))
    return GOMP_DEVICE_LOST;
  if (!gomp_cpu_lost (dev))
    atomic_fetch_sub_explicit (&area->xhelpers, 1, memory_order_relaxed);
  return gomp_cpu_lost (dev) || gomp_cpu_is_dead (dev->shared) ? GOMP_DEVICE_LOST : GOMP_OK;
}

void
gomp_cpu_reverse_wake (struct gomp_plugin_device *dev)
{
  struct gomp_reverse_area *area = dev->bells->area;
  if (gomp_cpu_lost (dev))
    return;
  /* Sequentially consistent: whoever looked at the word before does not sleep on it.  */
  atomic_fetch_add_explicit (&area->xhelp, 1, memory_order_seq_cst);
  gomp_cpu_futex_wake (&area->xhelp);
}
