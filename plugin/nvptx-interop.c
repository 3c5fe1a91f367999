/* nvptx-interop.c -- objects of the interop construct: handles of CUDA's runtime and driver.

   All of them are about the device's primary context, which is the one of the CUDA runtime.  A stream of
   the runtime is one of the driver; HIP's handles are CUDA's on these devices.

   The queue of an object is a stream for the program alone.  It waits for the legacy default
   stream and that for it, like any stream that a program makes without further thought: a plain
   cudaMemcpy before a kernel on this stream is complete when the kernel starts.  */

#include "nvptx.h"

gomp_status_t
nvptx_interop_open (struct gomp_plugin_device *dev)
{
  (void) dev;
  return GOMP_OK;
}

void
nvptx_interop_close (struct gomp_plugin_device *dev, bool exiting)
{
  (void) dev;
  (void) exiting;
}

static struct gomp_interop_property
pointer_property (const char *type, void *value)
{
  return (struct gomp_interop_property) { .type = type, .pointer = value };
}

gomp_status_t
nvptx_interop_create (struct gomp_plugin_device *dev, struct gomp_interop_object *object)
{
  static const struct { const char *device, *context, *queue; } types[] =
  {
    [GOMP_RUNTIME_CUDA] = { "int", NULL, "cudaStream_t" },
    [GOMP_RUNTIME_CUDA_DRIVER] = { "CUdevice", "CUcontext", "CUstream" },
    [GOMP_RUNTIME_HIP] = { "hipDevice_t", "hipCtx_t", "hipStream_t" }
  };
  struct nvptx_scope scope;
  CUstream stream = NULL;

  if ((unsigned) object->runtime >= sizeof (types) / sizeof (types[0])
      || types[object->runtime].device == NULL)
    {
      nvptx_core->set_error ("NVIDIA GPUs have no runtime number %d", (int) object->runtime);
      return GOMP_UNSUPPORTED;
    }
  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  if (object->wants_queue)
    status = NVPTX_CALL (dev, cuStreamCreate, (&stream, CU_STREAM_DEFAULT),
			 "making a stream for an interop object");
  nvptx_leave (dev, &scope);
  if (status != GOMP_OK)
    return status;

  /* A CUdevice is the number that cudaSetDevice takes.  */
  object->device = (struct gomp_interop_property) { .type = types[object->runtime].device,
						    .is_int = true, .number = dev->cuda };
  if (types[object->runtime].context != NULL)
    object->context = pointer_property (types[object->runtime].context, dev->context);
  if (object->wants_queue)
    object->queue = pointer_property (types[object->runtime].queue, stream);
  object->data = stream;
  return GOMP_OK;
}

gomp_status_t
nvptx_interop_sync (struct gomp_plugin_device *dev, struct gomp_interop_object *object)
{
  struct nvptx_scope scope;

  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = NVPTX_CALL (dev, cuStreamSynchronize, (object->data),
		       "waiting for the stream of an interop object");
  nvptx_leave (dev, &scope);
  return status;
}

gomp_status_t
nvptx_interop_destroy (struct gomp_plugin_device *dev, struct gomp_interop_object *object)
{
  struct nvptx_scope scope;

  if (object->data == NULL)
    return GOMP_OK;
  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = NVPTX_CALL (dev, cuStreamDestroy_v2, (object->data),
		       "destroying the stream of an interop object");
  nvptx_leave (dev, &scope);
  return status;
}
