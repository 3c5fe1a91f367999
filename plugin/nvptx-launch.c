/* nvptx-launch.c -- launches: not supported yet.  Every slot says so.  */

#include "nvptx.h"

static gomp_status_t
unsupported (const char *slot)
{
  nvptx_core->set_error ("the nvptx plugin does not support %s yet", slot);
  return GOMP_UNSUPPORTED;
}

gomp_status_t
nvptx_launch_open (struct gomp_plugin_device *dev)
{
  (void) dev;
  return GOMP_OK;
}

void
nvptx_launch_close (struct gomp_plugin_device *dev, bool exiting)
{
  (void) dev;
  (void) exiting;
}

gomp_status_t
nvptx_launch (struct gomp_plugin_queue *queue, struct gomp_plugin_image *image, size_t index,
	      const struct gomp_launch *launch)
{
  (void) queue;
  (void) image;
  (void) index;
  (void) launch;
  return unsupported ("launch");
}
