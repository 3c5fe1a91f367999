/* nvptx-setup.h -- images, for the files that link them: nvptx-image.c, nvptx-setup.c.  */

#ifndef GOMPX_NVPTX_SETUP_H
#define GOMPX_NVPTX_SETUP_H 1

#include "nvptx.h"
#include "nvptx-decode.h"
#include "nvptx-lanes.h"
#include "nvptx-ptx.h"

#pragma GCC visibility push (hidden)

/* An image of a device.  Invariants are told in nvptx-image.c.  */
struct nvptx_image
{
  struct gomp_plugin_image shared;	/* first: this is what others see */
  struct nvptx_tables tables;
  const char *path;		/* the module, for messages */
  const uint64_t *host_indirect;	/* [num_indirect] */
  struct gomp_device_icvs icvs;	/* as image_load got them */
  _Atomic int *xready;		/* [num_kernels]: nvptx_kernel is filled */
  _Atomic int xall;		/* the driver has loaded all kernels that are filled, and all are to be; written under link_lock */

  pthread_mutex_t link_lock;	/* held while driver calls are made: not a leaf */
  _Atomic int xstate;		/* enum link_state; written under link_lock */
  gomp_status_t failure;	/* FAILED: how; under link_lock */

  /* Under link_lock: where kernels' code is, and the versions with lanes.  */
  struct nvptx_parts *parts;	/* kernels have modules of their own; the image's is the first one's.  NULL: the image's is of all */
  CUmodule twins;		/* which module has them: the image's, or one of its own; NULL: none */
  struct nvptx_lane_stack lane_stack;	/* of lanes in those, at most */
  void *_Atomic xcubin;		/* what has them, was linked meanwhile and is to be loaded: of malloc */

  CUdeviceptr icv_block;	/* 0: the image has none */
  bool sets_icvs;		/* device code can change them */
  CUdeviceptr indirect_map;
  CUfunction destructors;	/* NULL: none */

  /* Under dev->lock.  */
  CUdeviceptr reverse_variable;	/* GCC's; 0: not linked, or it has none */
  CUdeviceptr slots_variable;	/* our library's; then reverse_variable is 0 */
  unsigned reverse_slot;	/* its block, when it has the variable */
};

/* GCC's block of ICVs on the device.  */
struct icv_block
{
  int32_t device_num, default_device, nteams, teams_thread_limit;
};

/* CUBIN, in memory of malloc, has versions with lanes for IMAGE's kernels: the next launches load it.  */
void nvptx_image_linked (struct nvptx_image *image, void *cubin);

/* Give the module that was just loaded what its device library expects, and run its constructors.  Under
   link_lock; the caller has entered the device.  */
gomp_status_t nvptx_setup (struct nvptx_image *image);

/* The same for MODULE, which becomes the image's if that has none; or is a second one, that needs none but ICVs and what is told of the process.  If
   that fails the module is unloaded.  */
gomp_status_t nvptx_setup_loaded (struct nvptx_image *image, CUmodule module);

/* Where an image defines this function, the object that nvptx_setup_builder returns is linked to it.  */
#define NVPTX_MAP_BUILDER "build_indirect_map"
struct nvptx_object nvptx_setup_builder (void);

/* Copy SIZE bytes between the host and ADDR; they are free to change, or there, when this returns.  */
gomp_status_t nvptx_setup_write (struct nvptx_image *image, CUstream stream, CUdeviceptr addr,
				 const void *data, size_t size, const char *what);
gomp_status_t nvptx_setup_read (struct nvptx_image *image, CUstream stream, void *data,
				CUdeviceptr addr, size_t size, const char *what);

/* Run FUNCTION once in THREADS threads, with the top of a soft stack as its parameter.  It gets LIMIT ms
   (0: no limit).  */
gomp_status_t nvptx_setup_run (struct nvptx_image *image, CUstream stream, CUfunction function,
			       unsigned threads, unsigned limit, const char *what);

/* The image's block in the area for reverse offload, 0 while there is none; under dev->lock.  */
CUdeviceptr nvptx_setup_reverse (const struct nvptx_image *image);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_SETUP_H */
