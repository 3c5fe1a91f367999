/* nvptx-interop.c -- objects of the interop construct: not supported yet.  Every slot says so.  */

#include "nvptx.h"

gomp_status_t
nvptx_interop_open (struct gomp_plugin_device *dev)
{
  (void) dev;
  return GOMP_OK;
}

void
nvptx_interop_close (struct gomp_plugin_device *dev, bool exiting)
{
  (void) dev;
  (void) exiting;
}

gomp_status_t
nvptx_interop_create (struct gomp_plugin_device *dev, struct gomp_interop_object *object)
{
  (void) dev;
  (void) object;
  nvptx_core->set_error ("the nvptx plugin has no interop objects");
  return GOMP_UNSUPPORTED;
}

gomp_status_t
nvptx_interop_sync (struct gomp_plugin_device *dev, struct gomp_interop_object *object)
{
  (void) dev;
  (void) object;
  return GOMP_UNSUPPORTED;
}

gomp_status_t
nvptx_interop_destroy (struct gomp_plugin_device *dev, struct gomp_interop_object *object)
{
  (void) dev;
  (void) object;
  return GOMP_UNSUPPORTED;
}
