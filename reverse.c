/* reverse.c -- reverse offload: finding the function, and the threads that serve.

   reverse.h tells who serves when.  The threads of a device:

     none --first request, gomp_reverse_expect--> idle --request--> serving --done--> idle
					            '--device lost, gomp_reverse_stop--> gone

   Invariants
   1. xidle counts helpers that wait for requests or are about to; a helper that takes a request
      is not idle, and whoever serves sees to it that another one is.
   2. Queues for transfers belong to this file and never get a kernel: a transfer of a request
      must not wait behind the region that waits for the request.
   3. A helper blocks all signals: they are for the program's own threads.  */

#include "libgomp.h"
#include "host/icv.h"
#include "image.h"
#include "plugin/reverse-proto.h"
#include "reverse.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#define MOST_HELPERS 16

struct gomp_reverse
{
  gomp_mutex_t lock;		/* GOMP_RANK_NONE, a leaf: what follows */
  unsigned helpers;		/* threads that exist or are being started */
  bool enabled;			/* open_lock: reverse_enable was called */
  bool failed;			/* no more threads can be had */
  GOMP_NO_SHARING _Atomic (unsigned) xidle;	/* invariant 1; changed without the lock, too */
  _Atomic (bool) xstop;		/* helpers end */
  GOMP_NO_SHARING gomp_mutex_t queues_lock;	/* GOMP_RANK_NONE, a leaf: idle queues */
  struct gomp_reverse_queue queues[2 * MOST_HELPERS];
  unsigned num_queues;
};

/* The calling thread must not serve.  */
static __thread unsigned forbidden;
/* Requests that it serves, one inside of another.  */
static __thread unsigned serving;
/* It is a helper of some device.  */
static __thread bool is_helper;

struct gomp_reverse *
gomp_reverse_new (void)
{
  struct gomp_reverse *r = gomp_aligned_alloc (_Alignof (struct gomp_reverse), sizeof (*r));
  memset (r, 0, sizeof (*r));
  return r;
}

void
gomp_reverse_forbid (bool forbid)
{
  forbidden += forbid ? 1 : -1;
}

bool
gomp_reverse_serving (void)
{
  return serving != 0;
}

/* ---- Helpers ---- */

static void *
helper_main (void *arg)
{
  struct gomp_device *dev = arg;
  struct gomp_reverse *r = dev->reverse;

  is_helper = true;
  /* Acquire: nothing but the flag.  */
  while (!gomp_load_acquire (&r->xstop) && dev->ops->reverse_wait (dev->handle) == GOMP_OK)
    while (!gomp_load_acquire (&r->xstop) && dev->ops->reverse_poll (dev->handle))
      continue;
  gomp_mutex_lock (&r->lock);
  gomp_sub_acq_rel (&r->xidle, 1);
  r->helpers--;
  gomp_mutex_unlock (&r->lock);
  return NULL;
}

static int
start_thread (struct gomp_device *dev)
{
  pthread_attr_t attr;
  pthread_t thread;
  sigset_t all, old;

  pthread_attr_init (&attr);
  pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED);
  if (gomp_global_icvs.stack_size != 0)
    pthread_attr_setstacksize (&attr, gomp_global_icvs.stack_size);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  int error = pthread_create (&thread, &attr, helper_main, dev);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  pthread_attr_destroy (&attr);
  return error;
}

/* Invariant 1.  */
static void __attribute__ ((noinline, cold))
add_helper (struct gomp_device *dev)
{
  struct gomp_reverse *r = dev->reverse;
  int saved = errno;

  gomp_mutex_lock (&r->lock);
  /* Relaxed: under the lock it only becomes smaller, which the next request sees.  */
  if (gomp_load_relaxed (&r->xidle) == 0 && r->helpers < MOST_HELPERS && !r->failed
      && !gomp_load_relaxed (&r->xstop))
    {
      r->helpers++;
      gomp_add_relaxed (&r->xidle, 1);
      int error = start_thread (dev);
      if (error != 0)
	{
	  gomp_debug (1, "device %d: no thread for reverse offload: %s", dev->number,
		      strerror (error));
	  r->helpers--;
	  gomp_sub_acq_rel (&r->xidle, 1);
	  r->failed = true;
	}
    }
  gomp_mutex_unlock (&r->lock);
  errno = saved;
}

static inline void
want_helper (struct gomp_device *dev)
{
  /* Relaxed: a number; who makes it 0 looks again.  */
  if (gomp_unlikely (gomp_load_relaxed (&dev->reverse->xidle) == 0))
    add_helper (dev);
}

void
gomp_reverse_expect (struct gomp_device *dev)
{
  if (gomp_unlikely (gomp_requires_mask () & GOMP_REQUIRES_REVERSE_OFFLOAD)
      && (dev->attr.caps & GOMP_CAP_REVERSE_OFFLOAD))
    want_helper (dev);
}

void
gomp_reverse_attend (struct gomp_device *dev)
{
  if (!(dev->attr.caps & GOMP_CAP_REVERSE_OFFLOAD))
    return;
  gomp_reverse_forbid (true);
  dev->ops->reverse_poll (dev->handle);
  gomp_reverse_forbid (false);
}

static void
destroy_queue (struct gomp_device *dev, struct gomp_reverse_queue queue)
{
  dev->ops->queue_destroy (queue.queue);
  if (queue.bounce != NULL)
    gomp_pinned_free (dev, queue.bounce);
}

void
gomp_reverse_stop (struct gomp_device *dev)
{
  struct gomp_reverse *r = dev->reverse;
  /* Release: nothing but the flag.  */
  gomp_store_release (&r->xstop, true);
  for (;;)
    {
      gomp_mutex_lock (&r->lock);
      unsigned left = r->helpers;
      gomp_mutex_unlock (&r->lock);
      if (left == 0)
	break;
      dev->ops->reverse_wake (dev->handle);
      sched_yield ();
    }
  while (r->num_queues > 0)
    destroy_queue (dev, r->queues[--r->num_queues]);
  r->enabled = false;
  gomp_store_release (&r->xstop, false);
}

bool
gomp_reverse_prepare (struct gomp_device *dev)
{
  struct gomp_reverse *r = dev->reverse;

  if (gomp_likely ((gomp_requires_mask () & GOMP_REQUIRES_REVERSE_OFFLOAD) == 0) || r->enabled
      || !(dev->attr.caps & GOMP_CAP_REVERSE_OFFLOAD))
    return true;
  r->enabled = dev->ops->reverse_enable (dev->handle) == GOMP_OK;
  /* What a request needs is there before a kernel runs, for which a driver might wait when it makes
     something.  */
  if (r->enabled && dev->pinned != NULL)
    {
      struct gomp_reverse_queue queue = gomp_reverse_queue_get (dev);
      if (queue.queue != NULL)
	gomp_reverse_queue_put (dev, queue);
    }
  return r->enabled;
}

/* ---- Queues for transfers ---- */

struct gomp_reverse_queue
gomp_reverse_queue_get (struct gomp_device *dev)
{
  struct gomp_reverse *r = dev->reverse;
  struct gomp_reverse_queue queue = { NULL, NULL };

  gomp_mutex_lock (&r->queues_lock);
  if (r->num_queues > 0)
    queue = r->queues[--r->num_queues];
  gomp_mutex_unlock (&r->queues_lock);
  if (queue.queue != NULL)
    return queue;
  gomp_status_t status = dev->ops->queue_create (dev->handle, &queue.queue);
  if (status != GOMP_OK && status != GOMP_DEVICE_LOST)
    gomp_device_failed (dev, status, NULL, "creating a queue for reverse offload");
  if (status != GOMP_OK)
    queue.queue = NULL;
  else if (dev->pinned != NULL)
    queue.bounce = gomp_pinned_alloc (dev, GOMP_REVERSE_BOUNCE);
  return queue;
}

void
gomp_reverse_queue_put (struct gomp_device *dev, struct gomp_reverse_queue queue)
{
  struct gomp_reverse *r = dev->reverse;

  gomp_mutex_lock (&r->queues_lock);
  bool keep = r->num_queues < GOMP_ARRAY_SIZE (r->queues);
  if (keep)
    r->queues[r->num_queues++] = queue;
  gomp_mutex_unlock (&r->queues_lock);
  if (!keep)
    destroy_queue (dev, queue);
}

/* ---- Requests ---- */

bool
gomp_reverse_wanted (void *core_device)
{
  if (gomp_likely (forbidden == 0))
    return true;
  want_helper (core_device);
  return false;
}

int
gomp_reverse_serve (void *core_device, struct gomp_plugin_image *image, size_t index,
		    struct gomp_reverse_slot *slot)
{
  struct gomp_device *dev = core_device;
  gomp_fn fn = NULL;

  if (slot->type != GOMP_REVERSE_TARGET)
    return GOMP_REVERSE_UNKNOWN_TYPE;
  if (image != NULL)
    fn = (gomp_fn) gomp_image_host_function (dev, image, index);
  if (fn == NULL)
    gomp_fatal ("Cannot find reverse-offload function (%#llx, called by device %d)",
		(unsigned long long) slot->function, dev->number);

  /* A helper is busy with its first request, whatever that calls.  */
  bool helps = is_helper && serving == 0;
  if (helps)
    gomp_sub_acq_rel (&dev->reverse->xidle, 1);
  serving++;
  want_helper (dev);
  bool ok = gomp_reverse_call (dev, fn, slot);
  serving--;
  if (helps)
    gomp_add_acq_rel (&dev->reverse->xidle, 1);
  return ok ? GOMP_REVERSE_OK : GOMP_REVERSE_FAILED;
}
