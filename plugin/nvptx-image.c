/* nvptx-image.c -- images: tables, functions, variables: not supported yet.  Every slot says so.  */

#include "nvptx.h"

static gomp_status_t
unsupported (const char *slot)
{
  nvptx_core->set_error ("the nvptx plugin does not support %s yet", slot);
  return GOMP_UNSUPPORTED;
}

gomp_status_t
nvptx_image_open (struct gomp_plugin_device *dev)
{
  (void) dev;
  return GOMP_OK;
}

void
nvptx_image_close (struct gomp_plugin_device *dev, bool exiting)
{
  (void) dev;
  (void) exiting;
}

gomp_status_t
nvptx_image_load (struct gomp_plugin_device *dev, const struct gomp_image_desc *desc,
		  const struct gomp_device_icvs *icvs, struct gomp_plugin_image **image)
{
  (void) dev;
  (void) desc;
  (void) icvs;
  (void) image;
  return unsupported ("image_load");
}

gomp_status_t
nvptx_image_unload (struct gomp_plugin_image *image)
{
  (void) image;
  return unsupported ("image_unload");
}

gomp_status_t
nvptx_image_function (struct gomp_plugin_image *image, size_t index)
{
  (void) image;
  (void) index;
  return unsupported ("image_function");
}

gomp_status_t
nvptx_image_variable (struct gomp_plugin_image *image, size_t index, gomp_devptr_t *addr,
		      uint64_t *size)
{
  (void) image;
  (void) index;
  (void) addr;
  (void) size;
  return unsupported ("image_variable");
}

gomp_status_t
nvptx_device_icvs (struct gomp_plugin_device *dev, struct gomp_device_icvs *icvs)
{
  (void) dev;
  (void) icvs;
  return unsupported ("device_icvs");
}

struct nvptx_kernel *
nvptx_image_kernel (struct gomp_plugin_image *image, size_t index, gomp_status_t *status)
{
  (void) image;
  (void) index;
  *status = unsupported ("image_kernel");
  return NULL;
}
