/* nvptx-lanes-image.h -- lane mode of images: the setting, what users are told, kernels' second versions.  */

#ifndef GOMPX_NVPTX_LANES_IMAGE_H
#define GOMPX_NVPTX_LANES_IMAGE_H 1

#include "nvptx-lanes.h"
#include "nvptx-setup.h"

#pragma GCC visibility push (hidden)

/* Read GOMP_NVPTX_LANES and GOMP_NVPTX_LANES_STRIDE, _BLOCKS and _NEST.  GOMP_INVALID, with a text:
   it makes no sense.  Called by init.  */
gomp_status_t nvptx_lanes_init (const struct gomp_plugin_core *core);

/* Is lane mode to be looked for in IMAGE?  */
bool nvptx_lanes_wanted (const struct nvptx_image *image);
/* A number for all the settings that have a say in what nvptx_lanes_look makes for DEV, and whether it is asked.  */
uint32_t nvptx_lanes_setting (const struct gomp_plugin_device *dev);
/* Is a start to wait until the version with lanes is linked?  */
bool nvptx_lanes_wait (void);
/* May a first start begin with the versions with lanes?  */
bool nvptx_lanes_first (void);
/* Are the two versions not to be linked for DEV, since nobody has asked for lanes and no other process can do it?  */
bool nvptx_lanes_only_first (const struct gomp_plugin_device *dev);
/* Has the user asked for lanes, so that the end of the process may wait for a link?  */
bool nvptx_lanes_asked_for (void);
/* Look at NUM objects that are to be linked for IMAGE, the last NUM_OURS of which are of our library.  LANES->objects
   are to be linked in their place, and don't refer to their texts; NULL: no region can have lane mode.  The caller
   frees LANES.  False: out of memory.  */
bool nvptx_lanes_look (const struct nvptx_image *image, const struct nvptx_object *objects, size_t num,
		       size_t num_ours, struct nvptx_lanes *lanes);

/* The lane version of KERNEL, or that for warps without the library, if MODULE has one: filled in, in memory of malloc, and with their race
   unless there is nothing to choose.  Under link_lock; the caller has entered the device.  NULL: there
   is none.  */
struct nvptx_kernel *nvptx_lanes_twin (struct nvptx_kernel *kernel, CUmodule module);

/* Can a launch with this thread_limit have TWIN?  */
bool nvptx_lanes_suit (const struct nvptx_kernel *twin, int limit);
#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_LANES_IMAGE_H */
