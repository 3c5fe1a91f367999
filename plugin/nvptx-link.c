/* nvptx-link.c -- linking the PTX of an image: not supported yet.  Every slot says so.  */

#include "nvptx.h"

static gomp_status_t
unsupported (const char *slot)
{
  nvptx_core->set_error ("the nvptx plugin does not support %s yet", slot);
  return GOMP_UNSUPPORTED;
}

gomp_status_t
nvptx_link (struct gomp_plugin_device *dev, const struct nvptx_object *objects, size_t count,
	    const char *what, void **cubin, size_t *size)
{
  (void) dev;
  (void) objects;
  (void) count;
  (void) what;
  (void) cubin;
  (void) size;
  return unsupported ("link");
}
