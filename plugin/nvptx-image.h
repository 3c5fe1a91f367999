/* nvptx-image.h -- what nvptx-reverse.c asks of images.  */

#ifndef GOMPX_NVPTX_IMAGE_H
#define GOMPX_NVPTX_IMAGE_H 1

#include "nvptx.h"

#pragma GCC visibility push (hidden)

/* From now on device code finds a block of AREA, a device address, in GCC's variable for reverse
   offload: in the images that are linked already, and in later ones.  Each image has a block of its
   own, number N of them at NVPTX_REVERSE_STRIDE * N.  Images that have our library find SLOTS
   instead.  The caller has entered DEV.  */
gomp_status_t nvptx_image_offer_reverse (struct gomp_plugin_device *dev, CUdeviceptr area,
					 CUdeviceptr slots);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_IMAGE_H */
