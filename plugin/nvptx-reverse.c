/* nvptx-reverse.c -- calls of device code to the host: not supported yet.  Every slot says so.  */

#include "nvptx.h"

static gomp_status_t
unsupported (const char *slot)
{
  nvptx_core->set_error ("the nvptx plugin does not support %s yet", slot);
  return GOMP_UNSUPPORTED;
}

gomp_status_t
nvptx_reverse_open (struct gomp_plugin_device *dev)
{
  (void) dev;
  return GOMP_OK;
}

void
nvptx_reverse_close (struct gomp_plugin_device *dev, bool exiting)
{
  (void) dev;
  (void) exiting;
}

gomp_status_t
nvptx_reverse_enable (struct gomp_plugin_device *dev)
{
  (void) dev;
  return unsupported ("reverse_enable");
}

gomp_status_t
nvptx_reverse_wait (struct gomp_plugin_device *dev)
{
  (void) dev;
  return unsupported ("reverse_wait");
}

bool
nvptx_reverse_poll (struct gomp_plugin_device *dev)
{
  (void) dev;
  return false;
}

void
nvptx_reverse_wake (struct gomp_plugin_device *dev)
{
  (void) dev;
}
