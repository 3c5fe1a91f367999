/* nvptx-mem.c -- device, pinned and managed memory, and what the driver knows of an address.

   The core sub-allocates device memory, so that mem_alloc is rare; pinned memory as well.  */

#include "nvptx.h"

#include <stdlib.h>
#include <string.h>

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
  if (status == GOMP_OK && (block & (align - 1)) != 0)
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
  return status;
}

gomp_status_t
nvptx_managed_free (struct gomp_plugin_device *dev, void *ptr)
{
  return nvptx_mem_free (dev, (uintptr_t) ptr);
}

/* ---- what the driver knows of a host address ---- */

/* Is the block of the driver that PTR is in at least [PTR, PTR + SIZE)?  The caller has entered a device, and the
   driver knows PTR.  */
static bool
block_covers (const void *ptr, size_t size)
{
  uint64_t start = 0;
  size_t length = 0;
  CUdeviceptr at = (uintptr_t) ptr;

  return (nvptx_cuda.cuPointerGetAttribute (&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, at) == 0
	  && nvptx_cuda.cuPointerGetAttribute (&length, CU_POINTER_ATTRIBUTE_RANGE_SIZE, at) == 0
	  && at >= start && at - start <= length && size <= length - (at - start));
}

/* The memory type and whether it is managed; false for what the driver does not know.  */
static bool
look_up (const void *ptr, int *type, bool *managed)
{
  unsigned is_managed = 0;
  CUdeviceptr at = (uintptr_t) ptr;

  *type = 0;
  if (nvptx_cuda.cuPointerGetAttribute (type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at) != 0)
    return false;
  *managed = (nvptx_cuda.cuPointerGetAttribute (&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, at)
	      == 0 && is_managed != 0);
  return *type != 0;
}

bool
nvptx_is_accessible (struct gomp_plugin_device *dev, const void *ptr, size_t size)
{
  struct nvptx_scope scope;
  int type;
  bool managed, answer;

  if (dev->facts->pageable_access)
    return !nvptx_is_lost (dev);
  if (nvptx_enter (dev, &scope) != GOMP_OK)
    return false;
  answer = (look_up (ptr, &type, &managed)
	    && (managed || type == CU_MEMORYTYPE_HOST) && block_covers (ptr, size));
  nvptx_leave (dev, &scope);
  return answer;
}

bool
nvptx_is_pinned (struct gomp_plugin_device *dev, const void *ptr, size_t size)
{
  struct nvptx_scope scope;
  int type;
  bool managed, answer;

  if (nvptx_enter (dev, &scope) != GOMP_OK)
    return false;
  answer = (look_up (ptr, &type, &managed)
	    && !managed && type == CU_MEMORYTYPE_HOST && block_covers (ptr, size));
  nvptx_leave (dev, &scope);
  return answer;
}
