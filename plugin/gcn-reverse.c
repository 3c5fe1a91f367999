/* gcn-reverse.c -- calls of device code to the host: both kinds of requests.

   GCC's device library calls through the output block (gcn-console.c), a record for each call; ours through slots
   (slots.c), in memory that both sides reach, of which device code finds the address in the variable
   gompx_reverse.  helpers.c has who looks for both, and when.  Programs that do not require reverse
   offload have no slots, and their kernels nobody who looks.

   Invariants
   1. Nothing that device code has written is believed: functions are looked up in the tables of images,
      lists are read and checked by the core.
   2. A device that was lost gets no answer; its slots stay until it is closed.  */

#include "gcn-console.h"
#include "gcn-launch.h"
#include "helpers.h"
#include "reverse-proto.h"

#include <stdlib.h>
#include <string.h>

struct gcn_reverse
{
  struct gompx_slots *area;	/* fixed, as the next two */
  uint64_t device;		/* struct gompx_reverse */
  struct plugin_slots *slots;
  struct plugin_helpers helpers;
};

/* ---- GCC's requests ---- */

/* Serve call I.  False: another thread does.  */
static bool
serve_call (struct gomp_plugin_device *dev, int i, struct plugin_waiter *w)
{
  struct gomp_reverse_slot slot;
  uint64_t words[6];

  if (!gcn_console_take_call (dev, i, words))
    return false;
  /* Since it was found another thread may have answered it, and another kernel have called.  */
  if (!plugin_helpers_may (&dev->reverse->helpers, w))
    {
      gcn_console_leave_call (dev, i);
      return false;
    }
  memset (&slot, 0, offsetof (struct gomp_reverse_slot, data));
  slot.type = GOMP_REVERSE_TARGET;
  /* GCC's code passes addresses of arrays on the device.  */
  slot.flags = GOMP_REVERSE_FAR;
  slot.function = words[0];
  slot.count = words[1];
  slot.addrs = words[2];
  slot.sizes = words[3];
  slot.kinds = words[4];
  slot.device = (int32_t) words[5];
  struct plugin_called *called = plugin_calls_last ();
  plugin_calls_find (&dev->images->calls, slot.function, called);
  /* What can fail is told by the core, which ends the program or has lost the device.  */
  gcn_core->reverse_serve (dev->core_device, called->image, called->index, &slot);
  if (!gcn_is_lost (dev))
    gcn_console_answer (dev, i);
  return true;
}

static bool
is_lost (struct gomp_plugin_device *dev)
{
  return gcn_is_lost (dev);
}

static const struct plugin_helpers_ops helpers_ops =
{
  .is_lost = is_lost,
  .may_call = gcn_launch_may_call,
  .others = gcn_launch_others_call,
  .find = gcn_console_find_call,
  .serve = serve_call
};

/* ---- setting up ---- */

gomp_status_t
gcn_reverse_open (struct gomp_plugin_device *dev)
{
  dev->reverse = NULL;
  return GOMP_OK;
}

static void
free_reverse (struct gomp_plugin_device *dev, struct gcn_reverse *r)
{
  plugin_slots_free (r->slots);
  if (r->device != 0 && !gcn_is_lost (dev))
    gcn_device_delete (dev, r->device);
  if (r->area != NULL)
    gcn_shared_delete (dev, r->area);
  free (r);
}

/* The core has ended its helpers.  */
void
gcn_reverse_close (struct gomp_plugin_device *dev, bool exiting)
{
  struct gcn_reverse *r = dev->reverse;

  /* At exit a thread may still be looking, and device code waiting.  */
  if (r == NULL || exiting)
    return;
  dev->reverse = NULL;
  plugin_helpers_close (&r->helpers);
  free_reverse (dev, r);
}

/* What our library needs.  */
static gomp_status_t
make_slots (struct gomp_plugin_device *dev, struct gcn_reverse *r)
{
  const struct plugin_slots_user user
    = { .core = gcn_core, .core_device = dev->core_device, .ordinal = (int32_t) dev->ordinal,
	.calls = &dev->images->calls, .xlost = &dev->xlost, .before = gcn_console_drain, .dev = dev };
  struct gompx_reverse reverse
    = { .version = GOMPX_SLOTS_VERSION, .num_slots = GOMPX_SLOTS_MAX, .mask = GOMPX_SLOTS_MAX - 1 };
  size_t size = gompx_slots_size (GOMPX_SLOTS_MAX);
  void *memory;

  gomp_status_t status = gcn_shared_new (dev, size, &memory, "reverse offload");
  if (status != GOMP_OK)
    return status;
  r->area = memset (memory, 0, size);
  r->slots = plugin_slots_new (&user, r->area);
  if (r->slots == NULL)
    return gcn_no_memory ();
  reverse.area = (uintptr_t) r->area;
  if (dev->facts->shared_memory)
    reverse.flags |= GOMPX_REVERSE_SHARED;
  status = gcn_device_new (dev, sizeof (reverse), &r->device, "reverse offload");
  if (status == GOMP_OK)
    status = gcn_write_now (dev, r->device, &reverse, sizeof (reverse), "setting up reverse offload");
  return status;
}

gomp_status_t
gcn_reverse_enable (struct gomp_plugin_device *dev)
{
  gomp_status_t status = gcn_alive (dev);
  if (status != GOMP_OK || dev->reverse != NULL)
    return status;
  struct gcn_reverse *r = calloc (1, sizeof (*r));
  if (r == NULL)
    return gcn_no_memory ();
  status = make_slots (dev, r);
  if (status == GOMP_OK)
    status = gcn_image_offer_slots (dev, r->device);
  if (status != GOMP_OK)
    {
      free_reverse (dev, r);
      return status;
    }
  plugin_helpers_open (&r->helpers, dev, gcn_core, dev->core_device, r->slots, &helpers_ops);
  /* Before the first launch of the program; threads that wait come behind one.  */
  dev->reverse = r;
  return GOMP_OK;
}

/* ---- who looks: helpers.c ---- */

void
gcn_reverse_begin (struct gomp_plugin_device *dev, struct plugin_waiter *w, const struct gcn_queue *queue)
{
  w->begun = false;
  if (dev->reverse != NULL)
    plugin_helpers_begin (&dev->reverse->helpers, w, queue);
}

bool
gcn_reverse_serve (struct gomp_plugin_device *dev, struct plugin_waiter *w)
{
  /* A wait that began before calls were possible is for no kernel that calls.  */
  return dev->reverse != NULL && (w == NULL || w->begun) && plugin_helpers_poll (&dev->reverse->helpers, w);
}

void
gcn_reverse_end (struct gomp_plugin_device *dev, struct plugin_waiter *w)
{
  if (w->begun)
    plugin_helpers_end (&dev->reverse->helpers, w);
}

bool
gcn_reverse_poll (struct gomp_plugin_device *dev)
{
  return gcn_reverse_serve (dev, NULL);
}

void
gcn_reverse_launching (struct gomp_plugin_device *dev)
{
  plugin_helpers_launching (&dev->reverse->helpers);
}

void
gcn_reverse_launched (struct gomp_plugin_device *dev)
{
  if (dev->reverse != NULL)
    plugin_helpers_launched (&dev->reverse->helpers);
}

gomp_status_t
gcn_reverse_wait (struct gomp_plugin_device *dev)
{
  if (gcn_is_lost (dev))
    return GOMP_DEVICE_LOST;
  return dev->reverse != NULL ? plugin_helpers_wait (&dev->reverse->helpers) : GOMP_UNSUPPORTED;
}

void
gcn_reverse_wake (struct gomp_plugin_device *dev)
{
  if (dev->reverse != NULL)
    plugin_helpers_wake (&dev->reverse->helpers);
}
