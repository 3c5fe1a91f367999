/* nvptx-copy.c -- copies and fills.

   Everything here is enqueued on a queue's stream and takes part in its order.  Called by the
   core only; who else in the plugin copies (images, indirect tables) does it synchronously.

   What the driver does with a copy depends on the host's side:
   - Pinned memory: the copy engine reads or writes it later; the call takes a microsecond.
   - Pageable memory, to the device: up to 64 KB are taken along at once; more is copied through
     memory of the driver's own while the caller waits.
   - Pageable memory, from the device: the caller waits for everything in the stream.
   So whoever calls is kept when he passes pageable memory.  The core does so with little data to the
   device only, and has the rest in pinned memory (staging.h), which is why nothing is staged here.
   - Memory of which the program has registered a part with the driver, and the rest not: the driver refuses it
     (CUDA_ERROR_INVALID_VALUE).  What is known to be pinned is so as a whole (nvptx_is_pinned), so it is other memory
     that can be like that; it is not asked for beforehand, as that takes longer than a small copy.

   Invariant: the host's memory is used at its own address; pinned memory of one device is pinned
   for all (CU_MEMHOSTALLOC_PORTABLE).  */

#define _GNU_SOURCE 1
#include "nvptx-ride.h"
#include "peek.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Not in the list of cuda-api.h's attributes for others.  */
enum { ATTRIBUTE_MAX_PITCH = 11 };

/* Written when the device is opened.  */
struct nvptx_copies
{
  size_t max_pitch;		/* bytes from row to row that the copy engines can do */
};

gomp_status_t
nvptx_copy_open (struct gomp_plugin_device *dev)
{
  int pitch = 0;

  dev->copies = calloc (1, sizeof (*dev->copies));
  if (dev->copies == NULL)
    {
      nvptx_core->set_error ("out of memory when opening device %u", dev->ordinal);
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  gomp_status_t status = NVPTX_CALL (dev, cuDeviceGetAttribute,
				     (&pitch, ATTRIBUTE_MAX_PITCH, dev->cuda),
				     "asking device %u for its largest pitch", dev->ordinal);
  dev->copies->max_pitch = pitch > 0 ? (size_t) pitch : 0;
  return status;
}

void
nvptx_copy_close (struct gomp_plugin_device *dev, bool exiting)
{
  /* At exit another thread may be in a copy.  */
  if (!exiting)
    {
      free (dev->copies);
      dev->copies = NULL;
    }
}

/* ---- memory of which a part is registered ---- */

/* What the driver takes along at once.  */
#define APART_PIECE ((size_t) 64 << 10)

/* Copy SIZE bytes from HOST to PIECE, or with BACK the other way.  False: there is no such memory at HOST.  */
static bool
move (void *piece, void *host, size_t size, bool back)
{
  if (gomp_peek_copy (back ? host : piece, back ? piece : host, size))
    return true;
  if (errno == EFAULT)
    return false;
  /* No pipe: the driver would not look before, either.  */
  memcpy (back ? host : piece, back ? piece : host, size);
  return true;
}

/* The driver has refused a copy between HOST and DEVICE, in the stream of QUEUE: try it by way of memory that it knows
   nothing of, which it has read, or written, when a call returns.  If HOST was not the reason it refuses that, too.  */
static CUresult __attribute__ ((noinline, cold))
copy_apart (struct gomp_plugin_queue *queue, gomp_devptr_t device, char *host, size_t size, bool back)
{
  CUresult result = CUDA_SUCCESS;
  CUstream stream = nvptx_queue_stream (queue);
  char *piece = mmap (NULL, APART_PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (piece == MAP_FAILED)
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t at = 0; at < size && result == CUDA_SUCCESS; at += APART_PIECE)
    {
      size_t n = size - at < APART_PIECE ? size - at : APART_PIECE;
      if (back)
	result = nvptx_cuda.cuMemcpyDtoHAsync_v2 (piece, device + at, n, stream);
      if (result == CUDA_SUCCESS && !move (piece, host + at, n, back))
	result = CUDA_ERROR_INVALID_VALUE;
      if (result == CUDA_SUCCESS && !back)
	result = nvptx_cuda.cuMemcpyHtoDAsync_v2 (device + at, piece, n, stream);
    }
  munmap (piece, APART_PIECE);
  return result;
}

/* ---- between host and device ---- */

gomp_status_t
nvptx_copy_h2d (struct gomp_plugin_queue *queue, gomp_devptr_t dst, const void *src, size_t size)
{
  struct gomp_plugin_device *dev = queue->dev;
  struct nvptx_queue *q = nvptx_queue_of (queue);
  struct nvptx_scope scope;

  /* What is held back before it goes first.  */
  gomp_status_t status = nvptx_ride_end (q);
  if (status == GOMP_OK && nvptx_ride_in (q, dst, src, size))
    return GOMP_OK;
  if (status == GOMP_OK)
    status = nvptx_enter (dev, &scope);
  if (status == GOMP_OK)
    {
      CUresult result = nvptx_cuda.cuMemcpyHtoDAsync_v2 (dst, src, size, nvptx_queue_stream (queue));
      if (__builtin_expect (result == CUDA_ERROR_INVALID_VALUE, 0))
	result = copy_apart (queue, dst, (char *) src, size, false);
      if (__builtin_expect (result != CUDA_SUCCESS, 0))
	status = nvptx_check (dev, result, "cuMemcpyHtoDAsync_v2", "copying %zu bytes from %p to %#llx on device %u",
			      size, src, (unsigned long long) dst, dev->ordinal);
      nvptx_leave (dev, &scope);
    }
  return status;
}

gomp_status_t
nvptx_copy_d2h (struct gomp_plugin_queue *queue, void *dst, gomp_devptr_t src, size_t size)
{
  struct gomp_plugin_device *dev = queue->dev;
  struct nvptx_queue *q = nvptx_queue_of (queue);
  struct nvptx_scope scope;

  if (nvptx_ride_out (q, dst, src, size))
    return GOMP_OK;
  gomp_status_t status = nvptx_ride_end (q);
  if (status == GOMP_OK)
    status = nvptx_enter (dev, &scope);
  if (status == GOMP_OK)
    {
      CUresult result = nvptx_cuda.cuMemcpyDtoHAsync_v2 (dst, src, size, nvptx_queue_stream (queue));
      if (__builtin_expect (result == CUDA_ERROR_INVALID_VALUE, 0))
	result = copy_apart (queue, src, dst, size, true);
      if (__builtin_expect (result != CUDA_SUCCESS, 0))
	status = nvptx_check (dev, result, "cuMemcpyDtoHAsync_v2", "copying %zu bytes from %#llx on device %u to %p",
			      size, (unsigned long long) src, dev->ordinal, dst);
      nvptx_leave (dev, &scope);
    }
  return status;
}

/* ---- between devices ---- */

gomp_status_t
nvptx_copy_d2d (struct gomp_plugin_queue *queue, struct gomp_plugin_device *dst_dev,
		gomp_devptr_t dst, struct gomp_plugin_device *src_dev, gomp_devptr_t src,
		size_t size)
{
  struct gomp_plugin_device *dev = queue->dev;
  struct nvptx_scope scope;

  gomp_status_t status = nvptx_ride_end (nvptx_queue_of (queue));
  if (status == GOMP_OK)
    status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  CUstream stream = nvptx_queue_stream (queue);
  if (dst_dev == src_dev)
    status = NVPTX_CALL (dev, cuMemcpyDtoDAsync_v2, (dst, src, size, stream),
			 "copying %zu bytes from %#llx to %#llx on device %u", size,
			 (unsigned long long) src, (unsigned long long) dst, dev->ordinal);
  else
    {
      /* If this fails the driver goes through the host.  */
      (void) nvptx_peer_enable (src_dev, dst_dev);
      status = NVPTX_CALL (dev, cuMemcpyPeerAsync,
			   (dst, dst_dev->context, src, src_dev->context, size, stream),
			   "copying %zu bytes from %#llx on device %u to %#llx on device %u", size,
			   (unsigned long long) src, src_dev->ordinal, (unsigned long long) dst,
			   dst_dev->ordinal);
    }
  nvptx_leave (dev, &scope);
  return status;
}

/* ---- rectangles ---- */

/* SHAPE with what does not matter made regular: a dimension of one has no stride, and planes of one
   row are rows.  */
static struct gomp_copy3d
normalise (const struct gomp_copy3d *given)
{
  struct gomp_copy3d s = *given;

  if (s.count[1] == 1)
    {
      s.count[1] = s.count[2];
      s.count[2] = 1;
      s.dst_stride[0] = s.dst_stride[1];
      s.src_stride[0] = s.src_stride[1];
    }
  if (s.count[1] == 1)
    s.dst_stride[0] = s.src_stride[0] = s.count[0];
  if (s.count[2] == 1)
    {
      s.dst_stride[1] = s.dst_stride[0] * s.count[1];
      s.src_stride[1] = s.src_stride[0] * s.count[1];
    }
  return s;
}

/* Are rows and planes with these strides what the driver understands: a plane is a whole number of
   rows, as many as are copied or more?  */
static bool
is_regular (size_t max_pitch, const size_t count[3], const size_t stride[2])
{
  return (stride[0] >= count[0] && stride[0] <= max_pitch && stride[1] % stride[0] == 0
	  && stride[1] / stride[0] >= count[1]);
}

static gomp_status_t
copy_box (struct gomp_plugin_queue *queue, CUDA_MEMCPY3D *box, const struct gomp_copy3d *shape)
{
  struct gomp_plugin_device *dev = queue->dev;
  struct gomp_copy3d s = normalise (shape);
  struct nvptx_scope scope;

  if (!is_regular (dev->copies->max_pitch, s.count, s.dst_stride)
      || !is_regular (dev->copies->max_pitch, s.count, s.src_stride))
    {
      nvptx_core->set_error ("a box with rows of %zu bytes, %zu and %zu apart, is too irregular",
			     s.count[0], s.dst_stride[0], s.src_stride[0]);
      return GOMP_UNSUPPORTED;	/* the core copies row by row */
    }
  box->srcPitch = s.src_stride[0];
  box->srcHeight = s.src_stride[1] / s.src_stride[0];
  box->dstPitch = s.dst_stride[0];
  box->dstHeight = s.dst_stride[1] / s.dst_stride[0];
  box->WidthInBytes = s.count[0];
  box->Height = s.count[1];
  box->Depth = s.count[2];
  gomp_status_t status = nvptx_ride_end (nvptx_queue_of (queue));
  if (status == GOMP_OK)
    status = nvptx_enter (dev, &scope);
  if (status == GOMP_OK)
    {
      status = NVPTX_CALL (dev, cuMemcpy3DAsync_v2, (box, nvptx_queue_stream (queue)),
			   "copying %zu x %zu x %zu bytes %s device %u", s.count[0], s.count[1],
			   s.count[2], box->dstMemoryType == CU_MEMORYTYPE_DEVICE ? "to" : "from",
			   dev->ordinal);
      nvptx_leave (dev, &scope);
    }
  return status;
}

gomp_status_t
nvptx_copy3d_h2d (struct gomp_plugin_queue *queue, gomp_devptr_t dst, const void *src,
		  const struct gomp_copy3d *shape)
{
  CUDA_MEMCPY3D box = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = src,
			.dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = dst };
  return copy_box (queue, &box, shape);
}

gomp_status_t
nvptx_copy3d_d2h (struct gomp_plugin_queue *queue, void *dst, gomp_devptr_t src,
		  const struct gomp_copy3d *shape)
{
  CUDA_MEMCPY3D box = { .srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = src,
			.dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = dst };
  return copy_box (queue, &box, shape);
}

/* ---- filling ---- */

gomp_status_t
nvptx_fill (struct gomp_plugin_queue *queue, gomp_devptr_t dst, uint8_t value, size_t size)
{
  struct gomp_plugin_device *dev = queue->dev;
  struct nvptx_scope scope;

  gomp_status_t status = nvptx_ride_end (nvptx_queue_of (queue));
  if (status == GOMP_OK)
    status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  CUstream stream = nvptx_queue_stream (queue);
  /* Words are filled faster than bytes.  */
  if (((dst | size) & 3) == 0)
    status = NVPTX_CALL (dev, cuMemsetD32Async, (dst, value * 0x01010101u, size / 4, stream),
			 "setting %zu bytes at %#llx on device %u", size, (unsigned long long) dst,
			 dev->ordinal);
  else
    status = NVPTX_CALL (dev, cuMemsetD8Async, (dst, value, size, stream),
			 "setting %zu bytes at %#llx on device %u", size, (unsigned long long) dst,
			 dev->ordinal);
  nvptx_leave (dev, &scope);
  return status;
}
