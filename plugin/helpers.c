/* helpers.c -- calls of device code to the host: who looks for them, and when.

   Part of each plugin of GPUs.  Requests lie in slots (slots.c), or in a form of the compiler's device library that
   the plugin knows (ops).  Nothing on the device can wake a thread of the host.

   Who looks: threads that wait for a queue that has a kernel which may call, and helper threads of the
   core, in plugin_helpers_wait.  A helper sleeps until such a kernel is launched, then looks now
   and then, more seldom the longer nobody calls and while somebody else looks anyway, and again at short
   intervals after it has served.  Programs that do not require reverse offload have none of this.

   Invariants
   1. A device thread that has called does not leave before the answer, so a kernel that has ended
      has no request: nobody looks once more afterwards.
   2. A thread that waits for a kernel serves no call of another one, whose function may wait for what the thread does
      next.  No call tells its kernel; so the thread serves while no other kernel runs that may call, and else leaves all to
      helpers.  If the core has no more of those it serves whatever comes.

   Locks: lock, a leaf.  Called by the plugin's reverse file and queue file.  */

#include "helpers.h"
#include "clock.h"
#include "patience.h"

#include <errno.h>

enum
{
  SPIN_NS = 30000,		/* a helper polls so long after it has served; ... */
  SPIN_ALONE_NS = 1000000,	/* ... while those who wait leave everything to helpers, if it may poll so long */
  FIRST_NAP_NS = 20000,
  LAST_NAP_NS = 1000000,
  STUCK_NS = 10000,		/* a request that is not taken for so long needs a helper, if it is not only its turn that it waits for */
  REQUESTS_PER_SERVER = 16,	/* more of them need one as well, if the core takes so long for each: */
  LONG_NS = 400,		/* nothing takes 60 to 180 when one thread serves, and 230 to 360, mostly, when several do: doc/performance.md */
  TELL_NS = 20000		/* who leaves a request to helpers ends a nap so often */
};

/* Requests that the calling thread serves, one inside of another.  */
static __thread unsigned serving;
/* When the calling thread, a helper, last served.  */
static __thread uint64_t served_at;
/* The calling thread is in plugin_helpers_wait, or served from there.  */
static __thread bool helps;
/* The same thread is one of xservers, and, as a helper, has found a reason for that.  */
static __thread bool joined, needed;

bool
plugin_helpers_serving (void)
{
  return serving != 0;
}

void
plugin_helpers_open (struct plugin_helpers *h, struct gomp_plugin_device *dev,
		     const struct gomp_plugin_core *core, void *core_device, struct plugin_slots *slots,
		     const struct plugin_helpers_ops *ops)
{
  h->dev = dev;
  h->core = core;
  h->core_device = core_device;
  h->slots = slots;
  h->ops = ops;
  atomic_init (&h->xlooks, 0);
  atomic_init (&h->xservers, 0);
  atomic_init (&h->xlength, 0);
  atomic_init (&h->xlaunches, 0);
  atomic_init (&h->xleaving, 0);
  atomic_init (&h->xsleepers, 0);
  atomic_init (&h->xnapping, 0);
  h->wakes = 0;
  pthread_mutex_init (&h->lock, NULL);
  pthread_condattr_t monotonic;
  pthread_condattr_init (&monotonic);
  pthread_condattr_setclock (&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init (&h->wake, NULL);
  pthread_cond_init (&h->look, &monotonic);
  pthread_condattr_destroy (&monotonic);
}

void
plugin_helpers_close (struct plugin_helpers *h)
{
  pthread_cond_destroy (&h->look);
  pthread_cond_destroy (&h->wake);
  pthread_mutex_destroy (&h->lock);
}

/* ---- serving ---- */

static void
set_serves (struct plugin_helpers *h, struct plugin_waiter *w, bool serves)
{
  if (serves == w->serves)
    return;
  /* Relaxed: hints.  */
  atomic_fetch_add_explicit (&h->xservers, serves ? 1 : -1u, memory_order_relaxed);
  atomic_fetch_add_explicit (&h->xleaving, serves ? -1u : 1, memory_order_relaxed);
  w->serves = serves;
}

bool
plugin_helpers_may (struct plugin_helpers *h, struct plugin_waiter *w)
{
  if (w == NULL)
    return true;
  /* Acquire: what a launch says before it counts, and it does both before its kernel runs and calls.  */
  unsigned launches = atomic_load_explicit (&h->xlaunches, memory_order_acquire);
  if (!w->serves || launches != w->launches)
    set_serves (h, w, !h->ops->others (h->dev, w->queue));
  w->launches = launches;
  return w->serves;
}

void
plugin_helpers_begin (struct plugin_helpers *h, struct plugin_waiter *w, const void *queue)
{
  *w = (struct plugin_waiter) { .queue = queue, .begun = true };
  atomic_fetch_add_explicit (&h->xleaving, 1, memory_order_relaxed);
  plugin_helpers_may (h, w);
}

void
plugin_helpers_end (struct plugin_helpers *h, struct plugin_waiter *w)
{
  set_serves (h, w, false);
  atomic_fetch_sub_explicit (&h->xleaving, 1, memory_order_relaxed);
}

/* The thread of W leaves a request to a helper, which may be napping.  */
static void
leave (struct plugin_helpers *h, struct plugin_waiter *w)
{
  uint64_t now = plugin_now ();
  /* Relaxed: the thread comes again.  */
  if (now - w->told < TELL_NS || atomic_load_explicit (&h->xnapping, memory_order_relaxed) == 0)
    return;
  w->told = now;
  pthread_mutex_lock (&h->lock);
  pthread_cond_signal (&h->look);
  pthread_mutex_unlock (&h->lock);
}

/* Do requests take so long that another thread is worth it?  */
static bool
are_long (struct plugin_helpers *h)
{
  return atomic_load_explicit (&h->xlength, memory_order_relaxed) >= LONG_NS;	/* relaxed: a hint */
}

/* Many requests are served fastest by a few threads, and one by one: helpers join only if there are
   more than those who serve can do.  Short ones are served by one thread: it takes another one longer to get the lines of
   the cache that all servers write than to do what is asked for.  What is long is told by what the core takes, which
   depends less on how many serve than LONG_NS leaves room for.  */
static bool
worth_joining (struct plugin_helpers *h, unsigned requests)
{
  unsigned servers = atomic_load_explicit (&h->xservers, memory_order_relaxed) - joined;
  return (servers == 0 ? requests > 0
	  : requests > REQUESTS_PER_SERVER * servers && are_long (h));
}

/* Serve requests from slots, of which there are REQUESTS; for W, unless NULL, as long as nothing else is launched: then it has
   to find out again whether it may.  */
static bool
serve_slots (struct plugin_helpers *h, unsigned requests, const struct plugin_waiter *w)
{
  const _Atomic unsigned *launches = w != NULL ? &h->xlaunches : NULL;
  unsigned seen = w != NULL ? w->launches : 0;
  if (requests <= REQUESTS_PER_SERVER)
    return plugin_slots_serve (h->slots, requests, launches, seen, NULL) != 0;
  uint64_t length = 0;
  unsigned served = plugin_slots_serve (h->slots, requests, launches, seen, &length);
  if (served != 0)
    {
      /* Relaxed: a hint.  No single one makes the mean long, as one of a thread that had to wait for a processor.  */
      unsigned mean = atomic_load_explicit (&h->xlength, memory_order_relaxed);
      unsigned counts = length < 2 * LONG_NS ? (unsigned) length : 2 * LONG_NS;
      atomic_store_explicit (&h->xlength, mean - mean / 4 + counts / 4, memory_order_relaxed);
    }
  return served != 0;
}

bool
plugin_helpers_poll (struct plugin_helpers *h, struct plugin_waiter *w)
{
  if (h->ops->is_lost (h->dev))
    return false;
  unsigned requests = plugin_slots_pending (h->slots);
  bool slots = requests != 0 && (!helps || needed || worth_joining (h, requests));
  int i = slots ? -1 : h->ops->find (h->dev);
  if (!slots && i < 0)
    {
      /* Relaxed: a hint, that may miss some.  */
      if (!helps && (w == NULL || w->serves))
	atomic_store_explicit (&h->xlooks,
			       atomic_load_explicit (&h->xlooks, memory_order_relaxed) + 1,
			       memory_order_relaxed);
      return false;
    }
  bool others = !plugin_helpers_may (h, w);
  if (!h->core->reverse_wanted (h->core_device, others))
    {
      if (others)
	leave (h, w);
      return false;
    }
  if (others)
    w = NULL;

  int saved = errno;
  bool helped = helps;
  /* The function may wait for something itself.  */
  helps = false;
  serving++;
  needed = false;
  bool served = slots ? serve_slots (h, requests, w) : h->ops->serve (h->dev, i, w);
  serving--;
  helps = helped;
  if (helps && served)
    served_at = plugin_now ();
  errno = saved;
  return served;
}

/* ---- helpers ---- */

/* Sleep for NS, or until a request is left to this thread, or somebody wants it back.  */
static void
nap (struct plugin_helpers *h, uint64_t ns, unsigned seen)
{
  uint64_t end = plugin_now () + ns;
  const struct timespec until = { .tv_sec = (time_t) (end / 1000000000u), .tv_nsec = (long) (end % 1000000000u) };
  pthread_mutex_lock (&h->lock);
  /* Relaxed: see leave.  */
  atomic_fetch_add_explicit (&h->xnapping, 1, memory_order_relaxed);
  if (h->wakes == seen)
    pthread_cond_timedwait (&h->look, &h->lock, &until);
  atomic_fetch_sub_explicit (&h->xnapping, 1, memory_order_relaxed);
  pthread_mutex_unlock (&h->lock);
}

void
plugin_helpers_launching (struct plugin_helpers *h)
{
  /* Release: see plugin_helpers_may.  */
  atomic_fetch_add_explicit (&h->xlaunches, 1, memory_order_release);
}

void
plugin_helpers_launched (struct plugin_helpers *h)
{
  /* Acquire and release, by changing the word: either this thread sees who goes to sleep, or that one, which
     changes the word and then looks at the queues, sees what they say of the kernel.  */
  if (atomic_fetch_add_explicit (&h->xsleepers, 0, memory_order_acq_rel) != 0)
    {
      pthread_mutex_lock (&h->lock);
      pthread_cond_broadcast (&h->wake);
      pthread_mutex_unlock (&h->lock);
    }
}

/* Sleep until a kernel that may call the host is there, or somebody wants this thread back.  */
static void
sleep_until_launch (struct plugin_helpers *h, unsigned seen)
{
  pthread_mutex_lock (&h->lock);
  /* See plugin_helpers_launched.  */
  atomic_fetch_add_explicit (&h->xsleepers, 1, memory_order_acq_rel);
  while (h->wakes == seen && !h->ops->is_lost (h->dev) && !h->ops->may_call (h->dev))
    pthread_cond_wait (&h->wake, &h->lock);
  atomic_fetch_sub_explicit (&h->xsleepers, 1, memory_order_relaxed);
  pthread_mutex_unlock (&h->lock);
}

/* The calling thread, a helper, is one of xservers from now on, or no longer.  */
static void
join (struct plugin_helpers *h, bool now)
{
  if (joined != now)		/* relaxed: a hint */
    atomic_fetch_add_explicit (&h->xservers, now ? 1 : -1u, memory_order_relaxed);
  joined = now;
}

/* How long to poll for the next request: as a thread does that waits, if none of those may serve.  */
static uint64_t
spin_time (struct plugin_helpers *h)
{
  /* Relaxed: hints.  */
  unsigned leaving = atomic_load_explicit (&h->xleaving, memory_order_relaxed);
  if (leaving == 0 || atomic_load_explicit (&h->xservers, memory_order_relaxed) != 0)
    return SPIN_NS;
  uint64_t most = plugin_patience (leaving + 1);
  return most < SPIN_NS ? SPIN_NS : most < SPIN_ALONE_NS ? most : SPIN_ALONE_NS;
}

/* After how many nanoseconds one of so many requests is stuck.  Short ones may wait for all others, one by one: else helpers come
   when many are served by one thread as fast as they can be, and make it slower.  */
static uint64_t
stuck_time (struct plugin_helpers *h, unsigned requests)
{
  return STUCK_NS + (are_long (h) ? 0 : (uint64_t) requests * LONG_NS);
}

/* Are there requests that want another thread?  *FIRST is the first one that was seen, *SINCE when.  */
static bool
needs_helper (struct plugin_helpers *h, uint32_t *first, uint64_t *since)
{
  unsigned requests = plugin_slots_pending (h->slots);
  if (requests == 0)
    {
      *first = UINT32_MAX;
      return false;
    }
  if (worth_joining (h, requests))
    return true;
  uint32_t now = plugin_slots_first (h->slots);
  if (now != *first)
    {
      *first = now;
      *since = plugin_now ();
    }
  else if (now != UINT32_MAX && plugin_now () - *since >= stuck_time (h, requests))
    needed = true;
  return needed;
}

gomp_status_t
plugin_helpers_wait (struct plugin_helpers *h)
{
  uint64_t length = FIRST_NAP_NS, since = 0;
  uint32_t first = UINT32_MAX;

  if (h->ops->is_lost (h->dev))
    return GOMP_DEVICE_LOST;
  helps = true;
  join (h, false);
  pthread_mutex_lock (&h->lock);
  unsigned seen = h->wakes;
  pthread_mutex_unlock (&h->lock);
  /* Relaxed: a hint.  */
  unsigned looks = atomic_load_explicit (&h->xlooks, memory_order_relaxed);
  while (!h->ops->is_lost (h->dev))
    {
      if (h->ops->find (h->dev) >= 0 || needs_helper (h, &first, &since))
	{
	  join (h, true);
	  return GOMP_OK;
	}
      if (!h->ops->may_call (h->dev))
	{
	  sleep_until_launch (h, seen);
	  length = FIRST_NAP_NS;
	}
      else if (served_at != 0 && plugin_now () - served_at < spin_time (h))
	{
	  for (int i = 0; i < 20; i++)
	    __builtin_ia32_pause ();
	}
      else
	{
	  nap (h, first != UINT32_MAX ? STUCK_NS : length, seen);
	  unsigned now = atomic_load_explicit (&h->xlooks, memory_order_relaxed);
	  length = now != looks || length * 2 > LAST_NAP_NS ? LAST_NAP_NS : length * 2;
	  looks = now;
	}
      pthread_mutex_lock (&h->lock);
      bool woken = h->wakes != seen;
      pthread_mutex_unlock (&h->lock);
      if (woken)
	return GOMP_OK;
    }
  return GOMP_DEVICE_LOST;
}

void
plugin_helpers_wake (struct plugin_helpers *h)
{
  pthread_mutex_lock (&h->lock);
  h->wakes++;
  pthread_cond_broadcast (&h->wake);
  pthread_cond_broadcast (&h->look);
  pthread_mutex_unlock (&h->lock);
}
