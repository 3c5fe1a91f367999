/* plugin-null.c -- a device that has done everything by the time it is asked for.

   For measuring what the offload core itself costs: what is left of a construct's time on this
   device are the calls.  Device memory is malloc's.  A copy is memcpy, a kernel a call of the host's
   function in the calling thread, both when they are enqueued; so results are right, and
   a benchmark can check them.  Every event is signalled when it is recorded, queues have no state.
   Variables of a module are the host's own.

     GOMP_PLUGINS=null GOMP_PLUGIN_PATH=build LD_LIBRARY_PATH=... build/regions

   GOMPX_NULL_DEVICE=copy_us=N makes every copy take N microseconds, in which the calling thread
   sleeps: do other threads wait for a transfer?  */

#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct gomp_plugin_core *core;
static unsigned long copy_us;

struct gomp_plugin_device
{
  void *core_device;
};

struct gomp_plugin_image
{
  const struct gomp_image_desc *desc;	/* stays valid until image_unload */
};

/* All events share a word that never changes, and say that they are reached.  */
static const _Atomic uint32_t reached;

static gomp_status_t
null_init (const struct gomp_plugin_core *services, unsigned *num_devices)
{
  core = services;
  const char *word = core->getenv ("GOMPX_NULL_DEVICE", false);
  char *end = NULL;
  if (word != NULL && *word != 0
      && (strncmp (word, "copy_us=", 8) != 0
	  || (copy_us = strtoul (word + 8, &end, 10), end == word + 8 || *end != 0)))
    {
      core->set_error ("GOMPX_NULL_DEVICE is `%s', not copy_us=NUMBER", word);
      return GOMP_INVALID;
    }
  *num_devices = 1;
  return GOMP_OK;
}

static gomp_status_t
null_attr (unsigned ordinal, struct gomp_device_attr *attr)
{
  (void) ordinal;
  memset (attr, 0, sizeof (*attr));
  snprintf (attr->name, sizeof (attr->name), "null device");
  snprintf (attr->uid, sizeof (attr->uid), "NULL-0");
  attr->caps = GOMP_CAP_HOST_CODE;
  attr->coalesce_max = 4096;
  attr->mem_align = 64;
  attr->arena_step = 1 << 20;
  return GOMP_OK;
}

static gomp_status_t
null_open (unsigned ordinal, void *core_device, struct gomp_plugin_device **dev)
{
  (void) ordinal;
  *dev = malloc (sizeof (**dev));
  if (*dev == NULL)
    return GOMP_OUT_OF_HOST_MEMORY;
  (*dev)->core_device = core_device;
  return GOMP_OK;
}

static void
null_close (struct gomp_plugin_device *dev, bool exiting)
{
  if (!exiting)
    free (dev);
}

/* ---- memory ---- */

static gomp_status_t
null_alloc (struct gomp_plugin_device *dev, size_t size, size_t align, gomp_devptr_t *ptr)
{
  void *block;
  (void) dev;
  if (posix_memalign (&block, align < sizeof (void *) ? sizeof (void *) : align, size) != 0)
    {
      core->set_error ("posix_memalign of %zu bytes failed", size);
      return GOMP_OUT_OF_DEVICE_MEMORY;
    }
  *ptr = (uintptr_t) block;
  return GOMP_OK;
}

static gomp_status_t
null_free (struct gomp_plugin_device *dev, gomp_devptr_t ptr)
{
  (void) dev;
  free ((void *) (uintptr_t) ptr);
  return GOMP_OK;
}

/* ---- queues and events ---- */

static gomp_status_t
null_queue_create (struct gomp_plugin_device *dev, struct gomp_plugin_queue **queue)
{
  *queue = malloc (sizeof (**queue));
  if (*queue == NULL)
    return GOMP_OUT_OF_HOST_MEMORY;
  (*queue)->dev = dev;
  return GOMP_OK;
}

static void
null_queue_destroy (struct gomp_plugin_queue *queue)
{
  free (queue);
}

static gomp_status_t
null_queue_wait (struct gomp_plugin_queue *queue)
{
  (void) queue;
  return GOMP_OK;
}

static gomp_status_t
null_queue_wait_event (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event)
{
  (void) queue;
  (void) event;
  return GOMP_OK;
}

static gomp_status_t
null_event_create (struct gomp_plugin_device *dev, struct gomp_plugin_event **event)
{
  (void) dev;
  *event = malloc (sizeof (**event));
  if (*event == NULL)
    return GOMP_OUT_OF_HOST_MEMORY;
  (*event)->word = &reached;
  (*event)->target = 0;
  return GOMP_OK;
}

static void
null_event_destroy (struct gomp_plugin_event *event)
{
  free (event);
}

static gomp_status_t
null_event_record (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event)
{
  (void) queue;
  (void) event;
  return GOMP_OK;
}

static gomp_status_t
null_event_wait (struct gomp_plugin_event *event)
{
  (void) event;
  return GOMP_OK;
}

/* ---- copies, images, launches ---- */

static void
move (void *dst, const void *src, size_t size)
{
  if (copy_us != 0)
    nanosleep (&(struct timespec) { copy_us / 1000000, copy_us % 1000000 * 1000 }, NULL);
  memcpy (dst, src, size);
}

static gomp_status_t
null_h2d (struct gomp_plugin_queue *queue, gomp_devptr_t dst, const void *src, size_t size)
{
  (void) queue;
  move ((void *) (uintptr_t) dst, src, size);
  return GOMP_OK;
}

static gomp_status_t
null_d2h (struct gomp_plugin_queue *queue, void *dst, gomp_devptr_t src, size_t size)
{
  (void) queue;
  move (dst, (const void *) (uintptr_t) src, size);
  return GOMP_OK;
}

static gomp_status_t
null_image_load (struct gomp_plugin_device *dev, const struct gomp_image_desc *desc,
		 const struct gomp_device_icvs *icvs, struct gomp_plugin_image **image)
{
  (void) dev;
  (void) icvs;
  *image = malloc (sizeof (**image));
  if (*image == NULL)
    return GOMP_OUT_OF_HOST_MEMORY;
  (*image)->desc = desc;
  return GOMP_OK;
}

static gomp_status_t
null_image_unload (struct gomp_plugin_image *image)
{
  free (image);
  return GOMP_OK;
}

static gomp_status_t
null_image_function (struct gomp_plugin_image *image, size_t index)
{
  return index < image->desc->num_funcs ? GOMP_OK : GOMP_NOT_FOUND;
}

static gomp_status_t
null_image_variable (struct gomp_plugin_image *image, size_t index, gomp_devptr_t *addr,
		     uint64_t *size)
{
  if (index >= image->desc->num_vars)
    return GOMP_NOT_FOUND;
  *addr = image->desc->host_vars[index].host_addr;
  *size = image->desc->host_vars[index].size;
  return GOMP_OK;
}

static gomp_status_t
null_launch (struct gomp_plugin_queue *queue, struct gomp_plugin_image *image, size_t index,
	     const struct gomp_launch *launch)
{
  (void) queue;
  void (*fn) (void *) = (void (*) (void *)) image->desc->host_funcs[index];
  fn ((void *) (uintptr_t) launch->args);
  return GOMP_OK;
}

const struct gomp_plugin GOMPX_plugin =
{
  .api_version = GOMP_PLUGIN_API_VERSION,
  .struct_size = sizeof (struct gomp_plugin),
  .name = "null",
  .init = null_init,
  .device_attr = null_attr,
  .device_open = null_open,
  .device_close = null_close,
  .mem_alloc = null_alloc,
  .mem_free = null_free,
  .queue_create = null_queue_create,
  .queue_destroy = null_queue_destroy,
  .queue_wait = null_queue_wait,
  .queue_wait_event = null_queue_wait_event,
  .event_create = null_event_create,
  .event_destroy = null_event_destroy,
  .event_record = null_event_record,
  .event_wait = null_event_wait,
  .copy_h2d = null_h2d,
  .copy_d2h = null_d2h,
  .image_load = null_image_load,
  .image_unload = null_image_unload,
  .image_function = null_image_function,
  .image_variable = null_image_variable,
  .launch = null_launch
};
