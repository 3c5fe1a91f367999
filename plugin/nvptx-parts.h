/* nvptx-parts.h -- images whose first kernels do not wait for the code of the others.  */

#ifndef GOMPX_NVPTX_PARTS_H
#define GOMPX_NVPTX_PARTS_H 1

#include "nvptx-home.h"
#include "nvptx-setup.h"
#include "nvptx-shake.h"
#include "nvptx-texts.h"

#pragma GCC visibility push (hidden)

struct nvptx_parts;

/* Link kernel FIRST of IMAGE alone and load it, while a thread links TEXTS, which are not in the cache.  *MODULE is the kernel's; it needs
   nvptx_setup.  If *MODULE is NULL the modules share variables or have versions with lanes, and the image has no module before nvptx_parts_module or nvptx_parts_need_whole,
   which set it up; only that is possible if FIRST is NULL.  Answers NULL if that can't be, or is not worth it; if *MODULE is not NULL then it is the whole,
   which was linked meanwhile.  Under link_lock; the caller has entered the device.  */
struct nvptx_parts *nvptx_parts_begin (struct nvptx_image *image, const struct nvptx_kernel *first,
				       struct nvptx_texts *texts, CUmodule *module);

/* Where declare target variable INDEX is, in bytes, for an image that has some.  */
void nvptx_parts_variable (const struct nvptx_parts *parts, size_t index, CUdeviceptr *address, size_t *size);

/* The address of GOMPX_REVERSE_VARIABLE for all modules of PARTS, which may be NULL; 0: they don't share one.  */
CUdeviceptr nvptx_parts_slots (const struct nvptx_parts *parts);

/* Make *JOINED of TEXTS, of the same program, such that modules of its objects share the variables of PARTS, too; TEXTS have to stay.  False: that can't be, and WHY
   says why; or modules of PARTS, which may be NULL, share none, and WHY is empty.  Before PARTS has linked a kernel.  */
bool nvptx_parts_join (const struct nvptx_parts *parts, struct nvptx_texts *texts, struct nvptx_home *joined, char why[NVPTX_TEXTS_WHY]);

/* Give code of *MODULE, which was loaded and is of such texts, or of PARTS, the addresses of the variables.  Failing that it is unloaded, and *MODULE
   is NULL.  Under link_lock; the caller has entered the device.  */
gomp_status_t nvptx_parts_tell (const struct nvptx_parts *parts, CUmodule *module);

/* *MODULE is one that has kernel K, set up: what was linked as a whole, or what that takes too long for, K alone.  If K can have lanes, it is
   with these, and has K itself only if it is asked for WARPS.  Under link_lock; the caller has entered the device.  */
gomp_status_t nvptx_parts_module (struct nvptx_parts *parts, const struct nvptx_kernel *k, bool warps, CUmodule *module);

/* Is there no whole yet?  For who asks before launches until there is: the thread begins, after some launches, even if nobody wants
   a second kernel.  Under link_lock.  */
bool nvptx_parts_lacks_whole (struct nvptx_parts *parts);

/* See to it that the whole is loaded: from then on other kernels' modules are that.  As nvptx_parts_module.  */
gomp_status_t nvptx_parts_need_whole (struct nvptx_parts *parts);

/* Wait for the thread, unload all modules but the image's and free the variables if UNLOAD, and free PARTS, which may be NULL.  The caller has
   entered the device if UNLOAD.  */
gomp_status_t nvptx_parts_end (struct nvptx_parts *parts, bool unload);

/* In a child of fork, where the threads are not.  */
void nvptx_parts_forked (void);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_PARTS_H */
