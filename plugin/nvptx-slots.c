/* nvptx-slots.c -- memory for calls of device code to the host, from images that have our device library.

   The requests are slots.c's.  The area is pinned memory, what device code has of its own is device
   memory; both live as long as reverse offload is enabled for the device.

   Called by nvptx-reverse.c.  */

#include "nvptx-slots.h"

#include <string.h>

gomp_status_t
nvptx_slots_new (struct gomp_plugin_device *dev, struct nvptx_slots *s)
{
  size_t size = gompx_slots_size (GOMPX_SLOTS_MAX);
  struct gompx_reverse reverse
    = { .version = GOMPX_SLOTS_VERSION, .num_slots = GOMPX_SLOTS_MAX, .mask = GOMPX_SLOTS_MAX - 1 };
  CUdeviceptr address = 0;
  const struct plugin_slots_user user
    = { .core = nvptx_core, .core_device = dev->core_device, .ordinal = (int32_t) dev->ordinal,
	.calls = &dev->calls, .xlost = &dev->xlost };

  *s = (struct nvptx_slots) { .area = NULL };
  gomp_status_t status = nvptx_pinned_alloc (dev, size, (void **) &s->area, "reverse offload");
  if (status != GOMP_OK)
    return status;
  memset (s->area, 0, size);
  s->requests = plugin_slots_new (&user, s->area);
  if (s->requests == NULL)
    {
      nvptx_slots_free (dev, s);
      nvptx_core->set_error ("out of memory, while setting up reverse offload");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  status = NVPTX_CALL (dev, cuMemHostGetDevicePointer_v2, (&address, s->area, 0),
		       "setting up reverse offload");
  reverse.area = address;
  if (dev->facts->pageable_access)
    reverse.flags |= GOMPX_REVERSE_SHARED;
  if (status == GOMP_OK)
    status = NVPTX_CALL (dev, cuMemAlloc_v2, (&s->device, sizeof (reverse)),
			 "setting up reverse offload");
  /* No kernel runs yet that could be waited for.  */
  if (status == GOMP_OK)
    status = NVPTX_CALL (dev, cuMemcpyHtoD_v2, (s->device, &reverse, sizeof (reverse)),
			 "setting up reverse offload");
  if (status != GOMP_OK)
    nvptx_slots_free (dev, s);
  return status;
}

void
nvptx_slots_free (struct gomp_plugin_device *dev, struct nvptx_slots *s)
{
  if (s->device != 0 && !nvptx_is_lost (dev))
    (void) nvptx_check_quiet (dev, nvptx_cuda.cuMemFree_v2 (s->device));
  nvptx_pinned_free (dev, s->area);
  plugin_slots_free (s->requests);
}
