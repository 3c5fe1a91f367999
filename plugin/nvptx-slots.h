/* nvptx-slots.h -- requests of device code that has our device library, for nvptx-reverse.c.  */

#ifndef GOMPX_NVPTX_SLOTS_H
#define GOMPX_NVPTX_SLOTS_H 1

#include "nvptx.h"
#include "slots.h"

#pragma GCC visibility push (hidden)

struct nvptx_slots
{
  struct gompx_slots *area;	/* pinned; fixed */
  CUdeviceptr device;		/* struct gompx_reverse: what the variable gompx_reverse of an image has to
				   hold.  Fixed */
  struct plugin_slots *requests;	/* fixed */
};

/* Make the area of DEV, which the caller has entered.  */
gomp_status_t nvptx_slots_new (struct gomp_plugin_device *dev, struct nvptx_slots *slots);
void nvptx_slots_free (struct gomp_plugin_device *dev, struct nvptx_slots *slots);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_SLOTS_H */
