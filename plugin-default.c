/* plugin-default.c -- what happens where a plugin leaves a slot of its table NULL.

   Some defaults are complete functions.  Others need another slot of the same table, which a
   slot's arguments do not lead to: those answer GOMP_UNSUPPORTED, and the gomp_dev_* functions
   below, which the core calls instead of the slot, find another way.  */

#include "libgomp.h"
#include "plugins.h"
#include "target.h"

static void
default_fini (bool exiting)
{
  (void) exiting;
}

static gomp_status_t
default_device_fault (struct gomp_plugin_device *dev, struct gomp_fault *fault)
{
  (void) dev;
  (void) fault;
  return GOMP_NOT_FOUND;
}

static void
default_progress (struct gomp_plugin_device *dev)
{
  (void) dev;
}

static bool
default_device_nap (struct gomp_plugin_device *dev, const _Atomic uint32_t *word, uint32_t value,
		    uint64_t ns)
{
  (void) dev;
  (void) word;
  (void) value;
  (void) ns;
  return false;
}

static gomp_status_t
default_mem_info (struct gomp_plugin_device *dev, uint64_t *free_bytes, uint64_t *total_bytes)
{
  (void) dev;
  (void) free_bytes;
  (void) total_bytes;
  return GOMP_UNSUPPORTED;
}

static gomp_status_t
default_host_alloc (struct gomp_plugin_device *dev, size_t size, void **ptr)
{
  (void) dev;
  *ptr = malloc (size);
  return *ptr != NULL ? GOMP_OK : GOMP_OUT_OF_HOST_MEMORY;
}

static gomp_status_t
default_host_free (struct gomp_plugin_device *dev, void *ptr)
{
  (void) dev;
  free (ptr);
  return GOMP_OK;
}

static bool
default_is_accessible (struct gomp_plugin_device *dev, const void *ptr, size_t size)
{
  (void) dev;
  (void) ptr;
  (void) size;
  return false;
}

#define default_is_pinned default_is_accessible

static gomp_status_t
default_queue_flush (struct gomp_plugin_queue *queue)
{
  (void) queue;
  return GOMP_OK;
}

static gomp_status_t
default_queue_wait_event (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event)
{
  (void) queue;
  (void) event;
  return GOMP_UNSUPPORTED;
}

static gomp_status_t
default_queue_follow (struct gomp_plugin_queue *queue, struct gomp_plugin_queue *other)
{
  (void) queue;
  (void) other;
  return GOMP_UNSUPPORTED;
}

static gomp_status_t
default_event_status (struct gomp_plugin_event *event)
{
  (void) event;
  return GOMP_OK;
}

static gomp_status_t
default_event_time (struct gomp_plugin_event *event, uint64_t *begin, uint64_t *end)
{
  (void) event;
  (void) begin;
  (void) end;
  return GOMP_UNSUPPORTED;
}

static gomp_status_t
default_copy_d2d (struct gomp_plugin_queue *queue,
		  struct gomp_plugin_device *dst_dev, gomp_devptr_t dst,
		  struct gomp_plugin_device *src_dev, gomp_devptr_t src, size_t size)
{
  (void) queue;
  (void) dst_dev;
  (void) dst;
  (void) src_dev;
  (void) src;
  (void) size;
  return GOMP_UNSUPPORTED;
}

static gomp_status_t
default_copy3d_h2d (struct gomp_plugin_queue *queue, gomp_devptr_t dst, const void *src,
		    const struct gomp_copy3d *shape)
{
  (void) queue;
  (void) dst;
  (void) src;
  (void) shape;
  return GOMP_UNSUPPORTED;
}

static gomp_status_t
default_copy3d_d2h (struct gomp_plugin_queue *queue, void *dst, gomp_devptr_t src,
		    const struct gomp_copy3d *shape)
{
  (void) queue;
  (void) dst;
  (void) src;
  (void) shape;
  return GOMP_UNSUPPORTED;
}

static gomp_status_t
default_fill (struct gomp_plugin_queue *queue, gomp_devptr_t dst, uint8_t value, size_t size)
{
  (void) queue;
  (void) dst;
  (void) value;
  (void) size;
  return GOMP_UNSUPPORTED;
}

static gomp_status_t
default_reverse_enable (struct gomp_plugin_device *dev)
{
  (void) dev;
  return GOMP_UNSUPPORTED;
}

static gomp_status_t
default_managed_alloc (struct gomp_plugin_device *dev, size_t size, void **ptr)
{
  (void) dev;
  (void) size;
  (void) ptr;
  return GOMP_UNSUPPORTED;
}

static gomp_status_t
default_managed_free (struct gomp_plugin_device *dev, void *ptr)
{
  (void) dev;
  (void) ptr;
  return GOMP_UNSUPPORTED;
}

static gomp_status_t
default_interop (struct gomp_plugin_device *dev, struct gomp_interop_object *object)
{
  (void) dev;
  (void) object;
  return GOMP_UNSUPPORTED;
}
#define default_interop_create default_interop
#define default_interop_sync default_interop
#define default_interop_destroy default_interop

static gomp_status_t
default_device_icvs (struct gomp_plugin_device *dev, struct gomp_device_icvs *icvs)
{
  (void) dev;
  (void) icvs;
  return GOMP_UNSUPPORTED;
}

static gomp_status_t
default_image_copy (const struct gomp_image_desc *desc, void **copy)
{
  (void) desc;
  (void) copy;
  return GOMP_UNSUPPORTED;
}

static gomp_status_t
default_image_prepare (struct gomp_plugin_device *dev, const struct gomp_image_desc *desc,
		       struct gomp_prepared *prepared)
{
  (void) dev;
  (void) desc;
  (void) prepared;
  return GOMP_UNSUPPORTED;
}

static bool
default_reverse_poll (struct gomp_plugin_device *dev)
{
  (void) dev;
  return false;
}

static gomp_status_t
default_reverse_wait (struct gomp_plugin_device *dev)
{
  (void) dev;
  return GOMP_UNSUPPORTED;
}

static void
default_reverse_wake (struct gomp_plugin_device *dev)
{
  (void) dev;
}

static gomp_status_t
default_check_view (struct gomp_plugin_device *dev, gomp_devptr_t addr, size_t size,
		    const uint8_t **marks, const void **data)
{
  (void) dev;
  (void) addr;
  (void) size;
  (void) marks;
  (void) data;
  return GOMP_UNSUPPORTED;
}

static gomp_status_t
default_check_mark (struct gomp_plugin_device *dev, gomp_devptr_t addr, size_t size,
		    unsigned set, unsigned clear)
{
  (void) dev;
  (void) addr;
  (void) size;
  (void) set;
  (void) clear;
  return GOMP_UNSUPPORTED;
}

static size_t
default_check_take (struct gomp_plugin_device *dev, struct gomp_check_access *accesses, size_t max)
{
  (void) dev;
  (void) accesses;
  (void) max;
  return 0;
}

static const char *
default_info (struct gomp_plugin_device *dev, unsigned key)
{
  (void) dev;
  (void) key;
  return NULL;
}

const char *
gomp_plugin_fill_defaults (struct gomp_plugin *ops)
{
#define REQUIRED(slot) if (ops->slot == NULL) return #slot
#define OPTIONAL(slot) if (ops->slot == NULL) ops->slot = default_##slot
  REQUIRED (init);
  OPTIONAL (fini);
  REQUIRED (device_attr);
  REQUIRED (device_open);
  REQUIRED (device_close);
  OPTIONAL (device_fault);
  OPTIONAL (progress);
  OPTIONAL (device_nap);
  REQUIRED (mem_alloc);
  REQUIRED (mem_free);
  OPTIONAL (mem_info);
  if ((ops->host_alloc == NULL) != (ops->host_free == NULL))
    return ops->host_alloc == NULL ? "host_alloc" : "host_free";
  OPTIONAL (host_alloc);
  OPTIONAL (host_free);
  OPTIONAL (is_accessible);
  OPTIONAL (is_pinned);
  REQUIRED (queue_create);
  REQUIRED (queue_destroy);
  OPTIONAL (queue_flush);
  REQUIRED (queue_wait);
  OPTIONAL (queue_wait_event);
  OPTIONAL (queue_follow);
  REQUIRED (event_create);
  REQUIRED (event_destroy);
  REQUIRED (event_record);
  REQUIRED (event_wait);
  OPTIONAL (event_status);
  OPTIONAL (event_time);
  REQUIRED (copy_h2d);
  REQUIRED (copy_d2h);
  OPTIONAL (copy_d2d);
  OPTIONAL (copy3d_h2d);
  OPTIONAL (copy3d_d2h);
  OPTIONAL (fill);
  REQUIRED (image_load);
  REQUIRED (image_unload);
  REQUIRED (image_function);
  REQUIRED (image_variable);
  OPTIONAL (image_copy);
  OPTIONAL (image_prepare);
  REQUIRED (launch);
  OPTIONAL (reverse_enable);
  OPTIONAL (reverse_poll);
  OPTIONAL (reverse_wait);
  OPTIONAL (reverse_wake);
  if ((ops->managed_alloc == NULL) != (ops->managed_free == NULL))
    return ops->managed_alloc == NULL ? "managed_alloc" : "managed_free";
  OPTIONAL (managed_alloc);
  OPTIONAL (managed_free);
  OPTIONAL (interop_create);
  OPTIONAL (interop_sync);
  OPTIONAL (interop_destroy);
  OPTIONAL (device_icvs);
  OPTIONAL (check_view);
  OPTIONAL (check_mark);
  OPTIONAL (check_take);
  OPTIONAL (info);
#undef REQUIRED
#undef OPTIONAL
  return NULL;
}

/* ---- slots whose default is made of other slots ---- */

gomp_status_t
gomp_dev_queue_wait_event (struct gomp_device *dev, struct gomp_plugin_queue *queue,
			   struct gomp_plugin_event *event)
{
  gomp_status_t status = dev->ops->queue_wait_event (queue, event);
  return status == GOMP_UNSUPPORTED ? dev->ops->event_wait (event) : status;
}

gomp_status_t
gomp_dev_copy3d_h2d (struct gomp_device *dev, struct gomp_plugin_queue *queue,
		     gomp_devptr_t dst, const void *src, const struct gomp_copy3d *shape)
{
  gomp_status_t status = dev->ops->copy3d_h2d (queue, dst, src, shape);
  if (status != GOMP_UNSUPPORTED)
    return status;
  status = GOMP_OK;
  for (size_t z = 0; z < shape->count[2]; z++)
    for (size_t y = 0; y < shape->count[1] && status == GOMP_OK; y++)
      status = dev->ops->copy_h2d (queue,
				   dst + z * shape->dst_stride[1] + y * shape->dst_stride[0],
				   (const char *) src + z * shape->src_stride[1]
				   + y * shape->src_stride[0], shape->count[0]);
  return status;
}

gomp_status_t
gomp_dev_copy3d_d2h (struct gomp_device *dev, struct gomp_plugin_queue *queue,
		     void *dst, gomp_devptr_t src, const struct gomp_copy3d *shape)
{
  gomp_status_t status = dev->ops->copy3d_d2h (queue, dst, src, shape);
  if (status != GOMP_UNSUPPORTED)
    return status;
  status = GOMP_OK;
  for (size_t z = 0; z < shape->count[2]; z++)
    for (size_t y = 0; y < shape->count[1] && status == GOMP_OK; y++)
      status = dev->ops->copy_d2h (queue,
				   (char *) dst + z * shape->dst_stride[1]
				   + y * shape->dst_stride[0],
				   src + z * shape->src_stride[1] + y * shape->src_stride[0],
				   shape->count[0]);
  return status;
}
