/* reverse.c -- reverse offload: finding the function, and the threads that serve.

   reverse.h tells who serves when.  The threads of a device:

     none --first request, gomp_reverse_expect--> idle --request--> serving --done--> idle
					            '--device lost, gomp_reverse_stop--> gone

   Invariants
   1. xidle counts helpers that wait for requests or are about to; a helper that looks for one to serve, and then for the next,
      is not idle, and whoever serves sees to it that another one is.
   2. Queues for transfers belong to this file and never get a kernel: a transfer of a request
      must not wait behind the region that waits for the request.
   3. A helper blocks all signals: they are for the program's own threads.  */

#include "libgomp.h"
#include "config/linux/futex.h"
#include "host/icv.h"
#include "host/team.h"
#include "host/thread.h"
#include "image.h"
#include "plugin/reverse-proto.h"
#include "reverse.h"
#include "service.h"
#include "plugin/thread-own.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_HELPERS 16

/* A function that was called.  Does not change.  */
struct called
{
  struct called *older;		/* lock */
  const struct gomp_plugin_image *image;
  size_t index;
  unsigned generation;		/* of the images, when it was found */
  gomp_fn fn;
};

enum { CALLED = 16 };

struct gomp_reverse
{
  /* By index, modulo their number: functions that were found before, so that calls need no lock.  Stored
     with release; nothing of it is freed before the device is closed.  */
  struct called *_Atomic xcalled[CALLED];
  struct called *all_called;	/* lock */
  gomp_mutex_t lock;		/* GOMP_RANK_NONE, a leaf: what follows */
  unsigned helpers;		/* threads that exist or are being started */
  bool enabled;			/* open_lock: reverse_enable was called */
  bool failed;			/* no more threads can be had */
  GOMP_NO_SHARING _Atomic (unsigned) xidle;	/* invariant 1; changed without the lock, too */
  _Atomic (bool) xfull;		/* there are MOST_HELPERS, or FAILED; changed under the lock */
  _Atomic (bool) xstop;		/* helpers end */
  GOMP_NO_SHARING gomp_mutex_t queues_lock;	/* GOMP_RANK_NONE, a leaf: idle queues */
  struct gomp_reverse_queue queues[2 * MOST_HELPERS];
  unsigned num_queues;
};

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
  gomp_own ()->must_not_serve += forbid ? 1 : -1;
}

bool
gomp_reverse_serving (void)
{
  if (gomp_own_now ()->serving != 0)
    return true;
  for (struct gomp_team *team = gomp_self ()->team; team != NULL; team = team->parent)
    if (team->group->serves)
      return true;
  return false;
}

/* Threads that serve, by their number, and for whom: to know whom gomp_reverse_joins_me has to look at, and
   gomp_reverse_let_end to wait for.  Two threads in one place can hide one of them, which costs a wait, or nobody waits for
   it.  Relaxed: what is read of a thread is the kernel's.  */
enum { SERVERS = 64 };
static struct server
{
  GOMP_NO_SHARING _Atomic (const struct gomp_device *) xdev;	/* NULL: no thread is there */
  _Atomic (uint32_t) xtid;	/* the last one that was */
} servers[SERVERS] GOMP_RARE;

/* The calling thread serves DEV, or, if that is NULL, nobody any more.  */
static inline void
note_server (const struct gomp_device *dev)
{
  struct gomp_own *own = gomp_own ();
  if (gomp_unlikely (own->tid == 0))
    own->tid = gettid ();
  struct server *place = &servers[own->tid % SERVERS];
  if (dev != NULL)
    gomp_store_relaxed (&place->xtid, own->tid);
  gomp_store_relaxed (&place->xdev, dev);
}

/* Who serves in place I, or 0.  */
static inline uint32_t
server_tid (unsigned i)
{
  return gomp_load_relaxed (&servers[i].xdev) != NULL ? gomp_load_relaxed (&servers[i].xtid) : 0;
}

/* The C library's record of a thread is this long at most, behind the address that pthread_self tells.  */
#define THREAD_RECORD 4096

/* Does the thread TID wait in pthread_join for the calling one?  The C library waits until the kernel
   clears the number of a thread that ends, on a futex that is not private and holds that number; glibc 2.43
   waits for a state, which is not private either and in the thread's record as well.  */
static bool
joins_me (uint32_t tid)
{
  char name[64], text[256];
  unsigned long number, word, op, value;

  snprintf (name, sizeof (name), "/proc/self/task/%u/syscall", (unsigned) tid);
  int file = open (name, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  ssize_t n = read (file, text, sizeof (text) - 1);
  close (file);
  if (n <= 0)
    return false;
  text[n] = 0;
  /* "running", or the number of the call and its arguments.  */
  return (sscanf (text, "%lu %lx %lx %lx", &number, &word, &op, &value) == 4
	  && number == SYS_futex && (op & FUTEX_PRIVATE_FLAG) == 0
	  && ((op & FUTEX_CMD_MASK) == FUTEX_WAIT || (op & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET)
	  && ((uint32_t) value == (uint32_t) gettid ()
	      || word - (unsigned long) pthread_self () < THREAD_RECORD));
}

bool
gomp_reverse_joins_me (void)
{
  for (unsigned i = 0; i < SERVERS; i++)
    {
      uint32_t tid = server_tid (i);
      if (tid != 0 && joins_me (tid))
	return true;
    }
  return false;
}

void
gomp_reverse_give_up (void)
{
  if (gomp_own_now ()->serving != 0)
    note_server (NULL);
}

/* Does another thread serve DEV?  */
static bool
others_serve (const struct gomp_device *dev)
{
  const struct gomp_own *own = gomp_own_now ();
  for (unsigned i = 0; i < SERVERS; i++)
    if (gomp_load_relaxed (&servers[i].xdev) == dev
	&& gomp_load_relaxed (&servers[i].xtid) != own->tid)
      return true;
  return false;
}

void
gomp_reverse_let_end (const struct gomp_device *dev)
{
  enum { NAP_NS = 1000000 };
  gomp_word_t never = 0;
  uint64_t start = gomp_now_ns ();
  while (others_serve (dev) && gomp_now_ns () - start < GOMP_EXIT_PATIENCE_NS)
    gomp_futex_wait_ns (&never, 0, NAP_NS);
}

/* A region that serves, and all threads that it will have.  */
struct region
{
  gomp_fn fn;
  void *data;
};

static void
run_region (void *arg)
{
  const struct region *region = arg;
  struct gomp_group *group = gomp_self ()->team->group;
  group->serves = true;
  region->fn (region->data);
  group->serves = false;
}

void
gomp_reverse_run (gomp_fn fn, void *data)
{
  gomp_run_as_initial (run_region, &(struct region) { fn, data }, &gomp_global_icvs.initial);
}

/* ---- Helpers ---- */

static void *
helper_main (void *arg)
{
  struct gomp_device *dev = arg;
  struct gomp_reverse *r = dev->reverse;

  /* Acquire: nothing but the flag.  */
  while (!gomp_load_acquire (&r->xstop) && dev->ops->reverse_wait (dev->handle) == GOMP_OK)
    {
      /* Not for each request: whoever serves reads the word.  */
      gomp_sub_acq_rel (&r->xidle, 1);
      while (!gomp_load_acquire (&r->xstop) && dev->ops->reverse_poll (dev->handle))
	continue;
      gomp_add_acq_rel (&r->xidle, 1);
    }
  gomp_mutex_lock (&r->lock);
  gomp_sub_acq_rel (&r->xidle, 1);
  r->helpers--;
  gomp_store_relaxed (&r->xfull, r->failed);	/* a hint, where the lock is not held */
  gomp_mutex_unlock (&r->lock);
  return NULL;
}

/* Invariant 1.  False: there is none that waits, and there won't be.  */
static bool __attribute__ ((noinline, cold))
add_helper (struct gomp_device *dev)
{
  struct gomp_reverse *r = dev->reverse;
  int saved = errno;

  gomp_mutex_lock (&r->lock);
  /* Relaxed: under the lock it only becomes smaller, which the next request sees.  */
  if (gomp_load_relaxed (&r->xidle) == 0 && !gomp_load_relaxed (&r->xfull) && !gomp_load_relaxed (&r->xstop))
    {
      r->helpers++;
      gomp_add_relaxed (&r->xidle, 1);
      int error = gomp_helper_thread (helper_main, dev, "gomp-reverse", gomp_global_icvs.stack_size, false);
      if (error != 0)
	{
	  gomp_debug (1, "device %d: no thread for reverse offload: %s", dev->number,
		      strerror (error));
	  r->helpers--;
	  gomp_sub_acq_rel (&r->xidle, 1);
	  r->failed = true;
	}
      gomp_store_relaxed (&r->xfull, r->helpers == MOST_HELPERS || r->failed);
    }
  bool have = gomp_load_relaxed (&r->xidle) != 0 || !gomp_load_relaxed (&r->xfull);
  gomp_mutex_unlock (&r->lock);
  errno = saved;
  return have;
}

static inline bool
want_helper (struct gomp_device *dev)
{
  struct gomp_reverse *r = dev->reverse;
  /* Relaxed: a number, where who makes it 0 looks again, and a hint.  */
  return gomp_likely (gomp_load_relaxed (&r->xidle) != 0) || (!gomp_load_relaxed (&r->xfull) && add_helper (dev));
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
      gomp_let_others_run ();
    }
  while (r->num_queues > 0)
    destroy_queue (dev, r->queues[--r->num_queues]);
  /* Nobody calls any more.  */
  for (unsigned i = 0; i < CALLED; i++)
    gomp_store_relaxed (&r->xcalled[i], NULL);
  while (r->all_called != NULL)
    {
      struct called *next = r->all_called->older;
      free (r->all_called);
      r->all_called = next;
    }
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
gomp_reverse_wanted (void *core_device, bool others)
{
  bool may = gomp_own_now ()->must_not_serve == 0;
  if (gomp_likely (may && !others))
    return true;
  return !want_helper (core_device) && may;
}

/* The function INDEX of IMAGE; NULL: there is none.  */
static gomp_fn
find_function (struct gomp_device *dev, const struct gomp_plugin_image *image, size_t index)
{
  struct gomp_reverse *r = dev->reverse;
  unsigned generation = gomp_images_generation ();
  /* Acquire: what it points to.  */
  struct called *known = gomp_load_acquire (&r->xcalled[index % CALLED]);
  if (gomp_likely (known != NULL && known->image == image && known->index == index
		   && known->generation == generation))
    return known->fn;
  gomp_fn fn = (gomp_fn) gomp_image_host_function (dev, image, index);
  if (fn == NULL || (known != NULL && known->generation == generation))
    return fn;			/* two functions that share a place: the first one has it */
  struct called *called = gomp_malloc (sizeof (*called));
  *called = (struct called) { .image = image, .index = index, .generation = generation, .fn = fn };
  gomp_mutex_lock (&r->lock);
  called->older = r->all_called;
  r->all_called = called;
  gomp_mutex_unlock (&r->lock);
  gomp_store_release (&r->xcalled[index % CALLED], called);	/* release: its fields */
  return fn;
}

int
gomp_reverse_serve (void *core_device, struct gomp_plugin_image *image, size_t index,
		    struct gomp_reverse_slot *slot)
{
  struct gomp_device *dev = core_device;
  gomp_fn fn = NULL;

  bool region = slot->type == GOMP_REVERSE_TARGET;
  if (region && image != NULL)
    fn = find_function (dev, image, index);
  /* The process ends and has taken its images back, but the region goes on until it is gone: no answer, and no error that
     would change the exit status.  */
  while (region && fn == NULL && gomp_devices_end ())
    pause ();
  if (region && fn == NULL)
    gomp_fatal ("Cannot find reverse-offload function (%#llx, called by device %d)",
		(unsigned long long) slot->function, dev->number);

  struct gomp_own *own = gomp_own ();
  if (own->serving++ == 0)
    note_server (dev);
  want_helper (dev);
  int status;
  if (region)
    status = gomp_reverse_call (dev, fn, slot) ? GOMP_REVERSE_OK : GOMP_REVERSE_FAILED;
  else
    status = gomp_service_serve (dev, slot);
  if (--own->serving == 0)
    note_server (NULL);
  return status;
}
