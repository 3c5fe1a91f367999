/* nvptx-limit.h -- the limit of the GPU's own stacks, for the nvptx plugin.  */

#ifndef GOMPX_NVPTX_LIMIT_H
#define GOMPX_NVPTX_LIMIT_H 1

#include "nvptx.h"
#include "nvptx-lanes.h"

#pragma GCC visibility push (hidden)

/* Kernels with versions for lanes are going to run on DEV.  For this and the other ones: the
   caller has entered DEV; the driver may wait for all kernels.  */
void nvptx_limit_lanes (struct gomp_plugin_device *dev, const struct nvptx_lane_stack *lanes);
/* Kernels that make tasks are.  */
void nvptx_limit_tasks (struct gomp_plugin_device *dev);
/* A kernel with NVPTX_CODE_RECURSION is; LANES: it is a version for lanes, else NULL.  False: these
   would not have as much as warps.  */
bool nvptx_limit_recursion (struct gomp_plugin_device *dev, const struct nvptx_lane_stack *lanes);
/* Kernels that the driver knows to need BYTES at most are.  */
void nvptx_limit_known (struct gomp_plugin_device *dev, size_t bytes);

/* The limit where recursion may have gone beyond it; 0: no kernel has recursion.  */
size_t nvptx_limit_suspect (const struct gomp_plugin_device *dev);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_LIMIT_H */
