/* plugin-fault.c -- fault injection for any plugin, in builds with --enable-checking.

   GOMPX_FAULT=NAME:N makes the Nth call of plugin NAME fail, counted over all slots below, of all
   threads.  What would enqueue or make something fails instead of being done.  What waits or tells
   the result of operations is done first and then fails, as if an operation had.  Each plugin
   so shows what its failures lead to, the real ones, which fail rarely, too; the test plugin has more
   such knobs.  plugins.c calls it when it has accepted a plugin's table.  In other builds there is
   nothing of it.  */

#include "libgomp.h"
#include "plugins.h"

#if GOMP_CHECKING

#include <stdio.h>
#include <stdlib.h>

static struct gomp_plugin real;	/* fixed once the plugin is in use */
static const struct gomp_plugin_core *core;	/* the same */
static long nth;		/* the same */
static _Atomic (long) xcalls;	/* relaxed: a counter */

static gomp_status_t
fault_init (const struct gomp_plugin_core *services, unsigned *num_devices)
{
  core = services;
  return real.init (services, num_devices);
}

/* Is this the call of SLOT that has to fail?  */
static bool
fails (const char *slot)
{
  if (gomp_add_relaxed (&xcalls, 1) + 1 != nth)
    return false;
  dprintf (2, "fault injection: call %ld, %s, fails\n", nth, slot);
  core->set_error ("%s failed: as ordered by GOMPX_FAULT", slot);
  return true;
}

/* Slot NAME fails instead of being called.  */
#define INSTEAD(name, parameters, arguments)				\
  static gomp_status_t							\
  fault_##name parameters						\
  {									\
    return fails (#name) ? GOMP_DRIVER_ERROR : real.name arguments;	\
  }
/* It is called, and then fails.  */
#define AFTERWARDS(name, parameters, arguments)				\
  static gomp_status_t							\
  fault_##name parameters						\
  {									\
    gomp_status_t status = real.name arguments;				\
    return status == GOMP_OK && fails (#name) ? GOMP_DRIVER_ERROR : status; \
  }

INSTEAD (device_open, (unsigned ordinal, void *core_device, struct gomp_plugin_device **dev),
	 (ordinal, core_device, dev))
INSTEAD (mem_alloc, (struct gomp_plugin_device *dev, size_t size, size_t align, gomp_devptr_t *ptr),
	 (dev, size, align, ptr))
INSTEAD (host_alloc, (struct gomp_plugin_device *dev, size_t size, void **ptr), (dev, size, ptr))
INSTEAD (queue_create, (struct gomp_plugin_device *dev, struct gomp_plugin_queue **queue),
	 (dev, queue))
AFTERWARDS (queue_flush, (struct gomp_plugin_queue *queue), (queue))
AFTERWARDS (queue_wait, (struct gomp_plugin_queue *queue), (queue))
INSTEAD (queue_wait_event, (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event),
	 (queue, event))
INSTEAD (queue_follow, (struct gomp_plugin_queue *queue, struct gomp_plugin_queue *other),
	 (queue, other))
INSTEAD (event_create, (struct gomp_plugin_device *dev, struct gomp_plugin_event **event),
	 (dev, event))
INSTEAD (event_record, (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event),
	 (queue, event))
AFTERWARDS (event_wait, (struct gomp_plugin_event *event), (event))
AFTERWARDS (event_status, (struct gomp_plugin_event *event), (event))
INSTEAD (copy_h2d, (struct gomp_plugin_queue *queue, gomp_devptr_t dst, const void *src,
		    size_t size), (queue, dst, src, size))
INSTEAD (copy_d2h, (struct gomp_plugin_queue *queue, void *dst, gomp_devptr_t src, size_t size),
	 (queue, dst, src, size))
INSTEAD (copy_d2d, (struct gomp_plugin_queue *queue, struct gomp_plugin_device *dst_dev,
		    gomp_devptr_t dst, struct gomp_plugin_device *src_dev, gomp_devptr_t src,
		    size_t size), (queue, dst_dev, dst, src_dev, src, size))
INSTEAD (copy3d_h2d, (struct gomp_plugin_queue *queue, gomp_devptr_t dst, const void *src,
		      const struct gomp_copy3d *shape), (queue, dst, src, shape))
INSTEAD (copy3d_d2h, (struct gomp_plugin_queue *queue, void *dst, gomp_devptr_t src,
		      const struct gomp_copy3d *shape), (queue, dst, src, shape))
INSTEAD (fill, (struct gomp_plugin_queue *queue, gomp_devptr_t dst, uint8_t value, size_t size),
	 (queue, dst, value, size))
INSTEAD (image_load, (struct gomp_plugin_device *dev, const struct gomp_image_desc *desc,
		      const struct gomp_device_icvs *icvs, struct gomp_plugin_image **image),
	 (dev, desc, icvs, image))
INSTEAD (image_copy, (const struct gomp_image_desc *desc, void **copy), (desc, copy))
INSTEAD (image_prepare, (struct gomp_plugin_device *dev, const struct gomp_image_desc *desc,
			 struct gomp_prepared *prepared), (dev, desc, prepared))
INSTEAD (launch, (struct gomp_plugin_queue *queue, struct gomp_plugin_image *image, size_t index,
		  const struct gomp_launch *launch), (queue, image, index, launch))

void
gomp_plugin_inject (const char *name, struct gomp_plugin *ops)
{
  const char *fault = gomp_getenv ("GOMPX_FAULT", false);
  size_t len = strlen (name);

  if (fault == NULL || strncmp (fault, name, len) != 0 || fault[len] != ':'
      || (nth = strtol (fault + len + 1, NULL, 10)) <= 0)
    return;
  real = *ops;
#define REPLACE(slot) ops->slot = fault_##slot
  REPLACE (init);
  REPLACE (device_open);
  REPLACE (mem_alloc);
  REPLACE (host_alloc);
  REPLACE (queue_create);
  REPLACE (queue_flush);
  REPLACE (queue_wait);
  REPLACE (queue_wait_event);
  REPLACE (queue_follow);
  REPLACE (event_create);
  REPLACE (event_record);
  REPLACE (event_wait);
  REPLACE (event_status);
  REPLACE (copy_h2d);
  REPLACE (copy_d2h);
  REPLACE (copy_d2d);
  REPLACE (copy3d_h2d);
  REPLACE (copy3d_d2h);
  REPLACE (fill);
  REPLACE (image_load);
  REPLACE (image_copy);
  REPLACE (image_prepare);
  REPLACE (launch);
}

#else

void
gomp_plugin_inject (const char *name, struct gomp_plugin *ops)
{
  (void) name;
  (void) ops;
}

#endif /* GOMP_CHECKING */
