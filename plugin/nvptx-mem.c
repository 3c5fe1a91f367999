/* nvptx-mem.c -- device, pinned and managed memory, and what the driver knows of an address.

   The core sub-allocates device memory, so that mem_alloc is rare; pinned memory as well.  Addresses
   are the same on host and devices (unified addressing, which init demands): a block of pinned or
   managed memory has one address for all.  */

#include "nvptx.h"

gomp_status_t
nvptx_mem_open (struct gomp_plugin_device *dev)
{
  (void) dev;
  return GOMP_OK;
}

void
nvptx_mem_close (struct gomp_plugin_device *dev, bool exiting)
{
  (void) dev;
  (void) exiting;
}

/* A driver that is being unloaded takes every call and does nothing.  */
static gomp_status_t
shutting_down (void)
{
  nvptx_core->set_error ("the CUDA driver has shut down");
  return GOMP_DRIVER_ERROR;
}

/* ---- device memory ---- */

gomp_status_t
nvptx_mem_alloc (struct gomp_plugin_device *dev, size_t size, size_t align, gomp_devptr_t *ptr)
{
  struct nvptx_scope scope;
  CUdeviceptr block = 0;

  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = NVPTX_CALL (dev, cuMemAlloc_v2, (&block, size), "allocating %zu bytes on device %u",
		       size, dev->ordinal);
  if (status == GOMP_OK && block == 0)
    status = shutting_down ();
  else if (status == GOMP_OK && (block & (align - 1)) != 0)
    {
      (void) nvptx_check_quiet (dev, nvptx_cuda.cuMemFree_v2 (block));
      nvptx_core->set_error ("device %u has no memory aligned to %zu bytes", dev->ordinal, align);
      status = GOMP_UNSUPPORTED;
    }
  nvptx_leave (dev, &scope);
  *ptr = block;
  return status;
}

gomp_status_t
nvptx_mem_free (struct gomp_plugin_device *dev, gomp_devptr_t ptr)
{
  struct nvptx_scope scope;

  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = NVPTX_CALL (dev, cuMemFree_v2, (ptr), "freeing %#llx on device %u",
		       (unsigned long long) ptr, dev->ordinal);
  nvptx_leave (dev, &scope);
  return status;
}

gomp_status_t
nvptx_mem_info (struct gomp_plugin_device *dev, uint64_t *free_bytes, uint64_t *total_bytes)
{
  struct nvptx_scope scope;
  size_t available = 0, total = 0;

  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = NVPTX_CALL (dev, cuMemGetInfo_v2, (&available, &total),
		       "asking device %u for its free memory", dev->ordinal);
  nvptx_leave (dev, &scope);
  *free_bytes = available;
  *total_bytes = total;
  return status;
}

/* ---- pinned memory ---- */

gomp_status_t
nvptx_pinned_alloc (struct gomp_plugin_device *dev, size_t size, void **ptr, const char *what)
{
  *ptr = NULL;
  gomp_status_t status
    = NVPTX_CALL (dev, cuMemHostAlloc,
		  (ptr, size, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
		  "allocating %zu bytes of pinned memory for %s", size, what);
  if (status == GOMP_OK && *ptr == NULL)
    return shutting_down ();
  return status == GOMP_OUT_OF_DEVICE_MEMORY ? GOMP_OUT_OF_HOST_MEMORY : status;
}

void
nvptx_pinned_free (struct gomp_plugin_device *dev, void *ptr)
{
  if (ptr != NULL && !nvptx_is_lost (dev))
    (void) nvptx_check_quiet (dev, nvptx_cuda.cuMemFreeHost (ptr));
}

gomp_status_t
nvptx_host_alloc (struct gomp_plugin_device *dev, size_t size, void **ptr)
{
  struct nvptx_scope scope;

  *ptr = NULL;
  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = nvptx_pinned_alloc (dev, size, ptr, "the program");
  nvptx_leave (dev, &scope);
  return status;
}

gomp_status_t
nvptx_host_free (struct gomp_plugin_device *dev, void *ptr)
{
  struct nvptx_scope scope;

  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = NVPTX_CALL (dev, cuMemFreeHost, (ptr), "freeing pinned memory at %p", ptr);
  nvptx_leave (dev, &scope);
  return status;
}

/* ---- managed memory ---- */

gomp_status_t
nvptx_managed_alloc (struct gomp_plugin_device *dev, size_t size, void **ptr)
{
  struct nvptx_scope scope;
  CUdeviceptr block = 0;

  *ptr = NULL;
  if (!dev->facts->managed_memory)
    {
      nvptx_core->set_error ("device %u has no managed memory", dev->ordinal);
      return GOMP_UNSUPPORTED;
    }
  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = NVPTX_CALL (dev, cuMemAllocManaged, (&block, size, CU_MEM_ATTACH_GLOBAL),
		       "allocating %zu bytes of managed memory", size);
  nvptx_leave (dev, &scope);
  *ptr = (void *) (uintptr_t) block;
  return status == GOMP_OK && block == 0 ? shutting_down () : status;
}

gomp_status_t
nvptx_managed_free (struct gomp_plugin_device *dev, void *ptr)
{
  return nvptx_mem_free (dev, (uintptr_t) ptr);
}

/* ---- what the driver knows of a host address ---- */

/* What a range is to the driver.  */
struct range
{
  int type;			/* CU_MEMORYTYPE_*; 0: nothing that it knows */
  bool managed;
  CUdeviceptr device;		/* where kernels find the first byte, or 0 */
  bool whole;			/* all of it is in one block */
};

/* The caller has entered a device.  */
static struct range
look_up (const void *ptr, size_t size)
{
  struct range r = { .type = 0 };
  unsigned type = 0, managed = 0;
  CUdeviceptr at = (uintptr_t) ptr, start = 0;
  size_t length = 0;
  int names[] =
  {
    CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
    CU_POINTER_ATTRIBUTE_DEVICE_POINTER, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
    CU_POINTER_ATTRIBUTE_RANGE_SIZE
  };
  void *values[] = { &type, &managed, &r.device, &start, &length };

  /* One call for all is as expensive as a call for one.  What the driver does not know is no
     error: the values are 0 then.  */
  if (nvptx_cuda.cuPointerGetAttributes (sizeof (names) / sizeof (names[0]), names, values, at)
      == CUDA_SUCCESS)
    {
      r.type = type;
      r.managed = managed != 0;
      r.whole = at >= start && at - start <= length && size <= length - (at - start);
    }
  return r;
}

bool
nvptx_is_accessible (struct gomp_plugin_device *dev, const void *ptr, size_t size)
{
  struct nvptx_scope scope;

  if (dev->facts->pageable_access)
    return !nvptx_is_lost (dev);
  if (nvptx_enter (dev, &scope) != GOMP_OK)
    return false;
  struct range r = look_up (ptr, size);
  nvptx_leave (dev, &scope);
  return (r.whole && (r.managed || r.type == CU_MEMORYTYPE_HOST)
	  && r.device == (uintptr_t) ptr);
}

bool
nvptx_is_pinned (struct gomp_plugin_device *dev, const void *ptr, size_t size)
{
  struct nvptx_scope scope;

  if (nvptx_enter (dev, &scope) != GOMP_OK)
    return false;
  struct range r = look_up (ptr, size);
  nvptx_leave (dev, &scope);
  return r.whole && !r.managed && r.type == CU_MEMORYTYPE_HOST;
}
