/* nvptx-copy.c -- copies and fills: not supported yet.  Every slot says so.  */

#include "nvptx.h"

static gomp_status_t
unsupported (const char *slot)
{
  nvptx_core->set_error ("the nvptx plugin does not support %s yet", slot);
  return GOMP_UNSUPPORTED;
}

gomp_status_t
nvptx_copy_open (struct gomp_plugin_device *dev)
{
  (void) dev;
  return GOMP_OK;
}

void
nvptx_copy_close (struct gomp_plugin_device *dev, bool exiting)
{
  (void) dev;
  (void) exiting;
}

gomp_status_t
nvptx_copy_h2d (struct gomp_plugin_queue *queue, gomp_devptr_t dst, const void *src, size_t size)
{
  (void) queue;
  (void) dst;
  (void) src;
  (void) size;
  return unsupported ("copy_h2d");
}

gomp_status_t
nvptx_copy_d2h (struct gomp_plugin_queue *queue, void *dst, gomp_devptr_t src, size_t size)
{
  (void) queue;
  (void) dst;
  (void) src;
  (void) size;
  return unsupported ("copy_d2h");
}

gomp_status_t
nvptx_copy_d2d (struct gomp_plugin_queue *queue, struct gomp_plugin_device *dst_dev, gomp_devptr_t dst,
		struct gomp_plugin_device *src_dev, gomp_devptr_t src, size_t size)
{
  (void) queue;
  (void) dst_dev;
  (void) dst;
  (void) src_dev;
  (void) src;
  (void) size;
  return unsupported ("copy_d2d");
}

gomp_status_t
nvptx_copy3d_h2d (struct gomp_plugin_queue *queue, gomp_devptr_t dst, const void *src,
		  const struct gomp_copy3d *shape)
{
  (void) queue;
  (void) dst;
  (void) src;
  (void) shape;
  return unsupported ("copy3d_h2d");
}

gomp_status_t
nvptx_copy3d_d2h (struct gomp_plugin_queue *queue, void *dst, gomp_devptr_t src,
		  const struct gomp_copy3d *shape)
{
  (void) queue;
  (void) dst;
  (void) src;
  (void) shape;
  return unsupported ("copy3d_d2h");
}

gomp_status_t
nvptx_fill (struct gomp_plugin_queue *queue, gomp_devptr_t dst, uint8_t value, size_t size)
{
  (void) queue;
  (void) dst;
  (void) value;
  (void) size;
  return unsupported ("fill");
}
