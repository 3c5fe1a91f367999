/* nvptx-reverse.c -- calls of device code to the host, from images whose device library is GCC's.

   Such a library has one block for each image, in pinned memory, whose address it finds in the variable
   __gomp_rev_offload_var.  A thread of the device takes the library's lock, writes what it wants and
   last the function's address, with system scope, and spins until the host has made that 0 again:

     device: idle, function == 0
       request       | the fields, then the function             release
     both:   function != 0
       take          | nvptx_reverse_poll: xtaken, exchanged     acquire
     host:   function != 0, xtaken
       serve         | the core fetches arrays and data, calls, copies back
       answer        | function = 0, then xtaken = false         release
     device: idle

   Images have blocks of their own, since each has a lock of its own, in an area that is made when the
   program says that it requires reverse offload.  nvptx-image.c deals them out (reverse_slot) and
   writes their addresses to the device.

   Who looks: threads that wait for a queue that has a kernel which may call (nvptx-queue.c), and
   helper threads of the core, in nvptx_reverse_wait.  Nothing on the device can wake a helper: it sleeps
   until such a kernel is launched, then looks now and then, more seldom the longer nobody calls and
   while somebody else looks anyway, and again at short intervals after it has served.  Programs
   that do not require reverse offload have no area, and their kernels nobody who looks.

   Invariants
   1. Nothing that device code has written is believed: functions are looked up in the tables of images,
      lists are read and checked by the core.
   2. A block is served by the one thread that has set its xtaken, and looked at again after that: who
      was late finds the function 0, or a newer request.
   3. A device thread that has called does not leave before the answer, so a kernel that has ended
      has no request: nobody looks once more afterwards.
   4. A device that was lost gets no answer; its area stays until it is closed.  */

#include "nvptx-image.h"
#include "nvptx-queue.h"
#include "reverse-proto.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* GCC's block, and how far blocks are apart: no two share a line.  */
struct block
{
  _Atomic uint64_t xfunction;	/* the device's when 0, else the host's */
  uint64_t count;		/* the rest is the device's when xfunction is 0 */
  uint64_t addrs, sizes, kinds;
  int32_t device;
};

union padded_block
{
  struct block block;
  unsigned char room[NVPTX_REVERSE_STRIDE];
};

_Static_assert (offsetof (struct block, device) == 40 && sizeof (struct block) == 48,
		"layout of GCC's device library");

struct nvptx_reverse
{
  union padded_block *blocks;	/* [NVPTX_REVERSE_SLOTS], pinned; fixed */
  _Atomic bool xtaken[NVPTX_REVERSE_SLOTS];	/* invariant 2 */
  /* Counts looks of threads that wait for queues: helpers need not hurry.  */
  _Atomic unsigned xlooks;
  /* Helpers that sleep until a kernel is launched that may call; changed under lock.  */
  _Atomic unsigned xsleepers;
  pthread_mutex_t lock;		/* a leaf */
  pthread_cond_t wake;
  unsigned wakes;		/* lock: nvptx_reverse_wake was called */
  /* Held for a launch of a kernel that may call the host, and by who has paused such launches;
     before all other locks of the plugin but an image's link_lock.  */
  pthread_mutex_t launching;
};

enum
{
  SPIN_NS = 30000,		/* a helper polls so long after it has served */
  FIRST_NAP_NS = 20000,
  LAST_NAP_NS = 1000000
};

/* Requests that the calling thread serves, one inside of another.  */
static __thread unsigned serving;
/* When the calling thread, a helper, last served.  */
static __thread uint64_t served_at;
/* The calling thread is in nvptx_reverse_wait, or served from there.  */
static __thread bool helps;

static uint64_t
now_ns (void)
{
  struct timespec ts;
  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (uint64_t) ts.tv_sec * 1000000000u + (uint64_t) ts.tv_nsec;
}

gomp_status_t
nvptx_reverse_open (struct gomp_plugin_device *dev)
{
  dev->reverse = NULL;
  dev->reverse_block = 0;
  return GOMP_OK;
}

/* The core has ended its helpers.  */
void
nvptx_reverse_close (struct gomp_plugin_device *dev, bool exiting)
{
  struct nvptx_reverse *r = dev->reverse;

  /* At exit a thread may still be looking, and device code spinning on its block.  */
  if (r == NULL || exiting)
    return;
  dev->reverse = NULL;
  nvptx_pinned_free (dev, r->blocks);
  pthread_cond_destroy (&r->wake);
  pthread_mutex_destroy (&r->launching);
  pthread_mutex_destroy (&r->lock);
  free (r);
}

gomp_status_t
nvptx_reverse_enable (struct gomp_plugin_device *dev)
{
  struct nvptx_scope scope;
  CUdeviceptr address = 0;

  gomp_status_t status = nvptx_alive (dev);
  if (status != GOMP_OK || dev->reverse != NULL)
    return status;
  struct nvptx_reverse *r = calloc (1, sizeof (*r));
  if (r == NULL)
    {
      nvptx_core->set_error ("out of memory, while setting up reverse offload");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    {
      free (r);
      return status;
    }
  size_t size = NVPTX_REVERSE_SLOTS * sizeof (union padded_block);
  status = nvptx_pinned_alloc (dev, size, (void **) &r->blocks, "reverse offload");
  if (status != GOMP_OK)
    goto fail;
  memset (r->blocks, 0, size);
  pthread_mutex_init (&r->lock, NULL);
  pthread_mutex_init (&r->launching, NULL);
  pthread_cond_init (&r->wake, NULL);
  status = NVPTX_CALL (dev, cuMemHostGetDevicePointer_v2, (&address, r->blocks, 0),
		       "setting up reverse offload");
  if (status == GOMP_OK)
    status = nvptx_image_offer_reverse (dev, address);
  if (status != GOMP_OK)
    {
      pthread_cond_destroy (&r->wake);
      pthread_mutex_destroy (&r->launching);
      pthread_mutex_destroy (&r->lock);
      nvptx_pinned_free (dev, r->blocks);
      goto fail;
    }
  /* Before the first launch of the program; threads that wait come behind one.  */
  dev->reverse = r;
  nvptx_leave (dev, &scope);
  return GOMP_OK;

 fail:
  nvptx_leave (dev, &scope);
  free (r);
  return status;
}

/* ---- serving ---- */

/* A block that has a request which nobody has taken, or -1.  */
static int
find_request (struct gomp_plugin_device *dev, struct nvptx_reverse *r)
{
  /* Relaxed: an image's bit is set before its kernels are launched.  */
  uint64_t used = atomic_load_explicit (&dev->xreverse_slots, memory_order_relaxed);
  for (; used != 0; used &= used - 1)
    {
      int i = __builtin_ctzll (used);
      /* Relaxed: taking it is what synchronizes.  */
      if (atomic_load_explicit (&r->blocks[i].block.xfunction, memory_order_relaxed) != 0
	  && !atomic_load_explicit (&r->xtaken[i], memory_order_relaxed))
	return i;
    }
  return -1;
}

/* Serve the request of BLOCK, which this thread has taken.  */
static void
serve (struct gomp_plugin_device *dev, struct block *block, uint64_t function)
{
  struct gomp_plugin_image *image = NULL;
  struct gomp_reverse_slot slot;
  size_t index = 0;

  memset (&slot, 0, offsetof (struct gomp_reverse_slot, data));
  slot.type = GOMP_REVERSE_TARGET;
  /* GCC's code passes addresses of arrays on the device.  */
  slot.flags = GOMP_REVERSE_FAR;
  slot.device = block->device;
  slot.function = function;
  slot.count = block->count;
  slot.addrs = block->addrs;
  slot.sizes = block->sizes;
  slot.kinds = block->kinds;
  if (!nvptx_image_host_function (dev, function, &image, &index))
    image = NULL;
  /* What can fail is told by the core, which ends the program or has lost the device.  */
  nvptx_core->reverse_serve (dev->core_device, image, index, &slot);
}

bool
nvptx_reverse_poll (struct gomp_plugin_device *dev)
{
  struct nvptx_reverse *r = dev->reverse;

  if (r == NULL || nvptx_is_lost (dev))
    return false;
  int i = find_request (dev, r);
  if (i < 0)
    {
      /* Relaxed: a hint, that may miss some.  */
      if (!helps)
	atomic_store_explicit (&r->xlooks,
			       atomic_load_explicit (&r->xlooks, memory_order_relaxed) + 1,
			       memory_order_relaxed);
      return false;
    }
  if (!nvptx_core->reverse_wanted (dev->core_device)
      /* Acquire: what the thread did that served before.  */
      || atomic_exchange_explicit (&r->xtaken[i], true, memory_order_acquire))
    return false;
  struct block *block = &r->blocks[i].block;
  /* Acquire: the request.  */
  uint64_t function = atomic_load_explicit (&block->xfunction, memory_order_acquire);
  if (function != 0)
    {
      int saved = errno;
      bool helped = helps;
      /* The function may wait for something itself.  */
      helps = false;
      serving++;
      serve (dev, block, function);
      serving--;
      helps = helped;
      if (helps)
	served_at = now_ns ();
      errno = saved;
      if (!nvptx_is_lost (dev))
	/* Release: the results.  */
	atomic_store_explicit (&block->xfunction, 0, memory_order_release);
    }
  /* Release: the function is 0 for whoever takes the block next.  */
  atomic_store_explicit (&r->xtaken[i], false, memory_order_release);
  return function != 0;
}

/* ---- calls of the driver that wait for kernels ---- */

static void
nap (uint64_t ns)
{
  const struct timespec t = { .tv_nsec = (long) ns };
  nanosleep (&t, NULL);
}

bool
nvptx_reverse_launch_begin (struct gomp_plugin_device *dev)
{
  struct nvptx_reverse *r = dev->reverse;
  /* Who pauses may be waiting for the kernel whose request this thread serves.  */
  if (r == NULL || serving != 0)
    return false;
  pthread_mutex_lock (&r->launching);
  return true;
}

void
nvptx_reverse_launch_end (struct gomp_plugin_device *dev, bool begun)
{
  if (begun)
    pthread_mutex_unlock (&dev->reverse->launching);
}

bool
nvptx_reverse_pause (struct gomp_plugin_device *dev)
{
  if (!nvptx_reverse_launch_begin (dev))
    return false;
  while (!nvptx_is_lost (dev) && nvptx_queue_calls_host (dev))
    if (!nvptx_reverse_poll (dev))
      nap (FIRST_NAP_NS);
  return true;
}

void
nvptx_reverse_resume (struct gomp_plugin_device *dev, bool paused)
{
  nvptx_reverse_launch_end (dev, paused);
}

/* ---- helpers ---- */

/* A kernel that may call the host was launched.  */
void
nvptx_reverse_launched (struct gomp_plugin_device *dev)
{
  struct nvptx_reverse *r = dev->reverse;
  if (r == NULL)
    return;
  /* Acquire and release, by changing the word: either this thread sees who goes to sleep, or that one, which
     changes the word and then looks at the queues, sees what they say of the kernel.  */
  if (atomic_fetch_add_explicit (&r->xsleepers, 0, memory_order_acq_rel) != 0)
    {
      pthread_mutex_lock (&r->lock);
      pthread_cond_broadcast (&r->wake);
      pthread_mutex_unlock (&r->lock);
    }
}

/* Sleep until a kernel that may call the host is there, or somebody wants this thread back.  */
static void
sleep_until_launch (struct gomp_plugin_device *dev, struct nvptx_reverse *r, unsigned seen)
{
  pthread_mutex_lock (&r->lock);
  /* See nvptx_reverse_launched.  */
  atomic_fetch_add_explicit (&r->xsleepers, 1, memory_order_acq_rel);
  while (r->wakes == seen && !nvptx_is_lost (dev) && !nvptx_queue_calls_host (dev))
    pthread_cond_wait (&r->wake, &r->lock);
  atomic_fetch_sub_explicit (&r->xsleepers, 1, memory_order_relaxed);
  pthread_mutex_unlock (&r->lock);
}

gomp_status_t
nvptx_reverse_wait (struct gomp_plugin_device *dev)
{
  struct nvptx_reverse *r = dev->reverse;
  uint64_t length = FIRST_NAP_NS;

  if (nvptx_is_lost (dev))
    return GOMP_DEVICE_LOST;
  if (r == NULL)
    return GOMP_UNSUPPORTED;
  helps = true;
  pthread_mutex_lock (&r->lock);
  unsigned seen = r->wakes;
  pthread_mutex_unlock (&r->lock);
  /* Relaxed: a hint.  */
  unsigned looks = atomic_load_explicit (&r->xlooks, memory_order_relaxed);
  while (!nvptx_is_lost (dev))
    {
      if (find_request (dev, r) >= 0)
	return GOMP_OK;
      if (!nvptx_queue_calls_host (dev))
	{
	  sleep_until_launch (dev, r, seen);
	  length = FIRST_NAP_NS;
	}
      else if (served_at != 0 && now_ns () - served_at < SPIN_NS)
	{
	  for (int i = 0; i < 20; i++)
	    __builtin_ia32_pause ();
	}
      else
	{
	  nap (length);
	  unsigned now = atomic_load_explicit (&r->xlooks, memory_order_relaxed);
	  length = now != looks || length * 2 > LAST_NAP_NS ? LAST_NAP_NS : length * 2;
	  looks = now;
	}
      pthread_mutex_lock (&r->lock);
      bool woken = r->wakes != seen;
      pthread_mutex_unlock (&r->lock);
      if (woken)
	return GOMP_OK;
    }
  return GOMP_DEVICE_LOST;
}

void
nvptx_reverse_wake (struct gomp_plugin_device *dev)
{
  struct nvptx_reverse *r = dev->reverse;
  if (r == NULL)
    return;
  pthread_mutex_lock (&r->lock);
  r->wakes++;
  pthread_cond_broadcast (&r->wake);
  pthread_mutex_unlock (&r->lock);
}
