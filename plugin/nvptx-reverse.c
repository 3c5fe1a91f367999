/* nvptx-reverse.c -- calls of device code to the host: the requests of images whose device library is
   GCC's, and what the driver needs while device code waits.  Requests of images that have ours are
   slots.c's; helpers.c has who looks for both, and when.

   GCC's library has one block for each image, in pinned memory, whose address it finds in the variable
   __gomp_rev_offload_var.  A thread of the device takes the library's lock, writes what it wants and
   last the function's address, with system scope, and spins until the host has made that 0 again:

     device: idle, function == 0
       request       | the fields, then the function             release
     both:   function != 0
       take          | serve_block: xtaken, exchanged            acquire
     host:   function != 0, xtaken
       serve         | the core fetches arrays and data, calls, copies back
       answer        | function = 0, then xtaken = false         release
     device: idle

   Images have blocks of their own, since each has a lock of its own, in an area that is made when the
   program says that it requires reverse offload.  nvptx-image.c deals them out (reverse_slot) and
   writes their addresses to the device.

   Programs that do not require reverse offload have no area, and their kernels nobody who looks.

   Invariants
   1. Nothing that device code has written is believed: functions are looked up in the tables of images,
      lists are read and checked by the core.
   2. A block is served by the one thread that has set its xtaken, and looked at again after that: who
      was late finds the function 0, or a newer request.
   3. A device that was lost gets no answer; its area stays until it is closed.  */

#include "helpers.h"
#include "nvptx-image.h"
#include "nvptx-queue.h"
#include "nvptx-slots.h"
#include "reverse-proto.h"

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
  struct nvptx_slots slots;	/* fixed */
  struct plugin_helpers helpers;
  _Atomic bool xtaken[NVPTX_REVERSE_SLOTS];	/* invariant 2 */
  /* Held for a launch of a kernel that may call the host, and by who has paused such launches;
     before all other locks of the plugin but an image's link_lock.  */
  pthread_mutex_t launching;
};

enum { PAUSE_NAP_NS = 20000 };

static const struct plugin_helpers_ops helpers_ops;

gomp_status_t
nvptx_reverse_open (struct gomp_plugin_device *dev)
{
  dev->reverse = NULL;
  dev->reverse_block = 0;
  dev->reverse_slots = 0;
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
  plugin_helpers_close (&r->helpers);
  nvptx_slots_free (dev, &r->slots);
  nvptx_pinned_free (dev, r->blocks);
  pthread_mutex_destroy (&r->launching);
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
  status = nvptx_slots_new (dev, &r->slots);
  if (status != GOMP_OK)
    {
      nvptx_pinned_free (dev, r->blocks);
      goto fail;
    }
  pthread_mutex_init (&r->launching, NULL);
  plugin_helpers_open (&r->helpers, dev, nvptx_core, dev->core_device, r->slots.requests, &helpers_ops);
  status = NVPTX_CALL (dev, cuMemHostGetDevicePointer_v2, (&address, r->blocks, 0),
		       "setting up reverse offload");
  if (status == GOMP_OK)
    status = nvptx_image_offer_reverse (dev, address, r->slots.device);
  if (status != GOMP_OK)
    {
      plugin_helpers_close (&r->helpers);
      pthread_mutex_destroy (&r->launching);
      nvptx_slots_free (dev, &r->slots);
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
find_request (struct gomp_plugin_device *dev)
{
  struct nvptx_reverse *r = dev->reverse;
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
  struct gomp_reverse_slot slot;

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
  struct plugin_called *called = plugin_calls_last ();
  plugin_calls_find (&dev->calls, function, called);
  /* What can fail is told by the core, which ends the program or has lost the device.  */
  nvptx_core->reverse_serve (dev->core_device, called->image, called->index, &slot);
}

/* Serve the request of block I.  False: another thread does.  */
static bool
serve_block (struct gomp_plugin_device *dev, int i, struct plugin_waiter *w)
{
  struct nvptx_reverse *r = dev->reverse;
  /* Acquire: what the thread did that served before.  */
  if (atomic_exchange_explicit (&r->xtaken[i], true, memory_order_acquire))
    return false;
  struct block *block = &r->blocks[i].block;
  /* Acquire: the request.  */
  uint64_t function = atomic_load_explicit (&block->xfunction, memory_order_acquire);
  /* Since it was found another thread may have answered it, and another kernel have called.  */
  if (function != 0 && !plugin_helpers_may (&r->helpers, w))
    function = 0;
  if (function != 0)
    {
      serve (dev, block, function);
      if (!nvptx_is_lost (dev))
	/* Release: the results.  */
	atomic_store_explicit (&block->xfunction, 0, memory_order_release);
    }
  /* Release: the function is 0 for whoever takes the block next.  */
  atomic_store_explicit (&r->xtaken[i], false, memory_order_release);
  return function != 0;
}

static bool
is_lost (struct gomp_plugin_device *dev)
{
  return nvptx_is_lost (dev);
}

static const struct plugin_helpers_ops helpers_ops =
{
  .is_lost = is_lost,
  .may_call = nvptx_queue_calls_host,
  .others = nvptx_queue_others_call,
  .find = find_request,
  .serve = serve_block
};

/* ---- who looks: helpers.c ---- */

void
nvptx_reverse_begin (struct gomp_plugin_device *dev, struct plugin_waiter *w, const struct nvptx_queue *queue)
{
  plugin_helpers_begin (&dev->reverse->helpers, w, queue);
}

bool
nvptx_reverse_serve (struct gomp_plugin_device *dev, struct plugin_waiter *w)
{
  return plugin_helpers_poll (&dev->reverse->helpers, w);
}

void
nvptx_reverse_end (struct gomp_plugin_device *dev, struct plugin_waiter *w)
{
  plugin_helpers_end (&dev->reverse->helpers, w);
}

bool
nvptx_reverse_poll (struct gomp_plugin_device *dev)
{
  return dev->reverse != NULL && plugin_helpers_poll (&dev->reverse->helpers, NULL);
}

void
nvptx_reverse_launching (struct gomp_plugin_device *dev)
{
  if (dev->reverse != NULL)
    plugin_helpers_launching (&dev->reverse->helpers);
}

void
nvptx_reverse_launched (struct gomp_plugin_device *dev)
{
  if (dev->reverse != NULL)
    plugin_helpers_launched (&dev->reverse->helpers);
}

gomp_status_t
nvptx_reverse_wait (struct gomp_plugin_device *dev)
{
  if (nvptx_is_lost (dev))
    return GOMP_DEVICE_LOST;
  return dev->reverse != NULL ? plugin_helpers_wait (&dev->reverse->helpers) : GOMP_UNSUPPORTED;
}

void
nvptx_reverse_wake (struct gomp_plugin_device *dev)
{
  if (dev->reverse != NULL)
    plugin_helpers_wake (&dev->reverse->helpers);
}

/* ---- calls of the driver that wait for kernels ---- */

bool
nvptx_reverse_launch_begin (struct gomp_plugin_device *dev)
{
  struct nvptx_reverse *r = dev->reverse;
  /* Who pauses may be waiting for the kernel whose request this thread serves.  */
  if (r == NULL || plugin_helpers_serving ())
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

void
nvptx_reverse_await (struct gomp_plugin_device *dev)
{
  /* Others serve them: who waits for their queues, or helpers.  This thread may hold locks that the
     host's part needs.  */
  while (!nvptx_is_lost (dev) && nvptx_queue_calls_host (dev))
    nanosleep (&(struct timespec) { .tv_nsec = PAUSE_NAP_NS }, NULL);
}

bool
nvptx_reverse_pause (struct gomp_plugin_device *dev)
{
  bool begun = nvptx_reverse_launch_begin (dev);
  if (begun)
    nvptx_reverse_await (dev);
  return begun;
}

bool
nvptx_reverse_keeps (struct gomp_plugin_device *dev)
{
  return dev->reverse != NULL && plugin_helpers_serving () && nvptx_queue_calls_host (dev);
}

void
nvptx_reverse_resume (struct gomp_plugin_device *dev, bool paused)
{
  nvptx_reverse_launch_end (dev, paused);
}
