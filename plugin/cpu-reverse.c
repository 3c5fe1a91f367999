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

#include "plugin/cpu-device.h"

/* The calling thread, a helper, has slept, and not served since.  */
static __thread bool woken;

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

  if (woken)
    {
      woken = false;
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
  sched_yield ();
}

bool
gomp_cpu_reverse_serve (struct gomp_plugin_device *dev, unsigned number)
{
  if (gomp_cpu_lost (dev) || !gomp_cpu_bells_ring (dev->bells))
    return false;
  bool others = number != 0 && gomp_cpu_others_run (dev, number);
  int saved = errno;
  uint32_t i = GOMP_REVERSE_NONE;
  if (gomp_cpu_core->reverse_wanted (dev->core_device, others))
    i = gomp_reverse_take (dev->bells->area, &dev->bells->taken, GOMP_CPU_CALLS, 0);
  else if (others)
    leave (dev);
  /* A region that has begun since may have called.  */
  if (i != GOMP_REVERSE_NONE && number != 0 && !others && gomp_cpu_others_run (dev, number)
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
  syscall (SYS_futex_waitv, both, 2, 0, NULL, CLOCK_MONOTONIC);
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
    return GOMP_OK;
  /* Sequentially consistent with the bell of a caller, who looks at xhelpers afterwards.  */
  atomic_fetch_add_explicit (&area->xhelpers, 1, memory_order_seq_cst);
  if (!gomp_cpu_bells_ring (dev->bells))
    {
      sleep_on_help (dev, seen);
      woken = true;
    }
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
